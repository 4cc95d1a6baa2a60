import { Menu as Base } from '@base-ui/react/menu';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Cover } from './cover';
import { focusAfter, landmarkOf } from './focus';

interface Props {
  icon: LucideIcon;
  /** Shown in place of the icon. */
  face?: ReactNode;
  /** Read out, and shown as a tip. */
  label: string;
  testId?: string;
  /** Which of its edges stands at that of the button. */
  align?: 'start' | 'end';
  children: ReactNode;
}

/** A list of actions behind a button with an icon. Arrow keys move, Esc closes. */
export function Menu({ icon: Icon, face, label, testId, align = 'end', children }: Props) {
  // Inside the landmark its button is in, so that screen readers know where they are.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Base.Root>
      <Base.Trigger
        ref={(button: HTMLElement | null) => setPlace(landmarkOf(button))}
        className={face ? 'face-btn' : 'icon-btn'}
        aria-label={label}
        title={label}
        data-testid={testId}
      >
        {face ?? <Icon size={16} aria-hidden />}
      </Base.Trigger>
      <Base.Portal container={place}>
        <Base.Positioner className="menu-place" align={align} sideOffset={4} positionMethod="fixed">
          <Base.Popup className="menu" finalFocus={focusAfter}>
            <Cover />
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  icon: LucideIcon;
  danger?: boolean;
  testId?: string;
  onClick: () => void;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, danger, testId, onClick, children }: ItemProps) {
  return (
    <Base.Item
      className="menu-item"
      data-danger={danger ? 'true' : undefined}
      data-testid={testId}
      onClick={onClick}
    >
      <Icon size={15} aria-hidden />
      {children}
    </Base.Item>
  );
}

export const MenuLine = () => <Base.Separator className="menu-line" />;
