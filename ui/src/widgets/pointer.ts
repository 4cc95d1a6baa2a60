// Where the pointer is, and what the hand has moved it to. What lies below a resting pointer changes
// when a dialog closes, a list scrolls or a row above shrinks: nobody has aimed at that.

/** How far a move has to go to be one, in pixels: a resting hand trembles less. */
const MOVED = 6;

export interface Place {
  x: number;
  y: number;
}

let at: Place | null = null;
/** What the pointer is over, where it was before that, and whether it came from far enough. */
let aim: { button: Element | null; from: Place | null; meant: boolean } | null = null;

/** Where the pointer was seen last. */
export const pointerAt = () => at;

/** Whether the pointer was moved from one place to the other, and did not only tremble. */
export const isMove = (from: Place | null, to: Place) =>
  from === null || Math.hypot(to.x - from.x, to.y - from.y) >= MOVED;

/** The button an event is about. */
export const buttonOf = ({ target }: Event): Element | null =>
  target instanceof Element ? target.closest('button') : null;

/** Whether the hand moved the pointer to this button. */
export const isAimedAt = (button: Element | null): boolean =>
  aim?.meant === true && aim.button === button;

function follow(event: PointerEvent) {
  const here = { x: event.clientX, y: event.clientY };
  // Some browsers send a move when the page moves below a resting pointer.
  if (at?.x === here.x && at.y === here.y) return;
  const button = buttonOf(event);
  if (!aim || aim.button !== button) aim = { button, from: at, meant: false };
  aim.meant ||= isMove(aim.from, here);
  at = here;
}

/** The pointer left the page, or another window came over it. */
const forget = () => {
  aim = null;
};

const options = { capture: true, passive: true };
window.addEventListener('pointermove', follow, options);
// A finger comes from nowhere: where it lands is its move.
window.addEventListener('pointerdown', follow, options);
document.documentElement.addEventListener('pointerleave', forget);
window.addEventListener('blur', forget);
