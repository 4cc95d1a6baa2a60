import type { KeyboardEvent, PointerEvent } from 'react';

/** How far one press of an arrow key moves it, in pixels. */
const STEP = 16;

interface Props {
  /** Read out. */
  label: string;
  /** How it lies: an upright one is the left edge of what is at its right, the other one the upper
   * edge of what is below. */
  orientation?: 'vertical' | 'horizontal';
  /** How wide, or how high, that part is, in pixels. */
  size: number;
  least: number;
  most: number;
  onSize: (size: number) => void;
}

/** The edge of a part of the window: dragged, or moved with the arrow keys, to make it larger. */
export function Splitter({ label, orientation = 'vertical', size, least, most, onSize }: Props) {
  const isUpright = orientation === 'vertical';
  const set = (wanted: number) => onSize(Math.round(Math.min(most, Math.max(least, wanted))));
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const bar = event.currentTarget;
    bar.setPointerCapture(event.pointerId);
    const at = (moved: { clientX: number; clientY: number }) =>
      isUpright ? moved.clientX : moved.clientY;
    const from = at(event);
    const move = (moved: globalThis.PointerEvent) => set(size + from - at(moved));
    const end = () => {
      bar.removeEventListener('pointermove', move);
      bar.removeEventListener('pointerup', end);
      bar.removeEventListener('pointercancel', end);
    };
    bar.addEventListener('pointermove', move);
    bar.addEventListener('pointerup', end);
    bar.addEventListener('pointercancel', end);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted: Partial<Record<string, number>> = {
      [isUpright ? 'ArrowLeft' : 'ArrowUp']: size + STEP,
      [isUpright ? 'ArrowRight' : 'ArrowDown']: size - STEP,
      Home: least,
      End: most,
    };
    const next = wanted[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className="splitter"
      role="separator"
      aria-orientation={orientation}
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={size}
      tabIndex={0}
      data-testid="splitter"
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
