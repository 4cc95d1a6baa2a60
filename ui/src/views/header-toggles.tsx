import { PanelLeft, PanelRight } from 'lucide-react';
import { useWords } from '../i18n';
import { IconButton } from '../kit/button';
import { NARROW, TIGHT, useMedia } from '../kit/use-media';
import { useApp, useView } from '../state/store';

/** Shows and hides the sidebar. */
export function PanelToggle() {
  const { store } = useApp();
  const { t } = useWords();
  const narrow = useMedia(NARROW);
  const panel = useView((v) => (narrow ? v.sidebarOver : v.panelOpen));
  return (
    <IconButton
      icon={PanelLeft}
      label={t('conversation.panel')}
      aria-pressed={panel}
      data-testid="sidebar-toggle"
      onClick={() => store.setState(narrow ? { sidebarOver: true } : { panelOpen: !panel })}
    />
  );
}

/** Shows and hides what is known beside the conversation. */
export function InspectorToggle() {
  const { store } = useApp();
  const { t } = useWords();
  const tight = useMedia(TIGHT);
  const inspector = useView((v) => (tight ? v.drawerOpen : v.inspectorOpen));
  return (
    <IconButton
      icon={PanelRight}
      label={t('conversation.inspector')}
      aria-pressed={inspector}
      data-testid="inspector-toggle"
      onClick={() => store.setState(tight ? { drawerOpen: true } : { inspectorOpen: !inspector })}
    />
  );
}
