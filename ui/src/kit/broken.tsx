import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../i18n';

interface Props {
  part: 'part' | 'dialog' | 'screen';
  /** The buttons with which the person can go on. */
  children?: ReactNode;
}

/** Stands where a part of the window could not be shown. */
export function Broken({ part, children }: Props) {
  const { t } = useWords();
  return (
    <div className="failure" role="alert" data-testid="broken">
      <TriangleAlert size={16} aria-hidden />
      <div className="words">
        <p className="title">{t(`broken.${part}`)}</p>
        <p>{t(`broken.${part}.action`)}</p>
        <p className="code mono">{t('failure.code', { code: 'E_INTERNAL' })}</p>
      </div>
      {children && <div className="buttons">{children}</div>}
    </div>
  );
}
