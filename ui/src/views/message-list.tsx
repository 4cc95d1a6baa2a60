import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, MessagesSquare } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Empty } from '../kit/empty';
import { focusHome } from '../kit/focus';
import { showEarlier } from '../state/actions';
import { type Row, type Rows, rowsOf, shows } from '../state/rows';
import { activityOf, isAtWork } from '../state/select';
import { useApp, useView } from '../state/store';
import { UserMessage } from '../widgets/message';
import { ActivityLine, RowView } from './message-row';
import { useStickToEnd } from './stick-to-end';

/** What a row is, for its style. */
const kindOf = (row: Row | undefined) =>
  row?.kind === 'item' ? row.item.body.type : (row?.kind ?? 'extra');

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

/** About how high a row is, in pixels, as long as nobody opens it. */
function heightOf(row: Row | undefined): number {
  if (row?.kind === 'step') return row.open ? 40 : 62;
  if (row?.kind === 'calls') return 30;
  return row && (row.item.body.type === 'call' || row.item.body.type === 'question') ? 38 : 96;
}

/** The rows in and near sight, of `rows` and one more for what is not an item yet. */
function useVisible(rows: readonly Row[], earlier: number | null, extra: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length + (extra ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: (at) => heightOf(rows[at]),
    getItemKey: useCallback((at: number) => rows[at]?.id ?? 'extra', [rows]),
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
function useJump({ placeOf }: Rows, go: (at: number) => void): string | null {
  const app = useApp();
  const { store } = app;
  const jump = useView((v) => v.jump);
  const jumpSeq = useView((v) => v.jumpSeq);
  const earlier = useView((v) => v.conversation.earlier);
  const [found, setFound] = useState<string | null>(null);
  useEffect(() => {
    if (jump === null) return;
    const place = placeOf(jump);
    if (place === undefined) {
      // It stands in an earlier page: they are read one by one.
      if (earlier !== null && jumpSeq < earlier) void showEarlier(app);
      return;
    }
    if (place.within !== null) {
      const openSteps = new Set(store.getState().openSteps).add(place.within);
      store.setState({ openSteps });
      return;
    }
    go(place.at);
    setFound(jump);
    store.setState({ jump: null });
  }, [jump, jumpSeq, placeOf, earlier, go, app, store]);
  return found;
}

/** A step that ends while somebody reads further up, or has the focus in it, stays open. */
function useStaysOpen(rows: readonly Row[], isRead: () => boolean) {
  const { store } = useApp();
  const last = rows.findLast((row) => row.kind === 'step')?.id;
  const before = useRef(last);
  useLayoutEffect(() => {
    const [ended, at] = [before.current, rows.findIndex((row) => row.id === before.current)];
    before.current = last;
    if (ended === undefined || ended === last || at < 0 || !isRead()) return;
    store.setState({ openSteps: new Set(store.getState().openSteps).add(ended) });
  }, [rows, last, isRead, store]);
}

/** What was said and done. Only what is near the window's part of it is in the document. */
export function MessageList() {
  const app = useApp();
  const { t } = useWords();
  const conversation = useView((v) => v.conversation);
  const echo = useView((v) => v.echo);
  const { items, status, earlier } = conversation;
  const opened = useView((v) => v.openSteps);
  const known = useMemo(() => rowsOf(items, opened), [items, opened]);
  const { rows } = known;
  const atWork = useView(isAtWork);
  const activity = echo === null ? activityOf(conversation, atWork) : null;
  const extra = echo !== null || activity !== null;
  const list = useVisible(rows, earlier, extra);
  const { scroller, virtual, total, atEnd, onScroll, toEnd, letGo } = list;
  const show = useCallback(
    (at: number) => {
      letGo();
      virtual.scrollToIndex(at, { align: 'center' });
    },
    [letGo, virtual],
  );
  const found = useJump(known, show);
  const isRead = useCallback(() => {
    const box = scroller.current;
    const has = document.activeElement;
    return !atEnd || (box !== has && box?.contains(has) === true);
  }, [atEnd, scroller]);
  useStaysOpen(rows, isRead);

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
          {virtual.getVirtualItems().map((at) => {
            const row = rows[at.index];
            return (
              <div
                key={at.key}
                ref={virtual.measureElement}
                data-index={at.index}
                data-kind={kindOf(row)}
                data-found={row && shows(row, found) ? 'true' : undefined}
                className="list-row"
                style={{ transform: `translateY(${at.start}px)` }}
              >
                {row && <RowView row={row} found={shows(row, found) ? found : null} />}
                {!row && echo !== null && <UserMessage text={echo} sending />}
                {!row && activity && <ActivityLine activity={activity} />}
              </div>
            );
          })}
        </div>
      </div>
      {!atEnd && <Jump toEnd={toEnd} />}
    </div>
  );
}
