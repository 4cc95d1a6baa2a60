import type { KeyboardEvent, PointerEvent } from 'react';

/** How far one press of an arrow key moves it, in pixels. */
const STEP = 16;

interface Props {
  /** Read out. */
  label: string;
  /** How wide the part at its right is, in pixels. */
  width: number;
  least: number;
  most: number;
  onWidth: (width: number) => void;
}

/** The left edge of a part of the window: dragged, or moved with the arrow keys, to make it wider. */
export function Splitter({ label, width, least, most, onWidth }: Props) {
  const set = (wanted: number) => onWidth(Math.round(Math.min(most, Math.max(least, wanted))));
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const bar = event.currentTarget;
    bar.setPointerCapture(event.pointerId);
    const from = event.clientX;
    const move = (moved: globalThis.PointerEvent) => set(width + from - moved.clientX);
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
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
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
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={width}
      tabIndex={0}
      data-testid="splitter"
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
