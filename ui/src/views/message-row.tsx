import { LoaderCircle } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { wordsOfTool } from '../bridge/server-tool';
import type { Item, ServerProgress } from '../bridge/wire';
import { useWords } from '../i18n';
import { Boundary } from '../kit/boundary';
import { Name } from '../kit/name';
import { compact, goToModel, resume, startAfresh } from '../state/actions';
import { fieldOf, isTooLong, needsChange } from '../state/models';
import { askToUndo, canUndoAt, sayAgain } from '../state/rewind';
import type { CallItem, Row } from '../state/rows';
import { type Activity, isLatestResumable, phaseOf } from '../state/select';
import { speakerIn, speakingNow } from '../state/standing';
import { type App, useApp, useView } from '../state/store';
import { type CallBody, CallCard } from '../widgets/call-card';
import { Calls } from '../widgets/calls';
import { HookResult } from '../widgets/hook';
import { AssistantMessage, type MessageBody, UserMessage } from '../widgets/message';
import { Notice, type NoticeBody } from '../widgets/notice';
import type { QuestionBody } from '../widgets/props';
import { Receipt } from '../widgets/receipt';
import { isCallOf } from '../widgets/tool';
import { BrokenItem } from './broken-item';
import { Completed } from './completed';
import { DecisionRow } from './decision-row';
import { RetryLine } from './retry-line';
import { StepRow } from './step-row';
import { SubagentRow } from './subagent-row';
import { useUnfolding } from './unfolding';
import './activity.css';

function AssistantRow({ item, body, headed }: { item: Item; body: MessageBody; headed: boolean }) {
  const agent = useView((v) =>
    // What is being written has no author yet: it is whoever speaks now.
    speakerIn(v, body.agent ?? (body.streaming ? speakingNow(v) : undefined)),
  );
  return <AssistantMessage body={body} at={item.at} agent={agent} headed={headed} />;
}

/** A person's words: they can be changed and said again where they were said. */
function UserRow({ item, body }: { item: Item; body: MessageBody }) {
  const app = useApp();
  const rests = useView((v) => {
    const phase = phaseOf(v.conversation);
    const { run, talk } = v.conversation.status ?? {};
    const isOfRun = v.task === null && !!run && !talk;
    return isOfRun && phase !== null && phase !== 'running';
  });
  const again = () => void sayAgain(app, item.id, body.text);
  return (
    <UserMessage
      text={body.text}
      files={body.files}
      at={item.at}
      onAgain={rests ? again : undefined}
    />
  );
}

/** What of a question stands in the conversation; it is answered in its dock. */
function QuestionRow({ item, body, found }: { item: Item; body: QuestionBody; found: boolean }) {
  const { store } = useApp();
  const unfolding = useUnfolding(item, found);
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

interface CallRowProps {
  item: Item;
  call: CallBody;
  /** It is what one wants to see where it stands. */
  open?: boolean;
  /** Somebody looks for it among others: it is led to. */
  found?: boolean;
}

function CallRow({ item, call, open = false, found = false }: CallRowProps) {
  const { unfolded, onUnfold } = useUnfolding(item, found);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (found) box.current?.scrollIntoView({ block: 'center' });
  }, [found]);
  return (
    <div ref={box}>
      <CallCard call={call} unfolded={unfolded || open} onUnfold={onUnfold} />
    </div>
  );
}

interface CallsRowProps {
  items: readonly CallItem[];
  /** The one that somebody looks for. */
  found: string | null;
}

/** Calls that changed nothing, in one line; one of them that is looked for is open. */
function CallsRow({ items, found }: CallsRowProps) {
  const [first] = items;
  const app = useApp();
  const key = `${useView((v) => v.conversationId)}/${first?.id}/all`;
  return (
    <Calls
      key={found}
      calls={items.map(({ body }) => body)}
      unfolded={found !== null || app.unfolded.has(key)}
      onUnfold={(open) => void (open ? app.unfolded.add(key) : app.unfolded.delete(key))}
    >
      {items.map((item) => (
        <Boundary key={item.id} of={item} instead={() => <BrokenItem body={item.body} />}>
          <CallRow
            item={item}
            call={item.body}
            open={items.length === 1}
            found={item.id === found}
          />
        </Boundary>
      ))}
    </Calls>
  );
}

/** Makes the conversation shorter for its model and goes on. */
async function goOnShorter(app: App, how: 'hard' | 'afresh') {
  const done = how === 'hard' ? await compact(app, true) : await startAfresh(app);
  if (done) await resume(app);
}

