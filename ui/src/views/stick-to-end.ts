import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** How far from the end, in pixels, still counts as reading the end. */
const NEAR = 50;

/** How far the end is below what is in sight, in pixels. */
const below = (box: HTMLElement) => box.scrollHeight - box.clientHeight - box.scrollTop;

/**
 * Keeps a list at its end while the person reads the end. Scrolling up further than that lets go;
 * coming back takes hold again. `size` is whatever changes when the list or its window grows.
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, size: string) {
  const stick = useRef(true);
  const before = useRef(0);
  const [atEnd, setAtEnd] = useState(true);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const near = below(box) <= NEAR;
    const moved = Math.abs(box.scrollTop - before.current) > 1;
    // Text that grows below moves the end away without anybody scrolling: that does not let go.
    if (near) stick.current = true;
    else if (moved && box.scrollTop < before.current) stick.current = false;
    before.current = box.scrollTop;
    setAtEnd(near || stick.current);
  }, [scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the size changes, and only then
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (!stick.current) {
      setAtEnd(below(box) <= NEAR);
      return;
    }
    box.scrollTop = box.scrollHeight;
    before.current = box.scrollTop;
  }, [size, scroller]);

  const toEnd = useCallback(() => {
    stick.current = true;
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
    setAtEnd(true);
  }, [scroller]);

  /** Somebody leads elsewhere: what grows below does not lead back. */
  const letGo = useCallback(() => {
    stick.current = false;
    setAtEnd(false);
    // Where nothing had to scroll for it, the end is still in sight.
    requestAnimationFrame(() => {
      const box = scroller.current;
      if (box && !stick.current) setAtEnd(below(box) <= NEAR);
    });
  }, [scroller]);

  return { atEnd, onScroll, toEnd, letGo };
}
