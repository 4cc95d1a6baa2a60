import { CircleCheck, CircleX, PlugZap, Square, Timer } from 'lucide-react';
import { useContext, useState } from 'react';
import type { Failure, ModelTest, SettingsView, ToolOffer } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Field } from '../kit/field';
import { Select } from '../kit/select';
import { loadSettings } from '../state/load';
import { useApp } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { SavingContext } from './setting-fields';

function Check({ ok, children }: { ok: boolean; children: React.ReactNode }) {
  const Icon = ok ? CircleCheck : CircleX;
  return (
    <li className={ok ? 'ok' : 'bad'}>
      <Icon size={15} aria-hidden />
      {children}
    </li>
  );
}

/** Whether a server that lists these models has this one; Ollama takes a name without its version. */
const hasModel = (models: readonly string[], model: string) =>
  models.includes(model) || models.includes(`${model}:latest`);

/** The models of the server, to choose one of. */
function Listed({ models, model }: { models: readonly string[]; model: string }) {
  const { t, count } = useWords();
  const { save } = useContext(SavingContext);
  return (
    <>
      {model !== '' && !hasModel(models, model) && (
        <p className="caution" data-testid="model-unlisted">
          {t('settings.test.unlisted', { name: model })}
        </p>
      )}
      <Field label={count('settings.test.models', models.length)}>
        {(ids) => (
          <Select
            {...ids}
            value={model}
            data-testid="server-models"
            placeholder={t('settings.test.use')}
            choices={models.map((name) => ({ value: name, label: visible(name) }))}
            onChange={(name) => void save({ model: { model: name } })}
          />
        )}
      </Field>
    </>
  );
}

function Found({ test, model, offer }: { test: ModelTest; model: string; offer: ToolOffer }) {
  const { t, number } = useWords();
  const { save } = useContext(SavingContext);
  return (
    <div
      className="model-test"
      data-testid="model-test-result"
      data-answers={test.answers}
      data-tools={test.callsTools}
    >
      <ul>
        <Check ok={test.answers}>
          {t(test.answers ? 'settings.test.answers' : 'settings.test.noAnswer')}
        </Check>
        {test.answers && (
          <Check ok={test.callsTools}>
            {t(test.callsTools ? 'settings.test.tools' : 'settings.test.noTools')}
          </Check>
        )}
        {test.callsTools && (
          <Check ok={test.fit !== 'no'}>
            {t(`settings.test.fit.${test.fit}`)}
            {test.fit === 'step' && offer === 'all' && (
              <Button
                data-testid="offer-step-now"
                onClick={() => void save({ model: { tools: 'step' } })}
              >
                {t('settings.test.fit.use')}
              </Button>
            )}
          </Check>
        )}
        {test.answers && (
          <li>
            <Timer size={15} aria-hidden />
            {t('settings.test.latency', { ms: number(test.latencyMs) })}
          </li>
        )}
        {test.contextTokens !== null && (
          <li>{t('settings.test.context', { count: number(test.contextTokens) })}</li>
        )}
      </ul>
      {test.failure && <FailureBox failure={test.failure} />}
      {test.models.length > 0 && <Listed models={test.models} model={model} />}
    </div>
  );
}

/** Asks for real. What was found is the program's to say, and only of what it asked. */
export function TestConnection({ view, edited }: { view: SettingsView; edited: boolean }) {
  const app = useApp();
  const { t } = useWords();
  const { settled } = useContext(SavingContext);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const ask = async () => {
    setBusy(true);
    setFailure(null);
    // The click that got here may just have left a field whose text is being saved.
    await settled();
    const result = await app.bridge.query({ type: 'testModel' });
    // A stop is what the person asked for.
    if (!result.ok && result.failure.code !== 'ENGINE_ABORTED') setFailure(result.failure);
    await loadSettings(app);
    setBusy(false);
  };
  const { tested } = view;
  return (
    <div className="test" aria-live="polite">
      <div className="picked">
        <Button
          kind="primary"
          icon={PlugZap}
          busy={busy}
          disabled={busy}
          data-testid="test-connection"
          onClick={() => void ask()}
        >
          {t(busy ? 'settings.test.busy' : 'settings.test')}
        </Button>
        {busy && (
          <Button
            icon={Square}
            data-testid="stop-test"
            onClick={() => void app.bridge.submit({ type: 'stopModelTest' })}
          >
            {t('settings.test.stop')}
          </Button>
        )}
      </div>
      {tested && !edited && !busy && (
        <Found test={tested} model={view.settings.model.model} offer={view.settings.model.tools} />
      )}
      {tested && edited && !busy && <p className="hint">{t('settings.test.edited')}</p>}
      {failure && !busy && <FailureBox failure={failure} />}
    </div>
  );
}
