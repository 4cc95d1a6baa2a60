import { isOfServer, serverToolOf } from '../bridge/server-tool';
import type {
  AgentId,
  ConversationSummary,
  Item,
  Phase,
  ServerProgress,
  Status,
} from '../bridge/wire';
import type { Conversation } from './reduce';
import { standingOf } from './standing';
import type { View } from './store';

/** An item that is a call of a tool. */
export type CallItem = Item & { body: Extract<Item['body'], { type: 'call' }> };

/** What the line at the end of the list says while something is going on. */
export type Activity =
  | { kind: 'thinking' }
  | { kind: 'tool'; tool: string; progress?: ServerProgress }
  | { kind: 'hook'; names: string }
  | { kind: 'subagents'; agents: AgentId[] }
  | { kind: 'retry'; retry: NonNullable<Status['retry']> };

/** The phase of the talk, or of the run; null while there is neither. */
export const phaseOf = (conversation: Conversation): Phase | null =>
  standingOf(conversation.status)?.phase ?? null;

/** Whether what is told as gone wrong is something of the settings file. */
export const isOfSettings = ({ failure, settings }: Pick<View, 'failure' | 'settings'>): boolean =>
  settings?.problems.some(({ message }) => message === failure?.message) ?? false;

/** Whether somebody works in the open conversation: its run, who is talked with, or the sub-agent whose it is. */
export const isAtWork = ({ conversation, task }: Pick<View, 'conversation' | 'task'>): boolean =>
  task
    ? task.subagent.end === undefined && task.phase === 'running'
    : phaseOf(conversation) === 'running';

/** A conversation in the lists: one that waits or works may stand beyond what was read of its project. */
export const summaryOf = (
  { conversations, active }: Pick<View, 'conversations' | 'active'>,
  id: string | null,
) => {
  const isIt = ({ conversationId }: ConversationSummary) => conversationId === id;
  return conversations?.find(isIt) ?? active?.find(isIt);
};

/** What is going on right now and is not visible as growing text; nothing when nobody works. */
export function activityOf(
  conversation: Conversation,
  atWork = phaseOf(conversation) === 'running',
): Activity | null {
  const { status, items } = conversation;
  if (!status || !atWork) return null;
  if (status.waitsFor?.length) return { kind: 'hook', names: status.waitsFor.join(', ') };
  if (status.retry) return { kind: 'retry', retry: status.retry };
  const working = status.subagents?.filter(({ end }) => end === undefined) ?? [];
  if (working.length > 0) {
    return { kind: 'subagents', agents: working.map(({ agentId }) => agentId) };
  }
  for (let at = items.length - 1; at >= 0 && at >= items.length - 12; at--) {
    const body = items[at]?.body;
    if (body?.type === 'call' && body.state === 'running') {
      const isOfIt = status.server?.callId === body.callId;
      return { kind: 'tool', tool: body.tool, progress: isOfIt ? status.server : undefined };
    }
    if (body?.type === 'message' && body.streaming) return null;
  }
  return { kind: 'thinking' };
}

/** The tool calls, oldest first. */
export const callsOf = ({ items }: Conversation): CallItem[] =>
  items.filter((item): item is CallItem => item.body.type === 'call');

/** The server that works on a call and waits for the person meanwhile, where it is known. */
export function askingServer({ items }: Conversation): string | undefined {
  const waits = ({ body }: Item) =>
    body.type === 'call' && body.state === 'waiting' && isOfServer(body.tool);
  const call = items.findLast(waits)?.body;
  return call?.type === 'call' ? serverToolOf(call.tool)?.server : undefined;
}

/** True for the last notice that can be resumed while nothing has gone on since. */
export function isLatestResumable(conversation: Conversation, id: string): boolean {
  const phase = phaseOf(conversation);
  if (phase === 'running' || phase === null) return false;
  for (let at = conversation.items.length - 1; at >= 0; at--) {
    const item = conversation.items[at];
    if (item?.body.type === 'notice' && item.body.canResume) return item.id === id;
    // Other notices only tell something: whatever else came after it, the run has gone on.
    if (item && item.body.type !== 'notice') return false;
  }
  return false;
}

type QuestionBody = Extract<Item['body'], { type: 'question' }>;

/** An item that asks the person something. */
export type QuestionItem = Item & { body: QuestionBody };

const isQuestion = (item: Item | undefined): item is QuestionItem => item?.body.type === 'question';

/**
 * What can be answered now, in the order in which it was asked: while the run waits for some, those
 * come first; otherwise the older one that the person has taken up.
 */
export function openQuestions(conversation: Conversation, taken: string | null): QuestionItem[] {
  const { status, items, index } = conversation;
  const byId = (id: string) => items[index.get(id) ?? -1];
  const waiting = (status?.waitingWidgets ?? []).map(byId).filter(isQuestion);
  if (waiting.length > 0 || taken === null || phaseOf(conversation) === 'running') return waiting;
  const again = byId(taken);
  return isQuestion(again) && again.body.answer === undefined && !again.body.closed ? [again] : [];
}

/** The one of them that is shown. */
export function dockedQuestion(
  conversation: Conversation,
  taken: string | null,
): QuestionItem | undefined {
  const questions = openQuestions(conversation, taken);
  return questions.find(({ id }) => id === taken) ?? questions[0];
}

/** True for the newest judgement while whoever is talked with rests because of it. */
export function isOpenDecision({ status, items }: Conversation, id: string): boolean {
  const standing = standingOf(status);
  if (standing?.reason !== 'not_accepted' || standing.phase === 'running') return false;
  return items.findLast((item) => item.body.type === 'decision')?.id === id;
}

/** True while the run can be ended before its end: it rests, and is not over. */
export function canEnd(conversation: Conversation): boolean {
  const run = conversation.status?.run;
  return !!run && run.phase !== 'completed' && phaseOf(conversation) !== 'running';
}

const lastNotice = ({ items }: Conversation) => {
  const notices = items.filter((item) => item.body.type === 'notice');
  const body = notices.at(-1)?.body;
  return body?.type === 'notice' ? body : null;
};

/** True when it is nobody's move because the model did not answer. */
export function stoppedByModel(conversation: Conversation): boolean {
  const standing = standingOf(conversation.status);
  return standing?.reason === 'failed' && lastNotice(conversation)?.kind === 'model_error';
}

/** Whether a recorded model answers: whoever talks with somebody else than the run asks their own. */
export const isDemoNow = ({ status }: Conversation): boolean =>
  !status?.talk && (status?.run?.demo ?? false);

/** Where a demo that has been played stands: complete, or with words that wait for a model. */
export function demoEnd(conversation: Conversation): 'complete' | 'waits' | null {
  const run = conversation.status?.run;
  if (!run || !isDemoNow(conversation) || run.phase === 'running') return null;
  if (run.reason === 'failed' && lastNotice(conversation)?.kind === 'demo_over') return 'waits';
  return run.phase === 'completed' ? 'complete' : null;
}
