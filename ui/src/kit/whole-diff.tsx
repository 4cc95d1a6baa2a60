import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { slices } from '../i18n/visible';
import { type DiffLine, parseDiff, SIGN } from './diff';
import { Name } from './name';

/** The longest text of a row. A line may have millions of characters: it takes several rows. */
export const ROW = 2000;

/** The rows of a line. Only the first has its number and sign. */
export function rowsOf(line: DiffLine): DiffLine[] {
  if (line.text.length <= ROW) return [line];
  return slices(line.text, ROW).map((text, at) =>
    at === 0 ? { ...line, text } : { ...line, text, no: null, goesOn: true },
  );
}

/** The height of a row that is not wrapped, in pixels; the style sheet says the same. */
const rowHeight = () =>
  1.25 * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);

interface Props {
  /** A unified diff of any length. */
  diff: string;
  label: string;
  /** What scrolls it. */
  scroller: RefObject<HTMLElement | null>;
  /** Its last row was in sight. */
  onEnd: () => void;
}

/** A unified diff of which only what is in sight is in the document. */
export function WholeDiff({ diff, label, scroller, onEnd }: Props) {
  const box = useRef<HTMLElement>(null);
  const [above, setAbove] = useState(0);
  const rows = useMemo(() => parseDiff(diff).flatMap(rowsOf), [diff]);
  const digits = useMemo(
    () => String(rows.reduce((n, row) => Math.max(n, row.no ?? 0), 0)),
    [rows],
  );
  const height = useMemo(rowHeight, []);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 20,
    scrollMargin: above,
  });
  // Whoever scrolls to the end is on the way there: rows that turn out higher must not stop that.
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
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  return (
    <section ref={box} className="diff whole" aria-label={label} data-testid="whole-diff">
      <div style={{ height: virtual.getTotalSize() }}>
        {shown.map((at) => {
          const row = rows[at.index];
          if (!row) return null;
          return (
            <div
              key={at.key}
              ref={virtual.measureElement}
              data-index={at.index}
              data-line={row.kind}
              className="diff-row"
              style={{ transform: `translateY(${at.start - above}px)` }}
            >
              {row.kind !== 'hunk' && (
                <>
                  <span className="no" style={{ width: `calc(${digits.length}ch + 16px)` }}>
                    {row.no}
                  </span>
                  <span className="sign">{row.goesOn ? '' : SIGN[row.kind]}</span>
                </>
              )}
              <span className="text">{row.text ? <Name text={row.text} /> : ' '}</span>
            </div>
          );
        })}
      </div>
    </section>
  );
}
