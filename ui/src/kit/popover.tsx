import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import { Cover } from './cover';
import { focusAfter, landmarkOf } from './focus';

interface Props {
  /** What it is about, read out. */
  label: string;
  testId?: string;
  /** The button that opened it; it has the focus again when this closes. */
  anchor: HTMLElement;
  /** On which side of the button it stands. */
  side?: 'left' | 'top' | 'bottom';
  align?: 'start' | 'end';
  onClose: () => void;
  children: ReactNode;
}

/** More about something, beside the button that it belongs to. Esc, or a click elsewhere, closes it. */
export function Popover(props: Props) {
  const { label, testId, anchor, side = 'left', align = 'start', onClose, children } = props;
  // Inside the landmark its button is in, so that screen readers know where they are.
  const place = landmarkOf(anchor);
  const back = (how: string) => {
    const to = focusAfter(how);
    return to === true ? anchor : to;
  };
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal container={place}>
        <Base.Positioner
          className="popover-place"
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={side === 'left' ? 10 : 6}
          collisionPadding={12}
          positionMethod="fixed"
        >
          <Base.Popup className="popover" aria-label={label} data-testid={testId} finalFocus={back}>
            <Cover />
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
