import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../i18n';
import { IconButton } from './button';
import { Cover } from './cover';
import { focusAfter } from './focus';

interface Props {
  className: string;
  /** Read out. */
  label: string;
  testId: string;
  onClose: () => void;
  children: ReactNode;
}

/** A side of the window that lies over the rest. Esc closes it, and the focus returns. */
export function Drawer({ className, label, testId, onClose, children }: Props) {
  const { t } = useWords();
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-veil" />
        <Base.Popup
          className={className}
          aria-label={label}
          data-testid={testId}
          finalFocus={focusAfter}
        >
          <Cover />
          <IconButton icon={X} label={t('action.close')} onClick={onClose} />
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
