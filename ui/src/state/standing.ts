// With whom the person talks, and whose move it is: a run, an agent of a package, or the model alone.
// While they talk with somebody else than the run, the run waits, and what goes on is the talk's.
import type {
  AgentSummary,
  ConversationSummary,
  MenuLine,
  Mode,
  PackageView,
  Phase,
  Reason,
  Status,
  WorkflowSummary,
} from '../bridge/wire';
import type { Conversation } from './reduce';
import type { View } from './store';

/** Whose move it is, and why. */
export interface Standing {
  phase: Phase;
  reason: Reason | null;
}

/** With whom one talks while nothing else is said. */
const withRun: Mode = { mode: 'run' };

/** How a conversation stands: as its talk does while there is one, and as its run does otherwise. */
export const standingOf = (
  status: Pick<Status, 'talk' | 'run'> | null | undefined,
): Standing | null => status?.talk ?? status?.run ?? null;

/** The same of a conversation in a list. */
export const standingIn = ({
  talk,
  runs: [run],
}: Pick<ConversationSummary, 'talk' | 'runs'>): Standing | undefined => talk ?? run;

/** With whom the person talks in the open conversation. */
export const partnerOf = ({ status }: Conversation): Mode => status?.talk?.with ?? withRun;

/** The same of a conversation in a list. */
export const partnerIn = ({ talk }: Pick<ConversationSummary, 'talk'>): Mode =>
  talk?.with ?? withRun;

/** Why the open conversation stands as it does. */
export const reasonOf = ({ status }: Conversation): Reason | null =>
  standingOf(status)?.reason ?? null;

/** Two ways to say with whom one talks that mean the same. */
export const isSamePartner = (one: Mode, other: Mode): boolean =>
  one.mode === other.mode &&
  (one.mode !== 'agent' ||
    other.mode !== 'agent' ||
    (one.packageId === other.packageId && one.agentId === other.agentId));

/** The agent of a package, by id. */
export function agentOf(
  packages: readonly PackageView[],
  packageId: string | undefined,
  agentId: string | undefined,
): AgentSummary | undefined {
  return packages.find((p) => p.packageId === packageId)?.agents.find((a) => a.id === agentId);
}

/** The workflow of a package, by id. */
export const workflowOf = (
  packages: readonly PackageView[] | null,
  packageId: string | undefined,
  workflowId: string | undefined,
): WorkflowSummary | undefined =>
  packages?.find((p) => p.packageId === packageId)?.workflows.find(({ id }) => id === workflowId);

/** The agent that one talks with; nothing for a run and a chat, and where it is not installed any more. */
export const agentWith = (
  packages: readonly PackageView[] | null,
  partner: Mode,
): AgentSummary | undefined =>
  partner.mode === 'agent'
    ? agentOf(packages ?? [], partner.packageId, partner.agentId)
    : undefined;

/** The package whose steps the open conversation goes through, or went through. */
export const packageOf = ({ conversation, task }: Pick<View, 'conversation' | 'task'>) =>
  conversation.status?.run?.packageId ?? task?.packageId;

/** The package of whoever works in the open conversation. */
export function packageAtWork(view: Pick<View, 'conversation' | 'task'>): string | undefined {
  const partner = partnerOf(view.conversation);
  return partner.mode === 'agent' ? partner.packageId : packageOf(view);
}

/**
 * Who spoke in the open conversation, by the id that a message has: of the package that works now, of
 * the one whose run waits meanwhile, or of whichever has such an agent.
 */
export function speakerIn(
  { conversation, task, packages }: Pick<View, 'conversation' | 'task' | 'packages'>,
  agentId: string | undefined,
): AgentSummary | undefined {
  if (agentId === undefined || !packages) return undefined;
  const near = [packageAtWork({ conversation, task }), packageOf({ conversation, task })];
  const all = packages.map(({ packageId }) => packageId);
  for (const packageId of [...near, ...all]) {
    const found = agentOf(packages, packageId, agentId);
    if (found) return found;
  }
  return undefined;
}

/** Who speaks now in the open conversation; the model alone has no name. */
export function speakingNow({
  conversation: { status },
  task,
}: Pick<View, 'conversation' | 'task'>): string | undefined {
  if (status?.talk) return status.talk.with.mode === 'agent' ? status.talk.with.agentId : undefined;
  return status?.run?.activeAgentId ?? task?.subagent.agentId;
}

/** The commands of whoever the person talks with: only an agent that is talked with has some. */
export const menuOf = ({
  conversation,
  packages,
}: Pick<View, 'conversation' | 'packages'>): readonly MenuLine[] =>
  agentWith(packages, partnerOf(conversation))?.menu ?? noLines;

const noLines: readonly MenuLine[] = [];
