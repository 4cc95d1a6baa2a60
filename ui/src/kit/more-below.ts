/**
 * Marks what scrolls with `data-more` while more of it is below what is in sight, so that it can look
 * like that. To be given as a ref.
 */
export function markMoreBelow(box: HTMLElement | null) {
  if (!box) return;
  const mark = () => {
    const below = box.scrollHeight - box.clientHeight - box.scrollTop;
    box.toggleAttribute('data-more', below > 1);
  };
  const sizes = new ResizeObserver(mark);
  const watch = () => {
    for (const part of [box, ...box.children]) sizes.observe(part);
    mark();
  };
  const parts = new MutationObserver(watch);
  watch();
  parts.observe(box, { childList: true });
  box.addEventListener('scroll', mark, { passive: true });
  return () => {
    sizes.disconnect();
    parts.disconnect();
    box.removeEventListener('scroll', mark);
  };
}
