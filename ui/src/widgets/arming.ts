import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { isCovered } from '../kit/focus';

/** How long a question must have been in sight before it can be answered, in milliseconds. */
export const SHOWN_FOR = 700;

/** How far the pointer must have moved since, in pixels: a resting hand trembles less. */
const MOVED = 6;

/** Keys that only change what others mean: Ctrl is half of Ctrl+Enter, and no press of its own. */
const MODIFIERS = new Set(['Alt', 'AltGraph', 'CapsLock', 'Control', 'Meta', 'NumLock', 'Shift']);

/**
 * `hidden`: not wholly in sight. `filling`: in sight, for less than {@link SHOWN_FOR}. `ready`: for
 * long enough, and nobody has moved. `armed`: a click means this question.
 */
export type Armed = 'hidden' | 'filling' | 'ready' | 'armed';

export interface Arming {
  state: Armed;
  /** True when the click or key at hand was meant for this question. */
  meant: () => boolean;
  /** How long the question has been in sight, in milliseconds. */
  shownMs: () => number;
}

let last: { x: number; y: number } | null = null;

/** Where the pointer was seen last: a question that appears under a resting pointer has to know. */
function follow({ clientX: x, clientY: y }: PointerEvent) {
  last = { x, y };
}
window.addEventListener('pointermove', follow, { capture: true, passive: true });
window.addEventListener('pointerdown', follow, { capture: true, passive: true });

/** Whether all of them are in sight, without their rows being cut by a scrolled list. */
function useInSight(
  root: RefObject<HTMLElement | null>,
  parts: string,
  on: boolean,
  tell: (seen: boolean) => void,
) {
  useEffect(() => {
    const box = root.current;
    if (!box || !on) return;
    const seen = new Map<Element, boolean>();
    const say = () => tell(!document.hidden && seen.size > 0 && [...seen.values()].every(Boolean));
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio } of entries) {
          seen.set(target, intersectionRatio >= 0.95);
        }
        say();
      },
      { threshold: [0, 0.95, 1] },
    );
    for (const part of box.querySelectorAll(parts)) {
      seen.set(part, false);
      observer.observe(part);
    }
    document.addEventListener('visibilitychange', say);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', say);
    };
  }, [root, parts, on, tell]);
}

/** Listens to the pointer and the keys of the whole window while a question waits. */
function useInput(on: boolean, state: RefObject<Armed>, arm: () => void) {
  /** Whether the press at hand came when the question was armed; null without a press. */
  const press = useRef<boolean | null>(null);
  const from = useRef<{ x: number; y: number } | null>(null);
  useEffect(() => {
    if (!on) return;
    from.current = last;
    const move = (event: PointerEvent) => {
      const { clientX: x, clientY: y } = event;
      // Until it can be armed, what counts is where the pointer is by then.
      if (state.current !== 'ready' || isCovered()) from.current = { x, y };
      else if (!from.current || Math.hypot(x - from.current.x, y - from.current.y) >= MOVED) arm();
    };
    const down = (event: PointerEvent) => {
      // A finger comes from nowhere: where it lands is its move.
      move(event);
      press.current = state.current === 'armed';
    };
    const key = (event: KeyboardEvent) => {
      if (MODIFIERS.has(event.key)) return;
      // A key that is held down since before says nothing about this question.
      const fresh = !event.repeat && !isCovered();
      // The key that arms it may have been on its way to what was there before: the next one answers.
      press.current = fresh && state.current === 'armed';
      if (fresh && state.current === 'ready') arm();
    };
    // After the press has done whatever it does.
    const over = () => setTimeout(() => (press.current = null));
    const capture = { capture: true };
    window.addEventListener('pointermove', move, capture);
    window.addEventListener('pointerdown', down, capture);
    window.addEventListener('keydown', key, capture);
    window.addEventListener('click', over, capture);
    window.addEventListener('keyup', over, capture);
    return () => {
      window.removeEventListener('pointermove', move, capture);
      window.removeEventListener('pointerdown', down, capture);
      window.removeEventListener('keydown', key, capture);
      window.removeEventListener('click', over, capture);
      window.removeEventListener('keyup', over, capture);
    };
  }, [on, state, arm]);
  return press;
}

/**
 * Arms a question: only after it was in sight for a while and the person moved the pointer or
 * pressed a key is the next click or key meant for it. Questions follow each other at one place of
 * the window, and what was meant for the last one must not answer the next (law 4). `parts` are the
 * elements that have to be wholly in sight, and not under a dialog.
 */
export function useArming(
  root: RefObject<HTMLElement | null>,
  parts: string,
  on: boolean,
  after = SHOWN_FOR,
): Arming {
  const [shown, setShown] = useState<Armed>('hidden');
  const state = useRef<Armed>('hidden');
  const since = useRef<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const become = useCallback((next: Armed) => {
    state.current = next;
    setShown(next);
  }, []);
  const arm = useCallback(() => become('armed'), [become]);
  const tell = useCallback(
    (seen: boolean) => {
      if (seen === (state.current !== 'hidden')) return;
      clearTimeout(timer.current);
      since.current = seen ? performance.now() : null;
      if (!seen) return become('hidden');
      if (after === 0) return become('ready');
      become('filling');
      timer.current = setTimeout(() => become('ready'), after);
    },
    [after, become],
  );
  useInSight(root, parts, on, tell);
  const press = useInput(on, state, arm);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    state: shown,
    meant: () => {
      const isThere = state.current === 'ready' || state.current === 'armed';
      // Without a press, an assistive tool acts for the person; it moves no pointer.
      return isThere && (press.current ?? true);
    },
    shownMs: () => (since.current === null ? 0 : Math.floor(performance.now() - since.current)),
  };
}
