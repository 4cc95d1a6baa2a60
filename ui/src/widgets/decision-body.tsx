import { type ReactNode, type RefObject, useCallback } from 'react';
import { markMoreBelow } from '../kit/more-below';

interface Props {
  /** It can be reached by keys, to be scrolled by them; where fields are in it, they are. */
  open?: boolean;
  label: string;
  ref?: RefObject<HTMLDivElement | null>;
  children: ReactNode;
}

/** The part between what is named above and answered below; the only one that scrolls. */
export function DecisionBody({ open, label, ref, children }: Props) {
  const attach = useCallback(
    (box: HTMLDivElement | null) => {
      if (ref) ref.current = box;
      return markMoreBelow(box);
    },
    [ref],
  );
  const tabIndex = open ? 0 : undefined;
  return (
    <div className="decision-frame">
      {/* biome-ignore lint/a11y/useSemanticElements: no fields are grouped here, and no landmark is meant */}
      <div
        className="decision-body"
        role="group"
        ref={attach}
        tabIndex={tabIndex}
        aria-label={label}
      >
        {children}
      </div>
    </div>
  );
}
