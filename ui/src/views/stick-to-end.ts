import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** How far from the end, in pixels, still counts as reading the end. */
const NEAR = 50;

/** The question that waits, and where its row begins. */
export interface Waiting {
  id: string;
  top: number;
}

/**
 * Keeps a list at its end while the person reads the end. Scrolling up further than that lets go;
 * coming back takes hold again. `size` is whatever changes when the list or its window grows.
 * Of a question that is taller than the window the beginning is shown, not the end, until the
 * person scrolls: what is asked comes before what answers it.
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  size: string,
  waiting: Waiting | null = null,
) {
  const stick = useRef(true);
  const before = useRef(0);
  /** The question whose beginning is shown, and whether the person has scrolled since. */
  const asked = useRef<{ id: string | null; scrolled: boolean }>({ id: null, scrolled: false });
  const [atEnd, setAtEnd] = useState(true);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const near = box.scrollHeight - box.clientHeight - box.scrollTop <= NEAR;
    const led = asked.current.id !== null && !asked.current.scrolled;
    const moved = Math.abs(box.scrollTop - before.current) > 1;
    // Text that grows below moves the end away without anybody scrolling: that does not let go.
    if (near) stick.current = true;
    else if (moved && (led || box.scrollTop < before.current)) stick.current = false;
    if (moved) asked.current.scrolled = true;
    before.current = box.scrollTop;
    setAtEnd(near || stick.current);
  }, [scroller]);

  const id = waiting?.id ?? null;
  const top = waiting?.top ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the size changes, and only then
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !stick.current) return;
    if (asked.current.id !== id) asked.current = { id, scrolled: false };
    const led = id !== null && !asked.current.scrolled;
    box.scrollTop = led ? Math.min(top, box.scrollHeight) : box.scrollHeight;
    before.current = box.scrollTop;
  }, [size, id, top, scroller]);

  const toEnd = useCallback(() => {
    stick.current = true;
    asked.current.scrolled = true;
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
    setAtEnd(true);
  }, [scroller]);

  /** Somebody leads elsewhere: what grows below does not lead back. */
  const letGo = useCallback(() => {
    stick.current = false;
    setAtEnd(false);
  }, []);

  return { atEnd, onScroll, toEnd, letGo };
}
