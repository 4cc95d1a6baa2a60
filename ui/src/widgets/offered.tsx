// A list that is offered while something is being written in a field: what its lists have in common.
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Cover } from '../kit/cover';
import { useStateOf } from '../kit/use-state-of';
import './offered.css';

/** A field in which the person writes. */
export interface Field {
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
}

/** A part of the text, which what is taken stands in place of. */
export interface Written {
  from: number;
  to: number;
  /** What was typed of it so far. */
  matching: string;
}

/** What is being written at the caret; nothing once the person wants no list for it. */
export function useWritten(
  { area, text }: Field,
  writtenAt: (text: string, caret: number) => Written | null,
) {
  const [caret, setCaret] = useState<number | null>(null);
  const [left, setLeft] = useState<number | null>(null);
  const written = caret === null ? null : writtenAt(text, caret);
  useEffect(() => {
    // An empty field begins anew.
    if (text === '') setLeft(null);
  }, [text]);
  return {
    written: written?.from === left ? null : written,
    close: () => setLeft(written?.from ?? null),
    leave: () => setCaret(null),
    look: () => {
      const box = area.current;
      const now = box && box.selectionStart === box.selectionEnd ? box.selectionStart : null;
      setCaret(now);
      // For another one a list is offered again.
      if (left !== null && (now === null || writtenAt(box?.value ?? '', now)?.from !== left)) {
        setLeft(null);
      }
    },
  };
}

/** Changes the text, and puts the caret to a place in it. */
export function usePut({ area, text, onText }: Field) {
  const place = useRef<number>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when the text has changed
  useEffect(() => {
    if (place.current === null) return;
    area.current?.setSelectionRange(place.current, place.current);
    place.current = null;
  }, [text]);
  return (next: string, caret: number) => {
    if (next === text) return area.current?.setSelectionRange(caret, caret);
    place.current = caret;
    onText(next);
  };
}

interface Offer<T> {
  written: Written | null;
  options: readonly T[];
  keyOf: (option: T) => string;
  row: (option: T) => ReactNode;
  /** What the list is called, and what is said of it when it is there. */
  label: string;
  status: string;
  testId: string;
  onTake: (option: T) => void;
  onClose: () => void;
  /** True when there is nothing left to take of it: then Enter belongs to the field. */
  isWhole?: (option: T) => boolean;
}

/** Offers a list while there is something in it: its keys, and what the field says of it. */
export function useOffered<T>(offer: Offer<T>) {
  const { written, options, onTake, onClose, isWhole } = offer;
  const id = useId();
  const [chosen, setChosen] = useStateOf(written?.matching, 0);
  const open = written !== null && options.length > 0;
  const at = Math.min(chosen, Math.max(options.length - 1, 0));

  /** True when a key was meant for the list. */
  const onKey = (event: React.KeyboardEvent): boolean => {
    const option = options[at];
    if (!open || option === undefined) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isEnter = event.key === 'Enter' && !event.shiftKey;
    if (step) setChosen((at + step + options.length) % options.length);
    else if (event.key === 'Escape') onClose();
    else if (isEnter && isWhole?.(option)) return false;
    else if (isEnter || event.key === 'Tab') onTake(option);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return {
    onKey,
    field: open
      ? ({
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': id,
          'aria-activedescendant': `${id}-${at}`,
        } as const)
      : {},
    list: open && <Offered {...offer} id={id} at={at} onPoint={setChosen} />,
  };
}

interface OfferedProps<T> extends Offer<T> {
  id: string;
  at: number;
  onPoint: (at: number) => void;
}

/** What may be meant. The focus stays in the field. */
function Offered<T>(props: OfferedProps<T>) {
  const { id, at, options, keyOf, row, label, status, testId, onPoint, onTake } = props;
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one was chosen
  useEffect(() => {
    chosen.current?.scrollIntoView?.({ block: 'nearest' });
  }, [at]);
  return (
    <>
      <Cover />
      <div
        data-covers
        className="offered"
        role="listbox"
        id={id}
        aria-label={label}
        // It may scroll. No key leads here: the field takes them all while it is open.
        tabIndex={0}
        data-testid={testId}
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((option, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={keyOf(option)}
            id={`${id}-${n}`}
            ref={n === at ? chosen : undefined}
            role="option"
            aria-selected={n === at}
            onMouseMove={() => n !== at && onPoint(n)}
            onClick={() => onTake(option)}
          >
            {row(option)}
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </>
  );
}
