import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { useCallback, useId, useState } from 'react';
import { Cover } from './cover';
import { landmarkOf } from './focus';
import { markMoreBelow } from './more-below';

interface Props<T extends string> {
  id?: string;
  name?: string;
  required?: boolean;
  disabled?: boolean;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: boolean;
  'data-testid'?: string;
  value: T;
  choices: readonly { value: T; label: string }[];
  /** Stands there while none of them is chosen. */
  placeholder?: string;
  /** Its list is a part of what it stands in, and covers nothing of it that has to be seen. */
  isPart?: boolean;
  onChange: (value: T) => void;
}

type ListProps<T extends string> = Pick<Props<T>, 'choices' | 'isPart'> & {
  /** It is in the document before, and stays there. */
  isOpen: boolean;
  labelledBy: string;
  place: HTMLElement | null;
};

function List<T extends string>(props: ListProps<T>) {
  const { choices, isPart, isOpen, labelledBy, place } = props;
  const covers = isOpen && !isPart;
  return (
    <Base.Portal container={place}>
      <Base.Positioner
        className="menu-place"
        align="start"
        sideOffset={4}
        collisionPadding={8}
        positionMethod="fixed"
        alignItemWithTrigger={false}
      >
        <Base.Popup
          className="menu choices"
          data-chooses={isOpen || undefined}
          data-covers={covers || undefined}
        >
          {covers && <Cover />}
          <Base.List ref={markMoreBelow} aria-labelledby={labelledBy}>
            {choices.map(({ value, label }) => (
              <Base.Item key={value} className="menu-item" value={value}>
                <Base.ItemText className="clip">{label}</Base.ItemText>
                <Base.ItemIndicator>
                  <Check size={14} aria-hidden />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

/** One of several, shown in a list below. Arrow keys, Enter and first letters choose, Esc closes. */
export function Select<T extends string>(props: Props<T>) {
  const { value, choices, placeholder, isPart, onChange, disabled, required, ...rest } = props;
  const own = useId();
  const id = rest.id ?? own;
  // Inside the landmark it is in, so that screen readers know where they are.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const find = useCallback((button: HTMLElement | null) => setPlace(landmarkOf(button)), []);
  // Until it is gone: the key that closes it is meant for nothing else.
  const [isOpen, setOpen] = useState(false);
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <Base.Root<T>
      value={chosen ? value : null}
      disabled={disabled}
      onOpenChange={(open) => open && setOpen(true)}
      onOpenChangeComplete={setOpen}
      onValueChange={(next) => next !== null && onChange(next)}
    >
      <Base.Trigger
        {...rest}
        id={id}
        ref={find}
        className="input select"
        aria-required={required || undefined}
      >
        <span className="clip" data-empty={!chosen || value === '' || undefined}>
          {chosen?.label ?? placeholder}
        </span>
        <ChevronDown size={14} aria-hidden />
      </Base.Trigger>
      <List choices={choices} isPart={isPart} isOpen={isOpen} labelledBy={id} place={place} />
    </Base.Root>
  );
}
