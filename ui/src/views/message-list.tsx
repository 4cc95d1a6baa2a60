import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, MessagesSquare } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Item } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Empty } from '../kit/empty';
import { focusHome } from '../kit/focus';
import { showEarlier } from '../state/actions';
import type { Conversation } from '../state/reduce';
import { activityOf, isAtWork } from '../state/select';
import { useApp, useView } from '../state/store';
import { UserMessage } from '../widgets/message';
import { ActivityLine, Row } from './message-row';
import { useStickToEnd } from './stick-to-end';

/** True when the speaker's name belongs above this message: somebody else spoke before. */
function isHeaded(items: readonly Item[], at: number): boolean {
  const body = items[at]?.body;
  if (body?.type !== 'message' || body.by === 'user') return false;
  for (let i = at - 1; i >= 0; i--) {
    const before = items[i]?.body;
    if (before?.type === 'message') return before.by === 'user' || before.agent !== body.agent;
    // The runtime has spoken in between.
    if (before?.type === 'question' || before?.type === 'decision') return true;
  }
  return true;
}

/** Leads to the end while that is out of sight. */
function Jump({ toEnd }: { toEnd: () => void }) {
  const { t } = useWords();
  return (
    <div className="jumps">
      <Button size="s" icon={ArrowDown} data-testid="jump-latest" onClick={toEnd}>
        {t('conversation.latest')}
      </Button>
    </div>
  );
}

/** How near the top, in pixels, the page before is asked for. */
const NEAR_TOP = 400;

/** Shows the page before what is shown. Scrolling up there does the same. */
function Earlier({ onShown }: { onShown: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const busy = useView((v) => v.busy.has('showEarlier'));
  return (
    <div className="list-earlier">
      <Button
        size="s"
        icon={ArrowUp}
        busy={busy}
        aria-disabled={busy}
        data-testid="show-earlier"
        onClick={() => void showEarlier(app).then(onShown)}
      >
        {t(busy ? 'conversation.earlier.loading' : 'conversation.earlier')}
      </Button>
    </div>
  );
}

/** Kinds of items that are one line as long as nobody opens them. */
const LINES: ReadonlySet<string> = new Set<Item['body']['type']>(['call', 'question']);

/** The rows in and near sight, of `items` and one more for what is not an item yet. */
function useRows({ items, earlier }: Conversation, extra: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length + (extra ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (LINES.has(items[at]?.body.type ?? '') ? 38 : 96),
    getItemKey: useCallback((at: number) => items[at]?.id ?? 'extra', [items]),
    overscan: 8,
    paddingStart: earlier !== null ? 56 : 20,
    // What comes in front does not move what is read.
    anchorTo: 'end',
    paddingEnd: 20,
  });
  const total = virtual.getTotalSize();
  const end = useStickToEnd(scroller, `${total}/${virtual.scrollRect?.height ?? 0}`);
  return { scroller, virtual, total, ...end };
}

/** Brings the item a search has found into sight, once; its id, while it is the one to look at. */
function useJump(at: number | undefined, go: (at: number) => void): string | null {
  const app = useApp();
  const { store } = app;
  const jump = useView((v) => v.jump);
  const jumpSeq = useView((v) => v.jumpSeq);
  const earlier = useView((v) => v.conversation.earlier);
  const [found, setFound] = useState<string | null>(null);
  useEffect(() => {
    if (jump === null) return;
    if (at === undefined) {
      // It stands in an earlier page: they are read one by one.
      if (earlier !== null && jumpSeq < earlier) void showEarlier(app);
      return;
    }
    go(at);
    setFound(jump);
    store.setState({ jump: null });
  }, [jump, jumpSeq, at, earlier, go, app, store]);
  return found;
}

/** What was said and done. Only what is near the window's part of it is in the document. */
export function MessageList() {
  const app = useApp();
  const { t } = useWords();
  const conversation = useView((v) => v.conversation);
  const echo = useView((v) => v.echo);
  const { items, status, earlier } = conversation;
  const atWork = useView(isAtWork);
  const activity = echo === null ? activityOf(conversation, atWork) : null;
  const extra = echo !== null || activity !== null;
  const rows = useRows(conversation, extra);
  const { scroller, virtual, total, atEnd, onScroll, toEnd, letGo } = rows;
  const jump = useView((v) => v.jump);
  const show = useCallback(
    (at: number) => {
      letGo();
      virtual.scrollToIndex(at, { align: 'center' });
    },
    [letGo, virtual],
  );
  const found = useJump(conversation.index.get(jump ?? ''), show);

  const scrolled = () => {
    onScroll();
    const box = scroller.current;
    // A list that fits is at its top without anybody having scrolled there.
    const canScroll = box !== null && box.scrollHeight > box.clientHeight + NEAR_TOP;
    if (earlier !== null && canScroll && box.scrollTop < NEAR_TOP) void showEarlier(app);
  };

  // With the first page the button goes; who pressed it stays in the list.
  const keepFocus = () => {
    if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  };

  // Nothing is written in a list: what is typed there is meant for where one writes.
  const typed = (event: React.KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (target !== scroller.current || ctrlKey || metaKey || altKey) return;
    if ([...key].length === 1 && key !== ' ') focusHome()?.focus({ preventScroll: true });
  };

  if (!status) return <p className="conversation-loading">{t('conversation.loading')}</p>;
  return (
    <div className="list-frame">
      <div
        className="list"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
        tabIndex={0}
        onScroll={scrolled}
        onKeyDown={typed}
        role="log"
        aria-live="off"
        aria-label={t('conversation.label')}
      >
        {items.length === 0 && !extra && (
          <Empty icon={MessagesSquare} title={t('conversation.empty')} />
        )}
        <div className="list-sizer" style={{ height: total }}>
          {earlier !== null && <Earlier onShown={keepFocus} />}
          {virtual.getVirtualItems().map((row) => {
            const item = items[row.index];
            return (
              <div
                key={row.key}
                ref={virtual.measureElement}
                data-index={row.index}
                data-kind={item?.body.type ?? 'extra'}
                data-found={item && item.id === found ? 'true' : undefined}
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
      {!atEnd && <Jump toEnd={toEnd} />}
    </div>
  );
}
