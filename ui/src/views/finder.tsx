import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog as Base } from '@base-ui/react/dialog';
import { Check, type LucideIcon, Search } from 'lucide-react';
import { useRef } from 'react';
import { Cover } from '../kit/cover';
import { focusAfter } from '../kit/focus';
import './palette.css';

/** Something that is found by its name. */
export interface FinderEntry {
  id: string;
  label: string;
  hint?: string;
  keys?: string;
  /** A picture, or an agent's own sign. */
  icon: LucideIcon | string;
  /** It is the one that holds now, in words. */
  chosen?: string;
}

/** Entries that belong together. */
export interface FinderSection<E extends FinderEntry> {
  id: string;
  label: string;
  items: E[];
}

/** Every word stands somewhere in the text. */
export function holds(text: string, words: readonly string[]): boolean {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

/** The words of a text, for `holds`. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

interface RowProps<E extends FinderEntry> {
  entry: E;
  testId: string;
  onTake: (entry: E) => void;
}

function EntryRow<E extends FinderEntry>({ entry, testId, onTake }: RowProps<E>) {
  const { icon: Icon, label, hint, keys, chosen } = entry;
  return (
    <Autocomplete.Item
      className="palette-item"
      value={entry}
      data-testid={`${testId}-item`}
      onClick={() => onTake(entry)}
    >
      {typeof Icon === 'string' ? (
        <span className="agent-sign" aria-hidden>
          {Icon}
        </span>
      ) : (
        <Icon size={15} aria-hidden />
      )}
      <span className="clip">{label}</span>
      {hint && <span className="hint clip">{hint}</span>}
      {chosen && <Check size={15} className="chosen" aria-label={chosen} />}
      {keys && <kbd>{keys}</kbd>}
    </Autocomplete.Item>
  );
}

interface Props<E extends FinderEntry> {
  title: string;
  placeholder: string;
  /** What is said when nothing is found. */
  none: string;
  testId: string;
  sections: readonly FinderSection<E>[];
  text: string;
  onText: (text: string) => void;
  onTake: (entry: E) => void;
  onClose: () => void;
}

/** Something that is found by its name and taken, over the whole window. */
export function Finder<E extends FinderEntry>(props: Props<E>) {
  const { title, placeholder, none, testId, sections, text, onText, onTake, onClose } = props;
  const field = useRef<HTMLInputElement>(null);
  // What is typed before the next frame is drawn must not be lost.
  const focusField = () => {
    field.current?.focus();
    return false;
  };
  // The parts of the list are told by their ids: two of them may have the same name.
  const groups = sections.map(({ id, label, items }) => ({ value: id, label, items }));
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-veil" />
        <Base.Popup
          className="palette"
          aria-label={title}
          data-testid={testId}
          initialFocus={focusField}
          finalFocus={focusAfter}
        >
          <Cover />
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups}
            value={text}
            onValueChange={(next, { reason }) => reason !== 'item-press' && onText(next)}
            itemToStringValue={(entry: E) => entry.label}
            autoHighlight="always"
            keepHighlight
          >
            <div className="palette-field">
              <Search size={16} aria-hidden />
              <Autocomplete.Input
                ref={field}
                aria-label={title}
                placeholder={placeholder}
                data-testid={`${testId}-input`}
                spellCheck={false}
              />
            </div>
            <Autocomplete.Empty className="palette-none">{none}</Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {({ value, label, items }: (typeof groups)[number]) => (
                <Autocomplete.Group key={value} items={items}>
                  <Autocomplete.GroupLabel className="palette-section">
                    {label}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: E) => (
                      <EntryRow key={entry.id} entry={entry} testId={testId} onTake={onTake} />
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
