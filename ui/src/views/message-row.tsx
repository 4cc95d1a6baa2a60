import { LoaderCircle } from 'lucide-react';
import { memo } from 'react';
import type { DraftPlace, Item } from '../bridge/wire';
import { useWords } from '../i18n';
import { Boundary } from '../kit/boundary';
import { Broken } from '../kit/broken';
import { answer, compact, goToModel, resume, startAfresh } from '../state/actions';
import { composerKey, draftAt, keepDraft } from '../state/drafts';
import { fieldOf, isTooLong, needsChange } from '../state/models';
import { type Activity, agentOf, isLatestResumable, packageOf } from '../state/select';
import { type App, useApp, useView, type View } from '../state/store';
import { type CallBody, CallCard } from '../widgets/call-card';
import { HookResult } from '../widgets/hook';
import { Plain } from '../widgets/markdown';
import { AssistantMessage, type MessageBody, UserMessage } from '../widgets/message';
import { Notice, type NoticeBody } from '../widgets/notice';
import type { QuestionBody } from '../widgets/props';
import { Question } from '../widgets/question';
import { isCallOf } from '../widgets/tool';
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

function QuestionRow({ item, body }: { item: Item; body: QuestionBody }) {
  const app = useApp();
  const enabled = useView((v) => {
    const { status } = v.conversation;
    // While the run waits for some, those come first; otherwise old ones can be answered too.
    const waiting = status?.waitingWidgets ?? [];
    const mine = waiting.length === 0 || waiting.includes(item.id);
    return status?.run?.phase !== 'running' && mine;
  });
  const conversationId = useView((v) => v.conversationId) ?? '';
  const writing = useView((v) => v.drafts.has(composerKey(v.conversationId)));
  const alone = useView((v) => v.conversation.status?.waitingWidgets.length === 1);
  const place: DraftPlace = { type: 'widget', conversationId, messageId: item.id };
  return (
    <Question
      body={body}
      enabled={enabled}
      keys={alone && !writing}
      draft={draftAt(app, place)}
      onDraft={(draft) => keepDraft(app, place, draft)}
      onWhole={(changeId) => app.bridge.query({ type: 'wholeChange', conversationId, changeId })}
      onAnswer={(value, shownMs) => answer(app, item.id, value, shownMs)}
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
  <Boundary of={item} instead={() => <BrokenRow body={item.body} />}>
    <Body item={item} headed={headed} />
  </Boundary>
));

/** What of an item is somebody's words. */
function wordsOf(body: Item['body']): string | null {
  if (body.type === 'message') return body.text;
  if (body.type === 'question') return body.widget.message;
  return body.type === 'decision' ? body.decision.user_summary : null;
}

/** What others wrote can still be read where its part of the window is broken. */
function BrokenRow({ body }: { body: Item['body'] }) {
  const words = wordsOf(body);
  return (
    <>
      <Broken part="part" />
      {words && <Plain text={words} />}
    </>
  );
}

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
