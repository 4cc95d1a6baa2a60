import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useWords } from '../i18n';
import { Boundary } from './boundary';
import { Broken } from './broken';
import { IconButton } from './button';
import { Cover } from './cover';
import { focusAfter } from './focus';

interface Props {
  title: string;
  /** The width in pixels; the style's own when it is absent. */
  width?: number;
  onClose: () => void;
  footer: ReactNode;
  children: ReactNode;
  /** What has the focus first; the dialog itself when absent. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** What has it afterwards, where it is still there; as `focusAfter` says when absent. */
  finalFocus?: RefObject<HTMLElement | null>;
  testId?: string;
}

/** In place of body and footer: nobody agrees to what cannot be shown. */
const BrokenBody = () => (
  <section className="body">
    <Broken part="dialog" />
  </section>
);

/** The second click of two was meant for what opened the dialog, wherever that lay. */
const isSecondClick = (event: Event): boolean => event instanceof MouseEvent && event.detail > 1;

/** A modal dialog: the focus stays in it, Esc closes it, and returns to where it was. */
export function Dialog(props: Props) {
  const { title, width, onClose, footer, children, initialFocus, finalFocus, testId } = props;
  const { t } = useWords();
  return (
    <Base.Root open onOpenChange={(open, { event }) => !open && !isSecondClick(event) && onClose()}>
      <Base.Portal>
        {/* It lies over a drawer as well, out of which the dialog may have been opened. */}
        <Base.Backdrop className="dialog-veil dims-all" forceRender />
        <Base.Popup
          className="dialog"
          data-testid={testId}
          initialFocus={initialFocus}
          finalFocus={finalFocus ?? focusAfter}
          style={width ? ({ '--dialog-width': `${width}px` } as React.CSSProperties) : undefined}
        >
          <Cover />
          <header>
            <Base.Title>{title}</Base.Title>
            <IconButton icon={X} label={t('action.close')} onClick={onClose} />
          </header>
          <Boundary of={children} instead={() => <BrokenBody />}>
            {/* The body scrolls, so the keyboard must be able to reach it. */}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
            <section className="body" tabIndex={0} aria-label={title}>
              {children}
            </section>
            <footer>{footer}</footer>
          </Boundary>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
