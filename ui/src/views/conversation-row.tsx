import { MessageCircle, UserRound } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import type {
  AgentSummary,
  ConversationRun,
  ConversationSummary,
  PackageView,
  ProjectView,
  StepCount,
  TalkView,
} from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { renameConversation } from '../state/conversations';
import { goToConversation } from '../state/projects';
import { agentWith, partnerIn, standingIn, workflowOf } from '../state/standing';
import { useApp, useView } from '../state/store';
import { ConversationMenu, DeleteDialog } from './conversation-menu';
import { useTitleIn } from './partner';
import { phaseKey } from './phase-badge';
import { RunMark } from './run-mark';
import { useReadAhead } from './use-read-ahead';

interface TitleProps {
  conversation: ConversationSummary;
  onDone: () => void;
}

/** The title as a field. Enter keeps it, Esc does not; an empty one brings the old title back. */
function TitleField({ conversation, onDone }: TitleProps) {
  const app = useApp();
  const { t } = useWords();
  const titleOf = useTitleIn();
  const [title, setTitle] = useState(conversation.title);
  const keep = () => {
    if (title !== conversation.title) {
      void renameConversation(app, conversation.conversationId, title);
    }
    onDone();
  };
  return (
    <input
      className="input rename"
      aria-label={t('conversations.rename.label')}
      placeholder={conversation.generatedTitle || titleOf(conversation)}
      data-testid="rename-field"
      value={title}
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
      autoFocus
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') {
          event.stopPropagation();
          onDone();
        }
      }}
    />
  );
}

/** What the rows of a list are told of, read once for all of them. */
export interface RowContext {
  projectId: string | null;
  projects: readonly ProjectView[];
  packages: readonly PackageView[];
  /** The conversation that is open; a sub-agent's is a part of the one that asked for it. */
  current: string | null;
  /** The one whose title is being written. */
  naming: string | null;
}

/** What the rows of a list are told of. */
export function useRowContext(): RowContext {
  const projectId = useView((v) => v.projectId);
  const projects = useView((v) => v.projects);
  const packages = useView((v) => v.packages);
  const current = useView((v) => (v.startingRun ? null : (v.task?.parent ?? v.conversationId)));
  const naming = useView((v) => v.naming);
  return useMemo(
    () => ({ projectId, projects: projects ?? [], packages: packages ?? [], current, naming }),
    [projectId, projects, packages, current, naming],
  );
}

/** The step that a run is at, while it goes on; nothing where that is not known. */
function stepOf(run: ConversationRun | undefined, context: RowContext): string | undefined {
  if (run?.nodeId === undefined || run.phase === 'completed') return undefined;
  const workflow = workflowOf(context.packages, run.packageId, run.workflowId);
  return workflow?.steps.find((step) => step.id === run.nodeId)?.title;
}

/** How many steps of a run are done, and of how many, while it goes on and its step is known. */
function doneOf(run: ConversationRun | undefined, context: RowContext): StepCount | undefined {
  return stepOf(run, context) === undefined ? undefined : run?.steps;
}

/** What a conversation is about; of another project it is that, and of one at work its step. */
function aboutOf(conversation: ConversationSummary, context: RowContext) {
  const { projectId, talk, runs } = conversation;
  const [run] = runs;
  if (projectId !== context.projectId) {
    return context.projects.find((it) => it.projectId === projectId)?.name;
  }
  // Whom one talks with is said in the words of the language.
  if (talk) return undefined;
  const pack = context.packages.find((p) => p.packageId === run?.packageId);
  const workflow = pack?.workflows.find((it) => it.id === run?.workflowId);
  return stepOf(run, context) ?? workflow?.displayName ?? pack?.name ?? run?.packageId;
}

/** That it is no run that is gone on with, at the place where a run has its count of steps. */
function TalkMark({ talk, agent }: { talk: TalkView; agent: AgentSummary | undefined }) {
  const { t } = useWords();
  if (talk.with.mode === 'agent') {
    return (
      <span className="agent-sign" title={t('talk.mark.agent')} data-testid="talk-mark" aria-hidden>
        {agent ? visible(agent.icon) : <UserRound size={13} />}
      </span>
    );
  }
  return (
    <span className="talk-sign" title={t('talk.mark.chat')} data-testid="talk-mark" aria-hidden>
      <MessageCircle size={13} />
    </span>
  );
}

