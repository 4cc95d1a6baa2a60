import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { goToModel } from '../state/actions';
import { useApp, useView } from '../state/store';
import { DemoModel } from './own-model';

/** Which model answers, and what is known of it; leads to its settings. */
export function ModelRow() {
  const app = useApp();
  const { t } = useWords();
  const isDemo = useView((v) => v.conversation.status?.run?.demo ?? false);
  const view = useView((v) => v.settings);
  if (isDemo) return <DemoModel />;
  const { baseUrl = '', model = '' } = view?.settings.model ?? {};
  const isSet = baseUrl !== '' && model !== '';
  const tested = isSet ? view?.tested : null;
  const standing = !tested ? 'unknown' : tested.answers && tested.callsTools ? 'works' : 'bad';
  return (
    <button
      type="button"
      className="model-row"
      title={t('model.settings')}
      data-testid="model-row"
      data-standing={standing}
      onClick={() => goToModel(app, isSet ? 'model-name' : 'model-base-url')}
    >
      <span className="dot" aria-hidden />
      <span className="clip">{isSet ? visible(model) : t('status.nomodel')}</span>
      {isSet && <span className="hint">{t(`model.standing.${standing}`)}</span>}
    </button>
  );
}
