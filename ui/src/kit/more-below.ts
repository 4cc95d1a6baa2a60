import { type RefObject, useEffect } from 'react';

/**
 * Marks what scrolls with `data-more` while there is more of it below what is in sight, so that it can
 * look like that.
 */
export function useMoreBelow(box: RefObject<HTMLElement | null>) {
  // After each drawing: what is in it may be another thing.
  useEffect(() => {
    const it = box.current;
    if (!it) return;
    const mark = () => {
      const below = it.scrollHeight - it.clientHeight - it.scrollTop;
      it.toggleAttribute('data-more', below > 4);
    };
    const sizes = new ResizeObserver(mark);
    for (const part of [it, ...it.children]) sizes.observe(part);
    it.addEventListener('scroll', mark, { passive: true });
    return () => {
      sizes.disconnect();
      it.removeEventListener('scroll', mark);
    };
  });
}
