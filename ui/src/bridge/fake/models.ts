// The model and the demo behind the fake bridge: what a test finds, what listens on this computer.
import type { Failure, LocalServer, ModelTest, SettingsView } from '../wire';

export const works: ModelTest = {
  answers: true,
  callsTools: true,
  followsPlans: true,
  fit: 'all',
  models: ['qwen3:14b', 'llama3.3:70b', 'mistral-small:24b'],
  contextTokens: 40_960,
  latencyMs: 412,
  failure: null,
};

const small: ModelTest = { ...works, contextTokens: 8192, fit: 'step' };

const dead: ModelTest = {
  ...works,
  answers: false,
  callsTools: false,
  followsPlans: false,
  fit: 'no',
  models: [],
  contextTokens: null,
  failure: {
    code: 'LLM_UNREACHABLE',
    message: 'Nothing is listening on 127.0.0.1:11434.',
    details: {
      address: '127.0.0.1:11434',
      provider: 'ollama',
      local: true,
      absence: 'refused',
    },
    action: 'Is Ollama started? Start it, or correct the address in the settings.',
    said: { key: 'nothing_listens', values: { address: '127.0.0.1:11434' } },
    advice: { key: 'is_it_started', values: { server: 'Ollama' } },
  },
};

const place = (provider: string, title: string, port: number): LocalServer => ({
  provider,
  title,
  baseUrl: `http://127.0.0.1:${port}/v1`,
  state: 'nothing',
  models: [],
});

/** What listens on this computer, by scenario. */
export function localModels(scenario: string): LocalServer[] {
  const ollama = place('ollama', 'Ollama', 11434);
  const found = scenario === 'no-model' ? {} : { state: 'found' as const, models: works.models };
  return [
    { ...ollama, ...found },
    place('lmstudio', 'LM Studio', 1234),
    { ...place('llamacpp', 'llama.cpp', 8080), state: 'other' },
  ];
}

/** The key that is kept: it goes to the server it was given for and to no other. */
export class KeptKey {
  private server: string | null = null;

  keep(view: SettingsView, key: string) {
    this.server = key ? origin(view.settings.model.baseUrl) : null;
    this.show(view, key !== '');
  }

  /** Says again whether there is a key, after the settings may have named another server. */
  show(view: SettingsView, kept = view.apiKeyIn !== 'none') {
    const here = kept && (!this.server || this.server === origin(view.settings.model.baseUrl));
    view.hasApiKey = here;
    view.apiKeyIn = here ? 'keychain' : kept ? 'elsewhere' : 'none';
  }
}

const origin = (url: string) => (URL.canParse(url) ? new URL(url).origin : null);

/** Whom a test asked. */
const asked = ({ settings: { model }, hasApiKey }: SettingsView) =>
  JSON.stringify([model.provider, model.baseUrl, model.model, model.headers, hasApiKey]);

/** With the caution where a key would go to another machine in the clear. */
function cautioned(view: SettingsView): SettingsView {
  const { baseUrl } = view.settings.model;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const here = url && /^(localhost|127\..*|\[::1\])$/.test(url.hostname);
  if (!view.hasApiKey || url?.protocol !== 'http:' || here) return view;
  return {
    ...view,
    caution: { key: 'key_in_the_clear', values: { server: url.hostname } },
  };
}

/** Keeps what a test found, for as long as it holds. */
export class ModelTests {
  private last: { asked: string; test: ModelTest } | null = null;

  test(view: SettingsView, scenario: string): ModelTest {
    const { baseUrl, model } = view.settings.model;
    const alive = scenario === 'small-model' ? small : works;
    const test = scenario === 'no-model' || !baseUrl || !model ? dead : alive;
    this.last = { asked: asked(view), test };
    return test;
  }

  /** The settings, with the test that was made of them. */
  view(view: SettingsView): SettingsView {
    const { last } = this;
    const copy = cautioned(structuredClone(view));
    return last && last.asked === asked(view) ? { ...copy, tested: last.test } : copy;
  }
}

/** Refuses to go on with a model where the program refuses. */
export function checkOwnModel(demo: boolean, view: SettingsView) {
  if (!demo) {
    throw {
      code: 'NOT_NOW',
      message: 'the run asks your own model already',
    } satisfies Failure;
  }
  if (!view.settings.model.baseUrl || !view.settings.model.model) {
    throw {
      code: 'LLM_NOT_CONFIGURED',
      message: 'no model is connected: the endpoint or the model name is empty',
    } satisfies Failure;
  }
}
