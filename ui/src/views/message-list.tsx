import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, MessagesSquare } from 'lucide-react';
import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Empty } from '../kit/empty';
import { focusHome } from '../kit/focus';
import { showEarlier } from '../state/opening';
import { type Row, type Rows, rowsOf, shows } from '../state/rows';
import { activityOf, isAtWork } from '../state/select';
import { useApp, useView } from '../state/store';
import { UserMessage } from '../widgets/message';
import { ActivityLine, RowView } from './message-row';
import { readOn, useReadAt } from './read-on';
import { drawn, heightOf } from './rows-drawn';
import { SectionInSight } from './section-in-sight';
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

/** How much of the list's top the title of the step covers, in pixels. */
const TITLE = 34;

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

/** How large a list is drawn. */
export interface ListSize {
  width: number;
  height: number;
}

/** Whether what is there was painted once. */
function usePainted(isThere: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    if (!isThere) return;
    let timer: ReturnType<typeof setTimeout>;
    // A frame is painted right after what is done for it.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isThere]);
  return isPainted;
}

/** Pixels that are drawn ahead at first: how high rows are is only thought until they are drawn, and
 * one that turns out to be missing takes longer than one too many. */
const FIRST_AHEAD = 120;

/** How many pixels are drawn ahead. What is in sight comes first, and what is next to it as soon as
 * that can be seen. */
function useAhead(isThere: boolean): number | undefined {
  const isPainted = usePainted(isThere);
  const isDrawn = useRef(false);
  useLayoutEffect(() => {
    isDrawn.current = isThere;
  });
  if (isPainted) return undefined;
  return isDrawn.current ? 0 : FIRST_AHEAD;
}

/** The rows in and near sight, of `rows` and one more for what is not an item yet. */
function useVisible(
  rows: readonly Row[],
  earlier: number | null,
  extra: boolean,
  size: RefObject<ListSize>,
) {
  const { store } = useApp();
  const scroller = useRef<HTMLDivElement>(null);
  const ahead = useAhead(rows.length > 0);
  const paddingStart = earlier !== null ? 56 : 20;
  const virtual = useVirtualizer({
    count: rows.length + (extra ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: (at) => heightOf(rows[at]),
    getItemKey: useCallback((at: number) => rows[at]?.id ?? 'extra', [rows]),
    rangeExtractor: (range) => drawn(range, (at) => heightOf(rows[at]), ahead),
    paddingStart,
    // As large as the one before it, so that the first thing drawn has rows.
    initialRect: size.current,
    // It begins where it ends, unless it leads elsewhere: its beginning would be drawn for nobody.
    initialOffset: () => {
      if (store.getState().jump !== null) return 0;
      const high = rows.reduce((sum, row) => sum + heightOf(row), paddingStart);
      return Math.max(0, high - size.current.height);
    },
    // What comes in front does not move what is read.
    anchorTo: 'end',
    paddingEnd: 20,
    scrollPaddingStart: TITLE,
  });
  const total = virtual.getTotalSize();
  useLayoutEffect(() => {
    if (virtual.scrollRect) size.current = virtual.scrollRect;
  });
  const end = useStickToEnd(scroller, `${total}/${virtual.scrollRect?.height ?? 0}`);
  return { scroller, virtual, total, ...end };
}

/** Pages that are read back to where one read; further up nobody waits for it. */
const PAGES_BACK = 5;

/** Ways to bring a row into sight. */
interface Ways {
  /** To one that somebody looks for. */
  seek: (at: number) => void;
  /** To the place at which somebody reads on, which is held until the list rests; the way to stop. */
  hold: (at: number, above: number, onOver: () => void) => () => void;
}

/** Brings an item into sight, once; the id of one that was looked for, while it is the one to look at. */
function useJump({ placeOf }: Rows, { seek, hold }: Ways): string | null {
  const app = useApp();
  const { store } = app;
  const jump = useView((v) => v.jump);
  const earlier = useView((v) => v.conversation.earlier);
  const isRead = useView((v) => v.conversation.items.length > 0);
  const isAhead = useView((v) => v.isAhead);
  const [found, setFound] = useState<string | null>(null);
  const pages = useRef(0);
  // Whoever says or does something looks for nothing any more.
  const done = useView((v) => `${v.acts} ${v.turns}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was done
  useEffect(() => setFound(null), [done]);
  useEffect(() => {
    if (jump === null || isAhead) return;
    const place = placeOf(jump.id);
    if (place === undefined) {
      const mayCome = earlier !== null && jump.seq < earlier;
      const isGivenUp = jump.why === 'read' && (!mayCome || pages.current === PAGES_BACK);
      // It stands in an earlier page: they are read one by one.
      if (isRead && isGivenUp) store.setState({ jump: null });
      else if (mayCome) {
        pages.current += 1;
        void showEarlier(app);
      }
      return;
    }
    if (place.within !== null) {
      const openSteps = new Set(store.getState().openSteps).add(place.within);
      store.setState({ openSteps });
      return;
    }
    // Until it is there, the place that is remembered is the one that is looked for.
    if (jump.why === 'read') {
      return hold(place.at, jump.above, () => {
        if (store.getState().jump === jump) store.setState({ jump: null });
      });
    }
    seek(place.at);
    setFound(jump.id);
    store.setState({ jump: null });
  }, [jump, placeOf, earlier, isRead, isAhead, seek, hold, app, store]);
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

/** Whoever has just done something is led to what comes of it. */
function useOwnActs(goToEnd: () => void) {
  const acts = useView((v) => v.acts);
  const seen = useRef(acts);
  useEffect(() => {
    if (seen.current === acts) return;
    seen.current = acts;
    goToEnd();
  }, [acts, goToEnd]);
}

interface ListProps {
  /** How large the list before this one was drawn; told as this one is drawn. */
  size: RefObject<ListSize>;
}

/** What was said and done. Only what is near the window's part of it is in the document. */
export function MessageList({ size }: ListProps) {
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
  const list = useVisible(rows, earlier, extra, size);
  const { scroller, virtual, total, atEnd, onScroll, toEnd, letGo } = list;
  const lead = useCallback(
    (at: number, align: 'center' | 'start') => {
      letGo();
      virtual.scrollToIndex(at, { align });
    },
    [letGo, virtual],
  );
  const seek = useCallback((at: number) => lead(at, 'center'), [lead]);
  const hold = useCallback<Ways['hold']>(
    (...place) => readOn({ virtual, scroller, letGo }, ...place),
    [virtual, scroller, letGo],
  );
  const found = useJump(known, { seek, hold });
  const first = virtual.range?.startIndex ?? 0;
  const above = useCallback(() => {
    const start = virtual.measurementsCache[first]?.start ?? 0;
    return Math.round((scroller.current?.scrollTop ?? 0) - start);
  }, [virtual, scroller, first]);
  useReadAt(rows[first], above, atEnd, virtual.isScrolling);
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

  // Whoever moves on by themselves is not led back to where they read before.
  const stay = () => {
    const { jump } = app.store.getState();
    if (jump?.why === 'read') app.store.setState({ jump: null });
  };

  const goToEnd = () => {
    stay();
    toEnd();
  };

  const toStep = (at: number) => {
    stay();
    lead(at, 'start');
  };

  useOwnActs(goToEnd);

  // Nothing is written in a list: what is typed there is meant for where one writes.
  const typed = (event: React.KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    stay();
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
        onWheel={stay}
        onPointerDown={stay}
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
      <SectionInSight rows={rows} first={first} onShow={toStep} />
      {!atEnd && <Jump toEnd={goToEnd} />}
    </div>
  );
}
