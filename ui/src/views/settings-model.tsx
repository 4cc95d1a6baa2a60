import { CircleCheck, CircleX, PlugZap, Square, Timer } from 'lucide-react';
import { useContext, useEffect, useState } from 'react';
import type { Failure, ModelTest, SettingsView, ToolOffer } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Field, Input, Select } from '../kit/field';
import { storeApiKey } from '../state/actions';
import { loadSettings } from '../state/load';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { ExtraHeaders } from './extra-headers';
import { LocalModels } from './local-models';
import { ModelPrices } from './model-prices';
import { NumberSetting, SavingContext, TextSetting, ToolOfferChoice } from './setting-fields';

/** Where the models come from. A provider without an address of its own keeps the one there is. */
function Provider({
  view,
  onFailure,
}: {
  view: SettingsView;
  onFailure: (f: Failure | null) => void;
}) {
  const { t } = useWords();
  const { save } = useContext(SavingContext);
  const { providers } = view;
  const choose = async (provider: string) => {
    const baseUrl = providers.find((one) => one.name === provider)?.baseUrl;
    onFailure(await save({ model: baseUrl ? { provider, baseUrl } : { provider } }));
  };
  return (
    <Field label={t('settings.provider')}>
      {(ids) => (
        <Select
          {...ids}
          value={view.settings.model.provider}
          data-testid="model-provider"
          onChange={(event) => void choose(event.target.value)}
        >
          {providers.map(({ name }) => (
            <option key={name} value={name}>
              {t(`provider.${name}` as Key)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** What to know before the key is sent where the settings say. */
function KeyCaution({ view }: { view: SettingsView }) {
  const { say } = useWords();
  const words = view.caution && say(view.caution);
  if (!words) return null;
  return (
    <p className="caution" data-testid="key-caution">
      {words}
    </p>
  );
}

function ApiKey({ view }: { view: SettingsView }) {
  const app = useApp();
  const { t, failure: words } = useWords();
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const fromEnvironment = view.apiKeyIn === 'environment';
  const keep = async (text: string) => {
    const problem = await storeApiKey(app, text);
    setFailure(problem);
    if (!problem) setKey('');
  };
  return (
    <Field
      label={t('settings.apiKey')}
      hint={t(`settings.apiKey.${view.apiKeyIn}` as Key)}
      error={failure ? words(failure).title : undefined}
    >
      {(ids) => (
        <div className="picked">
          <Input
            {...ids}
            type="password"
            value={key}
            disabled={fromEnvironment}
            placeholder={t(view.hasApiKey ? 'settings.apiKey.kept' : 'settings.apiKey.placeholder')}
            data-testid="api-key"
            onChange={(event) => setKey(event.target.value)}
          />
          <Button
            disabled={!key.trim()}
            data-testid="save-api-key"
            onClick={() => void keep(key.trim())}
          >
            {t('settings.apiKey.save')}
          </Button>
          {!fromEnvironment && view.apiKeyIn !== 'none' && (
            <Button kind="quiet" data-testid="forget-api-key" onClick={() => void keep('')}>
              {t('settings.apiKey.forget')}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}

function Check({ ok, children }: { ok: boolean; children: React.ReactNode }) {
  const Icon = ok ? CircleCheck : CircleX;
  return (
    <li className={ok ? 'ok' : 'bad'}>
      <Icon size={15} aria-hidden />
      {children}
    </li>
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
      {test.models.length > 0 && (
        <Field label={t('settings.test.models', { count: number(test.models.length) })}>
          {(ids) => (
            <Select
              {...ids}
              value={test.models.includes(model) ? model : ''}
              onChange={(event) => void save({ model: { model: event.target.value } })}
            >
              <option value="" disabled>
                {t('settings.test.use')}
              </option>
              {test.models.map((name) => (
                <option key={name} value={name}>
                  {visible(name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  );
}

/** Asks for real. What was found is the program's to say, and only of what it asked. */
function TestConnection({ view, edited }: { view: SettingsView; edited: boolean }) {
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

function TimeLimits({ model }: { model: SettingsView['settings']['model'] }) {
  const { t } = useWords();
  return (
    <fieldset className="three">
      <legend className="field-label">{t('settings.timeouts')}</legend>
      <NumberSetting
        label={t('settings.timeout.connect')}
        name="model.connectTimeoutS"
        value={model.connectTimeoutS}
        min={1}
        testId="timeout-connect"
        patch={(connectTimeoutS) => ({ model: { connectTimeoutS } })}
      />
      <NumberSetting
        label={t('settings.timeout.first')}
        name="model.firstByteTimeoutS"
        value={model.firstByteTimeoutS}
        min={1}
        testId="timeout-first"
        patch={(firstByteTimeoutS) => ({ model: { firstByteTimeoutS } })}
      />
      <NumberSetting
        label={t('settings.timeout.idle')}
        name="model.idleTimeoutS"
        value={model.idleTimeoutS}
        min={1}
        testId="timeout-idle"
        patch={(idleTimeoutS) => ({ model: { idleTimeoutS } })}
      />
    </fieldset>
  );
}

/** Brings the field into sight that a failure of the model led to. */
function useLedTo() {
  const app = useApp();
  const field = useView((v) => v.settingsField);
  useEffect(() => {
    if (!field) return;
    const input = document.querySelector<HTMLElement>(`[data-testid="${field}"]`);
    input?.scrollIntoView({ block: 'center' });
    input?.focus();
    app.store.setState({ settingsField: null });
  }, [app, field]);
}

/** Which model, where, with which key; and whether it really works. */
export function ModelSection({ view }: { view: SettingsView }) {
  const { t, number } = useWords();
  const { settled } = useContext(SavingContext);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [edited, setEdited] = useState(false);
  useLedTo();
  const { model } = view.settings;
  const context = view.tested?.contextTokens;
  const known = context != null && model.contextTokens === null;
  return (
    <>
      <p className="hint">{t('settings.model.hint')}</p>
      <LocalModels />
      {/* What is being typed is not what was tested; once it is saved, the program knows. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as one */}
      <div
        role="group"
        aria-label={t('settings.model')}
        className="fields"
        onChange={() => setEdited(true)}
        onBlur={() =>
          void Promise.resolve()
            .then(settled)
            .then(() => setEdited(false))
        }
      >
        <Provider view={view} onFailure={setFailure} />
        {failure && <FailureBox failure={failure} />}
        <TextSetting
          label={t('settings.baseUrl')}
          hint={t(model.provider === 'azure' ? 'settings.baseUrl.azure' : 'settings.baseUrl.hint')}
          name="model.baseUrl"
          value={model.baseUrl}
          inputMode="url"
          placeholder={view.providers.find(({ name }) => name === 'ollama')?.baseUrl}
          testId="model-base-url"
          check={(text) =>
            text === '' || /^https?:\/\/\S+$/.test(text) ? undefined : t('settings.url')
          }
          patch={(baseUrl) => ({ model: { baseUrl } })}
        />
        <TextSetting
          label={t('settings.modelName')}
          name="model.model"
          value={model.model}
          testId="model-name"
          patch={(name) => ({ model: { model: name } })}
        />
        <ApiKey view={view} />
        <KeyCaution view={view} />
      </div>
      <TestConnection view={view} edited={edited} />
      <NumberSetting
        label={t('settings.context')}
        hint={t('settings.context.hint')}
        name="model.contextTokens"
        value={model.contextTokens}
        min={512}
        optional
        placeholder={known ? t('settings.context.known', { count: number(context) }) : undefined}
        testId="context-tokens"
        patch={(contextTokens) => ({ model: { contextTokens } })}
      />
      <ToolOfferChoice offer={model.tools} />
      <ExtraHeaders headers={model.headers} />
      <TimeLimits model={model} />
      <ModelPrices costs={view.settings.costs} model={model.model} />
    </>
  );
}
