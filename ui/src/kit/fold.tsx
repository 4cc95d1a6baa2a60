import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

interface Props {
  /** What stands on the button. */
  label: ReactNode;
  testId?: string;
  /** Whether it was open when it was last shown. */
  unfolded?: boolean;
  onUnfold?: (open: boolean) => void;
  /** Which heading the button is, where it is one. */
  level?: 2 | 3;
  children: ReactNode;
}

/** Something that is shown on demand, below its button. Closed, it is not in the document. */
export function Fold({ label, testId, unfolded = false, onUnfold, level, children }: Props) {
  const [open, setOpen] = useState(unfolded);
  const id = useId();
  const Heading = level && (`h${level}` as const);
  const button = (
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
  );
  return (
    <div className="fold" data-testid={testId}>
      {Heading ? <Heading>{button}</Heading> : button}
      {open && (
        <div className="fold-body" id={id}>
          {children}
        </div>
      )}
    </div>
  );
}
