import { useContext, useEffect, useState } from 'react';
import type { Failure, SettingsView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';
import { Field, Input } from '../kit/field';
import { Select } from '../kit/select';
import { storeApiKey } from '../state/actions';
import { serverOf } from '../state/models';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { ExtraHeaders } from './extra-headers';
import { LocalModels } from './local-models';
import { ModelPrices } from './model-prices';
import { TestConnection } from './model-test';
import { NumberSetting, SavingContext, TextSetting, ToolOfferChoice } from './setting-fields';

/** A name that one server knows means nothing to another. */
const withoutModel = (view: SettingsView, isOther: boolean) =>
  isOther && view.settings.model.model !== '' ? { model: '' } : {};

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
    const isOther = provider !== view.settings.model.provider;
    const model = { provider, ...(baseUrl ? { baseUrl } : {}), ...withoutModel(view, isOther) };
    onFailure(await save({ model }));
  };
  return (
    <Field label={t('settings.provider')}>
      {(ids) => (
        <Select
          {...ids}
          value={view.settings.model.provider}
          data-testid="model-provider"
          choices={providers.map(({ name }) => ({
            value: name,
            label: t(`provider.${name}` as Key),
          }))}
          onChange={(provider) => void choose(provider)}
        />
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
          patch={(baseUrl) => {
            const isOther = model.baseUrl !== '' && serverOf(baseUrl) !== serverOf(model.baseUrl);
            return { model: { baseUrl, ...withoutModel(view, isOther) } };
          }}
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
