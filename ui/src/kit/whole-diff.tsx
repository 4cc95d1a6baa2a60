import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { mostSigns } from '../i18n/visible';
import { DiffCells, widthOfNumbers } from './diff';
import { type DiffRow, type DiffSource, rowsOf } from './diff-lines';

/** How high a line is and how wide a character, in pixels; the style sheet says the same. */
function sizes() {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return { line: 1.25 * rem, character: 0.45 * rem };
}

/** Wider than any line, where nobody knows how wide it is. */
const MOST = 1e6;

/** Characters that a sign takes, about. */
const SIGN_LENGTH = 8;
/** Characters for which there would be room beside a line, where its number is. */
const BESIDE = 10;

/** How high a row is before it is drawn. A guess far from it would move the end while one goes there. */
function guess(row: DiffRow, width: number, { line, character }: ReturnType<typeof sizes>): number {
  const perLine = Math.max(1, Math.floor(width / row.length / character) - BESIDE);
  const lines = row.map((it) => {
    const text = it?.text ?? '';
    return Math.ceil((text.length + mostSigns(text) * (SIGN_LENGTH - 1)) / perLine);
  });
  return line * Math.max(1, ...lines);
}

interface Props extends DiffSource {
  label: string;
  /** What scrolls it. */
  scroller: RefObject<HTMLElement | null>;
  /** Its last row was in sight. */
  onEnd: () => void;
}

/** Whoever went to the end stays there while its rows turn out higher than they were guessed. */
function useStayAtEnd(scroller: Props['scroller'], isAtEnd: boolean, total: number) {
  const before = useRef({ isAtEnd, total });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && before.current.isAtEnd && before.current.total < total) {
      box.scrollTop = box.scrollHeight;
    }
    before.current = { isAtEnd, total };
  }, [scroller, isAtEnd, total]);
}

/** The key leads to the last row, and not to where the end was guessed when it was pressed. */
function useEndKey(scroller: Props['scroller'], toEnd: () => void) {
  const go = useRef(toEnd);
  go.current = toEnd;
  useEffect(() => {
    const box = scroller.current;
    const keys = (event: KeyboardEvent) => {
      if (event.key !== 'End' || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go.current();
    };
    box?.addEventListener('keydown', keys);
    return () => box?.removeEventListener('keydown', keys);
  }, [scroller]);
}

/** A unified diff of which only what is in sight is in the document. */
export function WholeDiff({ diff, asIs, split, label, scroller, onEnd }: Props) {
  const box = useRef<HTMLElement>(null);
  const [above, setAbove] = useState(0);
  const rows = useMemo(() => rowsOf({ diff, asIs, split }), [diff, asIs, split]);
  const inPixels = useMemo(sizes, []);
  const width = useMemo(() => widthOfNumbers(rows), [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => guess(rows[at] ?? [], scroller.current?.clientWidth || MOST, inPixels),
    overscan: 10,
    scrollMargin: above,
  });
  // What is above does not move what is read.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useLayoutEffect(() => {
    const [list, view] = [box.current, scroller.current];
    if (!list || !view) return;
    const top = list.getBoundingClientRect().top - view.getBoundingClientRect().top;
    setAbove(top + view.scrollTop);
  }, [scroller]);
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1);
  const bottom = (virtual.scrollOffset ?? 0) + (virtual.scrollRect?.height ?? 0);
  const isAtEnd = last !== undefined && last.index === rows.length - 1 && last.end <= bottom + 1;
  const total = virtual.getTotalSize();
  useStayAtEnd(scroller, isAtEnd, total);
  useEndKey(scroller, () => virtual.scrollToIndex(rows.length - 1, { align: 'end' }));
  // Rows have their heights only when they are drawn: until then the end is where it is guessed.
  useEffect(() => {
    if (!isAtEnd) return;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(onEnd);
    });
    return () => cancelAnimationFrame(frame);
  }, [isAtEnd, onEnd]);
  return (
    <section ref={box} className="diff whole" aria-label={label} data-testid="whole-diff">
      <div style={{ height: total }}>
        {shown.map((at) => {
          const row = rows[at.index];
          if (!row) return null;
          return (
            <div
              key={at.key}
              ref={virtual.measureElement}
              data-index={at.index}
              className="diff-row"
              style={{ transform: `translateY(${at.start - above}px)` }}
            >
              <DiffCells row={row} width={width} />
            </div>
          );
        })}
      </div>
    </section>
  );
}
