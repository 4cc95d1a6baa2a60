// Where one reads in a conversation: remembered whenever its list rests, and brought back when one
// comes back to it.
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';
import type { Row } from '../state/rows';
import { keepPlace } from '../state/session';
import { useApp, useView } from '../state/store';

/** The first item of a row. */
const itemOf = (row: Row | undefined) => (row?.kind === 'calls' ? row.items[0] : row?.item);

/** Remembers where one reads, whenever the list has come to rest. `above` says how far the beginning
 * of the row lies above what is in sight. */
export function useReadAt(
  first: Row | undefined,
  above: () => number,
  atEnd: boolean,
  moves: boolean,
) {
  const app = useApp();
  const conversationId = useView((v) => v.conversationId);
  const jumps = useView((v) => v.jump !== null);
  const item = itemOf(first);
  useEffect(() => {
    if (!conversationId || !item || moves || jumps) return;
    app.readAt.delete(conversationId);
    if (!atEnd) app.readAt.set(conversationId, { id: item.id, seq: item.seq, above: above() });
    keepPlace(app);
  }, [app, conversationId, item, above, atEnd, moves, jumps]);
}

/** The list that is read. */
interface ReadList {
  virtual: Virtualizer<HTMLDivElement, Element>;
  scroller: RefObject<HTMLDivElement | null>;
  /** Lets the list not follow its end any more. */
  letGo: () => void;
}

/** Frames in which nothing moved, after which the list rests. */
const CALM = 2;

/** Offsets that are nearer to each other than this, in pixels, count as one. */
const NEAR = 1.5;

/** Tells when a list is scrolled to where it is not meant to be. Returns the way to stop. */
function heed(box: HTMLElement, isMeant: () => boolean, onOther: () => void): () => void {
  const scrolled = () => isMeant() || onOther();
  // Before anybody else hears of it, who would take what is new for what was meant.
  box.addEventListener('scroll', scrolled, { capture: true, passive: true });
  return () => box.removeEventListener('scroll', scrolled, { capture: true });
}

/**
 * Brings the place that lies `above` pixels below the beginning of a row to the top, and holds it there
 * until the list rests: how high rows are is known when they are drawn, some of them later than others,
 * and each of them moves what is below it. Whoever scrolls by themselves ends it too. Returns the way
 * to stop; tells when it is over by itself.
 */
export function readOn(list: ReadList, at: number, above: number, onOver: () => void): () => void {
  const { virtual, scroller, letGo } = list;
  const box = scroller.current;
  if (!box) return () => undefined;
  let frame = 0;
  let calm = 0;
  let place = -1;
  const most = () => box.scrollHeight - box.clientHeight;
  // It is led to its place, moved by what is measured, and ends where there is nothing more below.
  const isMeant = () =>
    [place, virtual.scrollOffset ?? 0, most()].some((it) => Math.abs(box.scrollTop - it) < NEAR);
  const unheed = heed(box, isMeant, () => over());
  const stop = () => {
    cancelAnimationFrame(frame);
    unheed();
  };
  const over = () => {
    stop();
    onOver();
  };
  const next = () => {
    if (isMeant()) look();
    else over();
  };
  const look = () => {
    const before = place;
    // What was measured since is counted in when the whole is asked for.
    virtual.getTotalSize();
    const start = virtual.measurementsCache[at]?.start ?? 0;
    place = Math.max(0, Math.min(most(), start + above));
    if (Math.abs(box.scrollTop - place) >= 1) {
      letGo();
      virtual.scrollToOffset(place);
      calm = 0;
    } else calm = place === before && !virtual.isScrolling ? calm + 1 : 0;
    if (calm === CALM) over();
    else frame = requestAnimationFrame(next);
  };
  letGo();
  look();
  return stop;
}
