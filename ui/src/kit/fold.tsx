import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

interface Props {
  /** What stands on the button. */
  label: ReactNode;
  testId?: string;
  /** Whether it was open when it was last shown. */
  unfolded?: boolean;
  onUnfold?: (open: boolean) => void;
  children: ReactNode;
}

/** Something that is shown on demand, below its button. Closed, it is not in the document. */
export function Fold({ label, testId, unfolded = false, onUnfold, children }: Props) {
  const [open, setOpen] = useState(unfolded);
  const id = useId();
  return (
    <div className="fold" data-testid={testId}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          setOpen(!open);
          onUnfold?.(!open);
        }}
      >
        <ChevronRight size={13} className="chevron" aria-hidden />
        {label}
      </button>
      {open && (
        <div className="fold-body" id={id}>
          {children}
        </div>
      )}
    </div>
  );
}
