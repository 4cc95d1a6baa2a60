import { Menu as Base } from '@base-ui/react/menu';
import { Check, type LucideIcon } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Cover } from './cover';
import { focusAfter, landmarkOf } from './focus';
import { useStateOf } from './use-state-of';

interface Props {
  icon: LucideIcon;
  /** Shown in place of the icon. */
  face?: ReactNode;
  /** Read out, and shown as a tip. */
  label: string;
  testId?: string;
  /** What the button looks like, where it is neither an icon nor a face. */
  className?: string;
  /** Which of its edges stands at that of the button. */
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
  /** What its items are about. When that is another thing, the menu closes. */
  about?: string;
  /** Read out whenever it becomes another one while the menu is open. */
  told?: string;
  children: ReactNode;
}

/** A list of actions behind a button with an icon. Arrow keys move, Esc closes. */
export function Menu(props: Props) {
  const { icon: Icon, face, label, testId, className, align = 'end', side, about, told } = props;
  // Inside the landmark its button is in, so that screen readers know where they are.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const find = useCallback((button: HTMLElement | null) => setPlace(landmarkOf(button)), []);
  const [isOpen, setOpen] = useStateOf(about, false);
  return (
    <Base.Root open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger
        ref={find}
        className={className ?? (face ? 'face-btn' : 'icon-btn')}
        aria-label={label}
        title={label}
        data-testid={testId}
      >
        {face ?? <Icon size={16} aria-hidden />}
      </Base.Trigger>
      <Base.Portal container={place}>
        <Base.Positioner
          className="menu-place"
          side={side}
          align={align}
          sideOffset={4}
          positionMethod="fixed"
        >
          <Base.Popup className="menu" finalFocus={focusAfter}>
            <Cover />
            {props.children}
          </Base.Popup>
          {told !== undefined && (
            <span className="visually-hidden" aria-live="polite">
              {told}
            </span>
          )}
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  icon: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** The menu is still there afterwards: it shows what comes of it. */
  stays?: boolean;
  testId?: string;
  onClick: () => void;
  children: ReactNode;
}

export function MenuItem(props: ItemProps) {
  const { icon: Icon, danger, disabled, stays = false, testId, onClick, children } = props;
  return (
    <Base.Item
      className="menu-item"
      data-danger={danger ? 'true' : undefined}
      data-testid={testId}
      disabled={disabled}
      closeOnClick={!stays}
      onClick={onClick}
    >
      <Icon size={15} aria-hidden />
      {children}
    </Base.Item>
  );
}

/**
 * Keeps the keys at the item that has the focus when other items came in before it: the list counts
 * its items, and is told anew which one it is.
 */
export function useKeptItem(news: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every news
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const item = document.activeElement;
      if (!item?.matches('.menu-item:not([data-highlighted])')) return;
      item.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    });
    return () => cancelAnimationFrame(frame);
  }, [news]);
}

export const MenuLine = () => <Base.Separator className="menu-line" />;

interface GroupProps {
  /** Read out before the first of what is in it. */
  label: ReactNode;
  children?: ReactNode;
}

/** Items that belong together, below their name. */
export const MenuGroup = ({ label, children }: GroupProps) => (
  <Base.Group>
    <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
    {children}
  </Base.Group>
);

interface ChoicesProps {
  value: string;
  disabled?: boolean;
  onChange: (value: string) => void;
  children: ReactNode;
}

/** Items of which one is chosen; the menu is still there afterwards. */
export const MenuChoices = ({ value, disabled, onChange, children }: ChoicesProps) => (
  <Base.RadioGroup value={value} disabled={disabled} onValueChange={onChange}>
    {children}
  </Base.RadioGroup>
);

/** One of them. */
export const MenuChoice = (props: { value: string; testId?: string; children: ReactNode }) => (
  <Base.RadioItem className="menu-item" value={props.value} data-testid={props.testId}>
    <span className="menu-mark">
      <Base.RadioItemIndicator>
        <Check size={15} aria-hidden />
      </Base.RadioItemIndicator>
    </span>
    {props.children}
  </Base.RadioItem>
);
