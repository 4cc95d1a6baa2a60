// Where typing goes while nothing else has the focus: the element marked `data-focus-home`.

/** That element, when it can be typed into. */
export const focusHome = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('[data-focus-home]:not(:disabled)');

/** True while nothing has the focus: what had it is gone, or closed. */
export const isFocusFree = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

/** True while a dialog, a menu or an opened file lies over the page: what is pressed is meant for that. */
export const isCovered = (): boolean =>
  document.querySelector('[role="dialog"], [role="menu"], [data-covers]') !== null;

/** True while a dialog, a menu or a list of choices lies over the page; an opened file is a part of it. */
export const isBlocked = (): boolean =>
  document.querySelector('[role="dialog"], [role="menu"], [data-chooses]') !== null;

/** The part of the window that something is in; what belongs to it and lies over it goes there. */
export const landmarkOf = (element: HTMLElement | null): HTMLElement =>
  element?.closest<HTMLElement>('aside, main, [role=dialog]') ?? document.body;

const writes = (element: Element | null): boolean =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/**
 * Where the focus goes when something over the page closes. A field that it opened keeps it; who
 * closed it with the keyboard comes back to where they were; who used the pointer goes on writing.
 */
export const focusAfter = (how: string): HTMLElement | boolean => {
  if (writes(document.activeElement)) return false;
  return how === 'keyboard' ? true : (focusHome() ?? true);
};

/** True when a key belongs to what has the focus: a field that is not `within`, a list, a dialog. */
export function isElsewhere(
  target: EventTarget | null,
  within: HTMLElement | null = null,
): boolean {
  if (isCovered() || document.querySelector('[data-chooses]') !== null) return true;
  if (!(target instanceof HTMLElement) || within?.contains(target)) return false;
  const field = target.closest<HTMLElement>('input, textarea, [role=combobox], [contenteditable]');
  return field !== null && !field.hasAttribute('data-focus-home');
}
