import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, CircleHelp, LoaderCircle, MessagesSquare } from 'lucide-react';
import { memo, useCallback, useRef } from 'react';
import type { Item } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Empty } from '../kit/empty';
import { FailureBox } from '../kit/failure';
import { answer, resume } from '../state/actions';
import { type Activity, activityOf, agentOf, isLatestResumable } from '../state/select';
import { useApp, useView } from '../state/store';
import { CallCard } from '../widgets/call-card';
import { AssistantMessage, type MessageBody, UserMessage } from '../widgets/message';
import { DecisionBlock, Notice, type NoticeBody } from '../widgets/notice';
import { Question, type QuestionBody } from '../widgets/question';
import { useStickToEnd } from './stick-to-end';

function AssistantRow({ item, body, headed }: { item: Item; body: MessageBody; headed: boolean }) {
  const agent = useView((v) =>
    agentOf(v.packages ?? [], v.conversation.status?.run?.packageId, body.agent),
  );
  return <AssistantMessage body={body} at={item.at} agent={agent} headed={headed} />;
}

function QuestionRow({ item, body }: { item: Item; body: QuestionBody }) {
  const app = useApp();
  const enabled = useView((v) => {
    const { status } = v.conversation;
    const waiting = status?.waitingWidget ?? item.id;
    return status?.run?.phase !== 'running' && waiting === item.id;
  });
  return (
    <Question body={body} enabled={enabled} onAnswer={(value) => answer(app, item.id, value)} />
  );
}

function NoticeRow({ item, body }: { item: Item; body: NoticeBody }) {
  const app = useApp();
  const resumable = useView((v) => body.canResume && isLatestResumable(v.conversation, item.id));
  const busy = useView((v) => v.busy.has('resume'));
  return <Notice body={body} resumable={resumable} busy={busy} onResume={() => void resume(app)} />;
}

/** One item. Rendered again only when it, or its place below another speaker, changes. */
const Row = memo(({ item, headed }: { item: Item; headed: boolean }) => {
  const { body } = item;
  switch (body.type) {
    case 'message':
      return body.by === 'user' ? (
        <UserMessage text={body.text} at={item.at} />
      ) : (
        <AssistantRow item={item} body={body} headed={headed} />
      );
    case 'call':
      return <CallCard call={body} />;
    case 'question':
      return <QuestionRow item={item} body={body} />;
    case 'decision':
      return <DecisionBlock body={body} />;
    case 'notice':
      return <NoticeRow item={item} body={body} />;
  }
});

/** True when the speaker's name belongs above this message: somebody else spoke before. */
function isHeaded(items: readonly Item[], at: number): boolean {
  const body = items[at]?.body;
  if (body?.type !== 'message' || body.by === 'user') return false;
  for (let i = at - 1; i >= 0; i--) {
    const before = items[i]?.body;
    if (before?.type === 'message') return before.by === 'user' || before.agent !== body.agent;
    if (before?.type === 'question') return true;
  }
  return true;
}

function ActivityLine({ activity }: { activity: Activity }) {
  const { t } = useWords();
  if (activity.kind === 'retry') {
    const { failure, attempt, inMs } = activity.retry;
    return (
      <FailureBox failure={failure}>
        <span className="hint">
          {t('conversation.retrying', { attempt, seconds: Math.max(1, Math.round(inMs / 1000)) })}
        </span>
      </FailureBox>
    );
  }
  return (
    <p className="activity" data-testid="activity">
      <LoaderCircle size={14} className="spin" aria-hidden />
      {activity.kind === 'tool'
        ? t('conversation.tool', { tool: activity.tool })
        : t('conversation.thinking')}
    </p>
  );
}

/** What was said and done. Only what is near the window's part of it is in the document. */
export function MessageList() {
  const { t } = useWords();
  const conversation = useView((v) => v.conversation);
  const echo = useView((v) => v.echo);
  const scroller = useRef<HTMLDivElement>(null);
  const { items, status } = conversation;
  const activity = echo ? null : activityOf(conversation);
  const extra = echo !== null ? 'echo' : activity ? 'activity' : null;
  const count = items.length + (extra ? 1 : 0);

  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (items[at]?.body.type === 'call' ? 38 : 96),
    getItemKey: useCallback((at: number) => items[at]?.id ?? 'extra', [items]),
    overscan: 8,
    paddingStart: 20,
    paddingEnd: 20,
  });
  const total = virtual.getTotalSize();
  const { atEnd, onScroll, toEnd } = useStickToEnd(
    scroller,
    `${total}/${virtual.scrollRect?.height ?? 0}`,
  );

  const waiting = status?.waitingWidget;
  const waitingAt = waiting ? conversation.index.get(waiting) : undefined;
  const rows = virtual.getVirtualItems();
  const waitingInView = rows.some((row) => row.index === waitingAt);

  if (!status) return <p className="conversation-loading">{t('conversation.loading')}</p>;
  return (
    <div className="list-frame">
      <div
        className="list"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
        tabIndex={0}
        onScroll={onScroll}
        role="log"
        aria-live="off"
        aria-label={t('conversation.label')}
      >
        {count === 0 && <Empty icon={MessagesSquare} title={t('conversation.empty')} />}
        <div className="list-sizer" style={{ height: total }}>
          {rows.map((row) => {
            const item = items[row.index];
            return (
              <div
                key={row.key}
                ref={virtual.measureElement}
                data-index={row.index}
                data-kind={item?.body.type ?? 'extra'}
                className="list-row"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                {item && <Row item={item} headed={isHeaded(items, row.index)} />}
                {!item && echo !== null && <UserMessage text={echo} sending />}
                {!item && activity && <ActivityLine activity={activity} />}
              </div>
            );
          })}
        </div>
      </div>
      <div className="jumps">
        {waitingAt !== undefined && !waitingInView && (
          <Button
            size="s"
            icon={CircleHelp}
            data-testid="jump-waiting"
            onClick={() => virtual.scrollToIndex(waitingAt, { align: 'center' })}
          >
            {t('conversation.waiting')}
          </Button>
        )}
        {!atEnd && (
          <Button size="s" icon={ArrowDown} data-testid="jump-latest" onClick={toEnd}>
            {t('conversation.latest')}
          </Button>
        )}
      </div>
    </div>
  );
}
