import { type ReactNode, type RefObject, useRef } from 'react';
import { useMoreBelow } from '../kit/more-below';

interface Props {
  /** It can be reached by keys, to be scrolled by them; where fields are in it, they are. */
  open?: boolean;
  label: string;
  ref?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/** The part between what is named above and answered below; the only one that scrolls. */
export function DecisionBody({ open, label, ref, children }: Props) {
  const tabIndex = open ? 0 : undefined;
  const own = useRef<HTMLDivElement>(null);
  const box = ref ?? own;
  useMoreBelow(box);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields are grouped here, and no landmark is meant
    <div className="decision-body" role="group" ref={box} tabIndex={tabIndex} aria-label={label}>
      {children}
    </div>
  );
}