function NoticeRow({ item, body }: { item: Item; body: NoticeBody }) {
  const app = useApp();
  // A run that is complete again goes nowhere from there.
  const isOver = useView((v) => phaseOf(v.conversation) === 'completed');
  const isLatest = useView((v) => body.canResume && isLatestResumable(v.conversation, item.id));
  const resumable = isLatest && !(isOver && body.kind === 'went_back');
  const busy = useView((v) => v.busy.has('resume') || v.busy.has('compact'));
  const ofTask = useView((v) => v.task !== null);
  const canUndo = useView((v) => body.kind === 'went_back' && canUndoAt(v, item.id));
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
      onUndo={canUndo ? () => askToUndo(app) : undefined}
    />
  );
}

/** A notice; where a run is complete, what it did. */
function NoticeOrEnd({ item, body }: { item: Item; body: NoticeBody }) {
  const ofTask = useView((v) => v.task !== null);
  if (body.kind === 'completed' && !ofTask) return <Completed item={item} />;
  return <NoticeRow item={item} body={body} />;
}

interface ItemRowProps {
  item: Item;
  headed: boolean;
  /** Somebody looks for it: it is open. */
  found?: boolean;
}

/** Rendered again only when one of the calls changes. */
const QuietCalls = memo(
  CallsRow,
  (a, b) =>
    a.found === b.found &&
    a.items.length === b.items.length &&
    a.items.every((item, at) => item === b.items[at]),
);

/** One row of the conversation, and the item in it that somebody looks for. */
export function RowView({ row, found }: { row: Row; found: string | null }) {
  if (row.kind === 'item') {
    const { item, headed } = row;
    return <ItemRow key={found} item={item} headed={headed} found={found !== null} />;
  }
  if (row.kind === 'calls') return <QuietCalls items={row.items} found={found} />;
  return (
    <Boundary of={row} instead={() => <BrokenItem body={row.item.body} />}>
      <StepRow row={row} />
    </Boundary>
  );
}

/** One item. Rendered again only when it, or its place below another speaker, changes, or it is found. */
export const ItemRow = memo(({ item, headed, found = false }: ItemRowProps) => (
  <Boundary of={item} instead={() => <BrokenItem body={item.body} />}>
    <Body item={item} headed={headed} found={found} />
  </Boundary>
));

function Body({ item, headed, found }: Required<ItemRowProps>) {
  const { body } = item;
  switch (body.type) {
    case 'message':
      return body.by === 'user' ? (
        <UserRow item={item} body={body} />
      ) : (
        <AssistantRow item={item} body={body} headed={headed} />
      );
    case 'call':
      return isCallOf(body.tool, 'agent.spawn') ? (
        <SubagentRow item={item} call={body} found={found} />
      ) : (
        <CallRow item={item} call={body} found={found} />
      );
    case 'step':
      return null;
    case 'question':
      return <QuestionRow item={item} body={body} found={found} />;
    case 'decision':
      return <DecisionRow item={item} body={body} />;
    case 'hook':
      return <HookResult body={body} />;
    case 'notice':
      return <NoticeOrEnd item={item} body={body} />;
  }
}

/** Which sub-agents work: the one by its name, several by their number. */
function useAtWork(agents: readonly string[]): string {
  const { t, number } = useWords();
  const [only] = agents;
  const agent = useView((v) => speakerIn(v, only));
  return only !== undefined && agents.length === 1
    ? t('conversation.subagent', { name: agent?.name ?? only })
    : t('conversation.subagents', { count: number(agents.length) });
}

/** How far a server is, as it says. */
function Progress({ of: { percent, message } }: { of: ServerProgress }) {
  return (
    <span className="progress" data-testid="progress">
      {percent !== undefined && (
        <>
          <progress max={100} value={percent} aria-hidden />
          <span>{percent}%</span>
        </>
      )}
      {message && <Name text={message} />}
    </span>
  );
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
      {activity.kind === 'tool' && t('conversation.tool', { tool: wordsOfTool(activity.tool) })}
      {activity.kind === 'tool' && activity.progress && <Progress of={activity.progress} />}
      {activity.kind === 'hook' && t('conversation.hook', { names: activity.names })}
      {activity.kind === 'subagents' && atWork}
      {activity.kind === 'thinking' && t('conversation.thinking')}
    </p>
  );
}
