import { LoaderCircle } from 'lucide-react';
import { memo } from 'react';
import type { Item } from '../bridge/wire';
import { useWords } from '../i18n';
import { Boundary } from '../kit/boundary';
import { compact, goToModel, resume, startAfresh } from '../state/actions';
import { fieldOf, isTooLong, needsChange } from '../state/models';
import { type Activity, agentOf, isLatestResumable, packageOf, phaseOf } from '../state/select';
import { type App, useApp, useView, type View } from '../state/store';
import { type CallBody, CallCard } from '../widgets/call-card';
import { HookResult } from '../widgets/hook';
import { AssistantMessage, type MessageBody, UserMessage } from '../widgets/message';
import { Notice, type NoticeBody } from '../widgets/notice';
import type { QuestionBody } from '../widgets/props';
import { Receipt } from '../widgets/receipt';
import { isCallOf } from '../widgets/tool';
import { BrokenItem } from './broken-item';
import { DecisionRow } from './decision-row';
import { RetryLine } from './retry-line';
import { SubagentRow } from './subagent-row';
import { useUnfolding } from './unfolding';

/** Who speaks now in the open conversation. */
const speakerOf = ({ conversation, task }: View) =>
  conversation.status?.run?.activeAgentId ?? task?.subagent.agentId;

function AssistantRow({ item, body, headed }: { item: Item; body: MessageBody; headed: boolean }) {
  const agent = useView((v) =>
    // What is being written has no author yet: it is whoever speaks now.
    agentOf(
      v.packages ?? [],
      packageOf(v),
      body.agent ?? (body.streaming ? speakerOf(v) : undefined),
    ),
  );
  return <AssistantMessage body={body} at={item.at} agent={agent} headed={headed} />;
}

/** What of a question stands in the conversation; it is answered in its dock. */
function QuestionRow({ item, body }: { item: Item; body: QuestionBody }) {
  const { store } = useApp();
  const unfolding = useUnfolding(item);
  const waiting = useView((v) => v.conversation.status?.waitingWidgets);
  const isFree = useView((v) => phaseOf(v.conversation) !== 'running' && v.taken !== item.id);
  return (
    <Receipt
      body={body}
      waits={waiting?.includes(item.id) === true}
      onTake={
        isFree && waiting?.length === 0 ? () => store.setState({ taken: item.id }) : undefined
      }
      {...unfolding}
    />
  );
}

function CallRow({ item, call }: { item: Item; call: CallBody }) {
  const unfolding = useUnfolding(item);
  return <CallCard call={call} {...unfolding} />;
}

/** Makes the conversation shorter for its model and goes on. */
async function goOnShorter(app: App, how: 'hard' | 'afresh') {
  const done = how === 'hard' ? await compact(app, true) : await startAfresh(app);
  if (done) await resume(app);
}

function NoticeRow({ item, body }: { item: Item; body: NoticeBody }) {
  const app = useApp();
  const resumable = useView((v) => body.canResume && isLatestResumable(v.conversation, item.id));
  const busy = useView((v) => v.busy.has('resume') || v.busy.has('compact'));
  const ofTask = useView((v) => v.task !== null);
  const field = body.failure ? fieldOf(body.failure) : null;
  // Something was changed since: it may help to ask again.
  const changed = useView((v) => v.modelChangedAt !== null && v.modelChangedAt > item.at);
  return (
    <Notice
      body={body}
      ofTask={ofTask}
      resumable={resumable}
      busy={busy}
      onResume={() => void resume(app)}
      hopeless={!changed && body.failure !== undefined && needsChange(body.failure)}
      onShorter={
        body.failure && isTooLong(body.failure) && !ofTask
          ? (how) => void goOnShorter(app, how)
          : undefined
      }
      onSettings={field ? () => goToModel(app, field) : undefined}
    />
  );
}

interface RowProps {
  item: Item;
  headed: boolean;
}

/** One item. Rendered again only when it, or its place below another speaker, changes. */
export const Row = memo(({ item, headed }: RowProps) => (
  <Boundary of={item} instead={() => <BrokenItem body={item.body} />}>
    <Body item={item} headed={headed} />
  </Boundary>
));

function Body({ item, headed }: RowProps) {
  const { body } = item;
  switch (body.type) {
    case 'message':
      return body.by === 'user' ? (
        <UserMessage text={body.text} files={body.files} at={item.at} />
      ) : (
        <AssistantRow item={item} body={body} headed={headed} />
      );
    case 'call':
      return isCallOf(body.tool, 'agent.spawn') ? (
        <SubagentRow item={item} call={body} />
      ) : (
        <CallRow item={item} call={body} />
      );
    case 'question':
      return <QuestionRow item={item} body={body} />;
    case 'decision':
      return <DecisionRow item={item} body={body} />;
    case 'hook':
      return <HookResult body={body} />;
    case 'notice':
      return <NoticeRow item={item} body={body} />;
  }
}

/** Which sub-agents work: the one by its name, several by their number. */
function useAtWork(agents: readonly string[]): string {
  const { t, number } = useWords();
  const [only] = agents;
  const agent = useView((v) => agentOf(v.packages ?? [], packageOf(v), only));
  return only !== undefined && agents.length === 1
    ? t('conversation.subagent', { name: agent?.name ?? only })
    : t('conversation.subagents', { count: number(agents.length) });
}

/** What is going on, at the end of the list. */
export function ActivityLine({ activity }: { activity: Activity }) {
  const { t } = useWords();
  const atWork = useAtWork(activity.kind === 'subagents' ? activity.agents : []);
  if (activity.kind === 'retry') {
    return <RetryLine retry={activity.retry} />;
  }
  return (
    <p className="activity" data-testid="activity">
      <LoaderCircle size={14} className="spin" aria-hidden />
      {activity.kind === 'tool' && t('conversation.tool', { tool: activity.tool })}
      {activity.kind === 'hook' && t('conversation.hook', { names: activity.names })}
      {activity.kind === 'subagents' && atWork}
      {activity.kind === 'thinking' && t('conversation.thinking')}
    </p>
  );
}
