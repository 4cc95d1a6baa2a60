import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../i18n';
import { IconButton } from '../kit/button';
import { useApp } from '../state/store';

/** What a list of the sidebar is, the way back to the runs, and what can be done. */
export function PanelHeader({ title, children }: { title: string; children?: ReactNode }) {
  const { store } = useApp();
  const { t } = useWords();
  return (
    <header className="panel-header">
      <IconButton
        icon={ArrowLeft}
        label={t('rail.works')}
        data-testid="rail-works"
        onClick={() => store.setState({ panel: 'works' })}
      />
      <h2>{title}</h2>
      {children}
    </header>
  );
}