type FaceProps = Pick<Props, 'conversation' | 'about' | 'steps' | 'agent'>;

/** A conversation's title, and how its run, or who is talked with, stands. */
function Face({ conversation, about, steps, agent }: FaceProps) {
  const { t, date } = useWords();
  const { lastActiveAt, talk } = conversation;
  const title = useTitleIn()(conversation);
  const standing = standingIn(conversation);
  const whom =
    talk?.with.mode === 'agent' ? (agent?.name ?? talk.with.agentId) : t('conversations.chat');
  const told = about ?? (talk || !conversation.runs[0] ? whom : undefined);
  // What its title says is not said again.
  const more = standing && told === title ? undefined : (told ?? t('conversations.chat'));
  return (
    <>
      <RunMark standing={standing} />
      <span className="row-top">
        <strong className="clip">{visible(title)}</strong>
        <span className="when">{date(lastActiveAt)}</span>
      </span>
      <span className="row-bottom">
        <span className="clip">
          {standing && (
            <span className="standing">{t(phaseKey(standing.phase, standing.reason))}</span>
          )}
          {standing && more && ' · '}
          {visible(more ?? '')}
        </span>
        {talk && <TalkMark talk={talk} agent={agent} />}
        {steps && !talk && (
          <span className="done" title={t('progress.count', { ...steps })}>
            {t('runs.done', { ...steps })}
          </span>
        )}
      </span>
    </>
  );
}

interface Props {
  conversation: ConversationSummary;
  about: string | undefined;
  /** How many of its run's steps are done. */
  steps: StepCount | undefined;
  /** The agent that is talked with. */
  agent: AgentSummary | undefined;
  /** Of the project that is open. */
  isOwn: boolean;
  isCurrent: boolean;
  isNamed: boolean;
  /** It has the focus now, or what it opened over the page has. */
  onTouched?: (conversationId: string) => void;
}

interface MenuProps {
  conversation: ConversationSummary;
  onDelete: (isAsked: true) => void;
}

/** The menu of a row; another row that is opened does not draw it again. */
const RowMenu = memo(({ conversation, onDelete }: MenuProps) => {
  const { store } = useApp();
  return (
    <ConversationMenu
      conversation={conversation}
      testId="conversation-menu"
      onRename={() => store.setState({ naming: conversation.conversationId })}
      onDelete={() => onDelete(true)}
    />
  );
});

const Row = memo((props: Props) => {
  const { conversation, about, steps, agent, isOwn, isCurrent, isNamed, onTouched } = props;
  const app = useApp();
  const { conversationId, projectId } = conversation;
  const [deleting, setDeleting] = useState(false);
  const ahead = useReadAhead(conversationId);
  return (
    <li
      className="conversation-row"
      data-current={isCurrent ? 'true' : undefined}
      onFocus={() => onTouched?.(conversationId)}
    >
      {isNamed ? (
        <TitleField
          conversation={conversation}
          onDone={() => app.store.setState({ naming: null })}
        />
      ) : (
        <button
          type="button"
          className="row"
          data-testid="run-row"
          data-run-id={conversation.runs[0]?.runId}
          aria-current={isCurrent ? 'true' : undefined}
          onClick={() => void goToConversation(app, projectId, conversationId)}
          {...ahead}
        >
          <Face conversation={conversation} about={about} steps={steps} agent={agent} />
        </button>
      )}
      {isOwn && <RowMenu conversation={conversation} onDelete={setDeleting} />}
      {deleting && <DeleteDialog conversation={conversation} onClose={() => setDeleting(false)} />}
    </li>
  );
});

interface RowProps extends Pick<Props, 'conversation' | 'onTouched'> {
  context: RowContext;
}

/** A conversation in the list: open it, name it, save it, delete it. */
export const ConversationRow = ({ conversation, context, onTouched }: RowProps) => (
  <Row
    conversation={conversation}
    about={aboutOf(conversation, context)}
    steps={doneOf(conversation.runs[0], context)}
    agent={agentWith(context.packages, partnerIn(conversation))}
    isOwn={conversation.projectId === context.projectId}
    isCurrent={conversation.conversationId === context.current}
    isNamed={conversation.conversationId === context.naming}
    onTouched={onTouched}
  />
);
