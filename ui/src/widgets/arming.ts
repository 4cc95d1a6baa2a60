import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { onCover } from '../kit/cover';
import { isCovered } from '../kit/focus';
import { buttonOf, isAimedAt, isMove, type Place, pointerAt } from './pointer';

/** How long a question must have been in sight before it can be answered, in milliseconds. */
export const SHOWN_FOR = 700;

/** Keys that only change what others mean: Ctrl is half of Ctrl+Enter, and no press of its own. */
const MODIFIERS = new Set(['Alt', 'AltGraph', 'CapsLock', 'Control', 'Meta', 'NumLock', 'Shift']);

/**
 * `hidden`: not wholly in sight. `filling`: in sight, for less than {@link SHOWN_FOR}. `ready`: for
 * long enough, and nobody has moved. `armed`: a click means this question.
 */
type Armed = 'hidden' | 'filling' | 'ready' | 'armed';

export interface Arming {
  state: Armed;
  /** True when the click or key at hand was meant for this question. */
  meant: () => boolean;
  /** The same for a no, which authorises nothing: it need not have been wholly in sight. */
  declinable: () => boolean;
  /** True while a part of it has to be scrolled to its end first. */
  unread: () => boolean;
  /** True while it has been there for long enough, and there is no room for all that has to be in sight. */
  neverFits: () => boolean;
  /** How long the question has been in sight, in milliseconds. */
  shownMs: () => number;
}

/** Whether what it holds was scrolled to its end, or fits. */
function isAtEnd(part: Element): boolean {
  if (getComputedStyle(part).overflowY === 'visible') return true;
  return part.scrollTop + part.clientHeight >= part.scrollHeight - 1;
}

/**
 * Tells whether all of them are in sight, without their rows being cut by a scrolled list, and were
 * scrolled to their ends. Returns whether one of them was not.
 */
function useInSight(
  root: RefObject<HTMLElement | null>,
  parts: string,
  on: boolean,
  tell: (seen: boolean) => void,
): RefObject<boolean> {
  const unread = useRef(false);
  useEffect(() => {
    const box = root.current;
    if (!box || !on) return;
    const seen = new Map<Element, boolean>();
    const read = new Set<Element>();
    const say = () => {
      for (const [part, isSeen] of seen) if (isSeen && isAtEnd(part)) read.add(part);
      const all = [...seen];
      unread.current = all.some(([part, isSeen]) => isSeen && !read.has(part));
      const isRead = all.every(([part, isSeen]) => isSeen && read.has(part));
      tell(!document.hidden && !isCovered() && all.length > 0 && isRead);
    };
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
    box.addEventListener('scroll', say, { capture: true, passive: true });
    document.addEventListener('visibilitychange', say);
    const stop = onCover(say);
    return () => {
      stop();
      observer.disconnect();
      box.removeEventListener('scroll', say, { capture: true });
      document.removeEventListener('visibilitychange', say);
      // Locked, or gone: what follows is shown anew.
      tell(false);
    };
  }, [root, parts, on, tell]);
  return unread;
}

/** Since when it can be answered: a press meant for the last question does not decline the next. */
function useSince(on: boolean): RefObject<number> {
  const since = useRef(performance.now());
  useLayoutEffect(() => {
    if (on) since.current = performance.now();
  }, [on]);
  return since;
}

/**
 * What is known of the press at hand: `stray` hit what came under a resting pointer or a held key,
 * `aimed` was meant for what it hit, `armed` was so while the question was armed.
 */
type Press = 'stray' | 'aimed' | 'armed';

/** Listens to the pointer and the keys of the whole window while a question waits. */
function useInput(
  root: RefObject<HTMLElement | null>,
  on: boolean,
  state: RefObject<Armed>,
  arm: () => void,
) {
  /** Null without a press. */
  const press = useRef<Press | null>(null);
  const byKey = useRef(false);
  const from = useRef<Place | null>(null);
  useEffect(() => {
    if (!on) return;
    from.current = pointerAt();
    const pressed = (aimed: boolean, isKey: boolean) => {
      byKey.current = isKey;
      press.current = !aimed ? 'stray' : state.current === 'armed' ? 'armed' : 'aimed';
    };
    const move = (event: PointerEvent) => {
      const here = { x: event.clientX, y: event.clientY };
      const isOver = event.target instanceof Node && root.current?.contains(event.target);
      // Until it can be armed, and elsewhere, what counts is where the pointer is by then.
      if (state.current !== 'ready' || !isOver) from.current = here;
      else if (isMove(from.current, here)) arm();
    };
    const down = (event: PointerEvent) => {
      // A finger comes from nowhere: where it lands is its move.
      move(event);
      pressed(isAimedAt(buttonOf(event)), false);
    };
    const key = (event: KeyboardEvent) => {
      if (MODIFIERS.has(event.key)) return;
      // A key that is held down since before says nothing about this question.
      const fresh = !event.repeat && !isCovered();
      // The key that arms it may have been on its way to what was there before: the next one
      // answers.
      pressed(fresh, true);
      if (fresh && state.current === 'ready') arm();
    };
    // After the press has done whatever it does.
    const over = () => setTimeout(() => (press.current = null));
    // A key that is let go while the pointer presses ends nothing but itself.
    const up = () => {
      if (byKey.current) over();
    };
    const capture = { capture: true };
    window.addEventListener('pointermove', move, capture);
    window.addEventListener('pointerdown', down, capture);
    window.addEventListener('keydown', key, capture);
    window.addEventListener('click', over, capture);
    window.addEventListener('keyup', up, capture);
    return () => {
      window.removeEventListener('pointermove', move, capture);
      window.removeEventListener('pointerdown', down, capture);
      window.removeEventListener('keydown', key, capture);
      window.removeEventListener('click', over, capture);
      window.removeEventListener('keyup', up, capture);
    };
  }, [root, on, state, arm]);
  return press;
}

/**
 * Arms a question: only after it was in sight for a while and the person moved the pointer or
 * pressed a key is the next click or key meant for it. Questions follow each other at one place of
 * the window, and what was meant for the last one must not answer the next (spec 06
 * "Confirmation"). `parts` are the elements that have to be wholly in sight, and not under a
 * dialog.
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
  const unread = useInSight(root, parts, on, tell);
  const there = useSince(on);
  const press = useInput(root, on, state, arm);
  useEffect(() => () => clearTimeout(timer.current), []);
  const meant = () => {
    const isThere = state.current === 'ready' || state.current === 'armed';
    // Without a press, an assistive tool acts for the person; it moves no pointer.
    return isThere && (press.current ?? 'armed') === 'armed';
  };
  const neverFits = () => state.current === 'hidden' && performance.now() - there.current >= after;
  return {
    state: shown,
    meant,
    declinable: () => meant() || (neverFits() && press.current !== 'stray'),
    unread: () => unread.current,
    neverFits,
    shownMs: () => (since.current === null ? 0 : Math.floor(performance.now() - since.current)),
  };
}
