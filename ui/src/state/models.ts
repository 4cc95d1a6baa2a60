// The model: which ones are known, switching to another, testing it; and what a failure of it means
// for the person: which field of the settings it is about, and whether asking again can help before
// something was changed there.
import { asFailure, type Result } from '../bridge';
import type { Failure, KnownModel, LocalServer, SettingsView } from '../bridge/wire';
import type { Words } from '../i18n';
import { configure } from './actions';
import { busyWith } from './ask';
import { loadSettings } from './load';
import type { App, ModelField } from './store';

const fields: Partial<Record<Failure['code'], ModelField>> = {
  LLM_NOT_CONFIGURED: 'model-base-url',
  LLM_AUTH_FAILED: 'api-key',
  LLM_MODEL_NOT_FOUND: 'model-name',
  LLM_UNREACHABLE: 'model-base-url',
  LLM_HTTP_ERROR: 'model-base-url',
  LLM_BAD_RESPONSE: 'model-base-url',
  LLM_TIMEOUT: 'model-base-url',
  LLM_RATE_LIMITED: 'api-key',
  LLM_CONTEXT_TOO_LONG: 'context-tokens',
  CONTEXT_STILL_TOO_LARGE: 'context-tokens',
};

/** The field of the settings a failure is about; null when it is not about the model. */
export const fieldOf = (failure: Failure): ModelField | null => fields[failure.code] ?? null;

/** True when the conversation is longer than the model reads. */
export const isTooLong = ({ code }: Failure): boolean =>
  code === 'CONTEXT_STILL_TOO_LARGE' || code === 'LLM_CONTEXT_TOO_LONG';

const hopeless: readonly Failure['code'][] = [
  'LLM_NOT_CONFIGURED',
  'LLM_AUTH_FAILED',
  'LLM_MODEL_NOT_FOUND',
];

/** True when the same request must fail again as long as the settings stay as they are. */
export const needsChange = (failure: Failure): boolean => hopeless.includes(failure.code);

/** What is known of the model that is set up, in one line; null when none is. */
export function modelLine(view: SettingsView | null, { t, number }: Words): string | null {
  const { baseUrl, model } = view?.settings.model ?? { baseUrl: '', model: '' };
  if (!view || !baseUrl || !model) return null;
  const { tested } = view;
  if (!tested) return t('start.model.untested', { model });
  if (!tested.answers) return t('start.model.silent', { model });
  if (!tested.callsTools) return t('start.model.noTools', { model });
  if (tested.contextTokens === null) return t('start.model.works', { model });
  const context = `${number(Math.round(tested.contextTokens / 1000))}k`;
  return t('start.model.works.context', { model, context });
}

/** A model that can be chosen, with what was set for it where it answered before. */
export type ModelChoice = Pick<KnownModel, 'provider' | 'baseUrl' | 'model'> & Partial<KnownModel>;

/** Models of one place, or of several. */
export interface ModelGroup {
  /** The address of the place; null for those that answered before, wherever they are. */
  place: string | null;
  /** What the place is called. */
  title: string;
  models: readonly ModelChoice[];
  /** How many more there are at that place. */
  more: number;
}

/** Models of a place that are offered at once. */
const OFFERED = 6;

/** The server that an address leads to. */
export const serverOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** What tells a model from every other one. */
export const choiceId = ({ baseUrl, model }: Pick<ModelChoice, 'baseUrl' | 'model'>): string =>
  `${baseUrl} ${model}`;

/**
 * The models that the program knows: the one that is set up and those that answered before, those
 * that the server of the one that is set up listed, and those that were found on this computer. Each
 * is told of once, and each place too. What is found later only comes behind what was there.
 */
export function knownModels(view: SettingsView, servers: readonly LocalServer[]): ModelGroup[] {
  const { model } = view.settings;
  const isSet = model.baseUrl !== '' && model.model !== '';
  const told = new Set<string>();
  const fresh = (all: readonly ModelChoice[]) =>
    all.filter((one) => {
      const isNew = !told.has(choiceId(one));
      told.add(choiceId(one));
      return isNew;
    });
  const isNow = (one: ModelChoice) => isSet && choiceId(one) === choiceId(model);
  const now = isSet && !view.known.some(isNow) ? [model] : [];
  const used = fresh([...now, ...view.known]);
  const places = new Map<string, { title: string; all: ModelChoice[] }>();
  const at = (baseUrl: string, title: string, provider: string, names: readonly string[]) => {
    const all = fresh(names.map((name) => ({ provider, baseUrl, model: name })));
    places.set(baseUrl, { title, all: [...(places.get(baseUrl)?.all ?? []), ...all] });
  };
  at(model.baseUrl, serverOf(model.baseUrl), model.provider, view.tested?.models ?? []);
  for (const one of servers) {
    if (one.state === 'found') at(one.baseUrl, one.title, one.provider, one.models);
  }
  const groups = [...places].map(([place, { title, all }]) => {
    const models = all.slice(0, OFFERED);
    return { place, title, models, more: all.length - models.length };
  });
  return [{ place: null, title: '', models: used, more: 0 }, ...groups].filter(
    ({ models }) => models.length > 0,
  );
}

/**
 * Lets another model answer. What was set for it before holds again; of one that never answered the
 * size of its context is not known, and it is offered all tools.
 */
export function switchModel(app: App, choice: ModelChoice): Promise<Failure | null> {
  const { provider, baseUrl, model, contextTokens = null, tools = 'all' } = choice;
  const patch = { provider, baseUrl, model, contextTokens, tools };
  return busyWith(app, 'switchModel', () => configure(app, { model: patch }));
}

/** Asks the model for real; what was found is in the settings then. Null also where it was stopped. */
export function testModel(app: App): Promise<Failure | null> {
  return busyWith(app, 'testModel', async () => {
    const result = await app.bridge.query({ type: 'testModel' });
    await loadSettings(app);
    // A stop is what the person asked for.
    return result.ok || result.failure.code === 'ENGINE_ABORTED' ? null : result.failure;
  });
}

export const stopModelTest = (app: App) => void app.bridge.submit({ type: 'stopModelTest' });

/** The model servers on this computer. */
export const localServers = (app: App): Promise<Result<LocalServer[]>> =>
  app.bridge
    .query({ type: 'localModels' })
    .catch((thrown) => ({ ok: false as const, failure: asFailure(thrown) }));
