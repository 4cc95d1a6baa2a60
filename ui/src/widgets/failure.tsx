import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Failure } from '../bridge/wire';
import { useWords } from '../i18n';
import { Coded } from '../kit/sentence';

interface Props {
  failure: Failure;
  /** Buttons: Retry, Dismiss, … */
  children?: ReactNode;
}

/** What went wrong, to what, and what to do, in the reader's language. */
export function FailureBox({ failure, children }: Props) {
  const { t, failure: words } = useWords();
  const { title, message, action } = words(failure);
  return (
    <div className="failure" role="alert" data-testid="failure" data-code={failure.code}>
      <TriangleAlert size={16} aria-hidden />
      <div className="words">
        <p className="title">{title}</p>
        {message && <p className="message">{failure.said ? <Coded text={message} /> : message}</p>}
        <p>
          <Coded text={action} />
        </p>
        <p className="code mono">{t('failure.code', { code: failure.code })}</p>
      </div>
      {children && <div className="buttons">{children}</div>}
    </div>
  );
}
