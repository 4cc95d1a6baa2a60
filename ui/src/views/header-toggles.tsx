import { PanelLeft, PanelRight } from 'lucide-react';
import { useWords } from '../i18n';
import { IconButton } from '../kit/button';
import { NARROW, useMedia } from '../kit/use-media';
import { useApp, useView } from '../state/store';

/** Shows and hides the list at the left. */
export function PanelToggle() {
  const { store } = useApp();
  const { t } = useWords();
  const panel = useView((v) => v.panelOpen);
  return (
    <IconButton
      icon={PanelLeft}
      label={t('conversation.panel')}
      aria-pressed={panel}
      onClick={() => store.setState({ panelOpen: !panel })}
    />
  );
}

/** Shows and hides what is known beside the conversation. */
export function InspectorToggle() {
  const { store } = useApp();
  const { t } = useWords();
  const narrow = useMedia(NARROW);
  const inspector = useView((v) => (narrow ? v.drawerOpen : v.inspectorOpen));
  return (
    <IconButton
      icon={PanelRight}
      label={t('conversation.inspector')}
      aria-pressed={inspector}
      data-testid="inspector-toggle"
      onClick={() => store.setState(narrow ? { drawerOpen: true } : { inspectorOpen: !inspector })}
    />
  );
}
