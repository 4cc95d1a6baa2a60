import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { choose, makeApp, recordingBridge, showIn } from '../test/render';
import { Root } from './app';
import { Settings } from './settings';

async function open(scenario = 'start') {
  const { bridge, commands } = recordingBridge(scenario);
  showIn(makeApp(bridge), <Settings />);
  await screen.findByTestId('model-base-url');
  return { commands, user: userEvent.setup() };
}

test('a changed field is saved when it is left, and only that field is sent', async () => {
  const { user, commands } = await open();
  const name = screen.getByTestId('model-name');
  await user.clear(name);
  await user.type(name, 'mistral{Tab}');
  await waitFor(() =>
    expect(commands).toEqual([{ type: 'configure', patch: { model: { model: 'mistral' } } }]),
  );
  await screen.findByText('Saved');
});

test('a field that was not changed sends nothing', async () => {
  const { user, commands } = await open();
  await user.click(screen.getByTestId('model-name'));
  await user.tab();
  expect(commands).toEqual([]);
});

test('a name that is no setting can be removed, and what it may have guarded is said', async () => {
  const { user, commands } = await open('misnamed-settings');
  const problem = screen.getByTestId('failure');
  expect(problem).toHaveTextContent('strictest');
  expect(problem).toHaveTextContent('settings.json');
  await user.click(screen.getByTestId('remove-name'));
  await waitFor(() => expect(screen.queryByTestId('failure')).toBeNull());
  expect(commands).toEqual([{ type: 'configure', patch: { approval: { write: null } } }]);
});

test('a setting that is not valid is corrected in its field and not removed', async () => {
  await open('broken-settings');
  expect(screen.getByTestId('failure')).toHaveTextContent('approval.writes');
  expect(screen.queryByTestId('remove-name')).toBeNull();
});

test('what becomes of a step without its files is chosen at once', async () => {
  const { user, commands } = await open();
  expect(screen.getByTestId('outputs-enforce')).toHaveAttribute('aria-pressed', 'true');
  await user.click(screen.getByTestId('outputs-warn'));
  await waitFor(() =>
    expect(screen.getByTestId('outputs-warn')).toHaveAttribute('aria-pressed', 'true'),
  );
  expect(commands).toEqual([{ type: 'configure', patch: { acceptance: { outputs: 'warn' } } }]);
});

test('an impossible value is named beside its field and not sent', async () => {
  const { user, commands } = await open();
  const url = screen.getByTestId('model-base-url');
  await user.clear(url);
  await user.type(url, 'ftp://x{Enter}');
  expect(url).toHaveAccessibleDescription(/http:\/\/ or https:\/\//);
  expect(commands).toEqual([]);
});

test('a refusal of the runtime is shown beside the field', async () => {
  const { user } = await open();
  const turns = screen.getByTestId('max-turns');
  await user.clear(turns);
  await user.type(turns, '5000{Enter}');
  await waitFor(() =>
    expect(turns).toHaveAccessibleDescription(/engine\.maxTurns is at most 1000/),
  );
});

test('a key that would go to another machine unencrypted is cautioned about', async () => {
  const { user } = await open();
  const url = screen.getByTestId('model-base-url');
  const go = async (to: string) => {
    await user.clear(url);
    await user.type(url, `${to}{Enter}`);
  };
  await go('http://llm.example/v1');
  expect(screen.queryByTestId('key-caution')).toBeNull();
  await user.type(screen.getByTestId('api-key'), 'sk-test-0123');
  await user.click(screen.getByTestId('save-api-key'));
  expect(await screen.findByTestId('key-caution')).toHaveTextContent('llm.example unencrypted');
  await go('https://llm.example/v1');
  await waitFor(() => expect(screen.queryByTestId('key-caution')).toBeNull());
});

test('a preset fills in its address', async () => {
  const { user, commands } = await open();
  await choose(user, 'model-provider', 'LM Studio (local)');
  await waitFor(() =>
    expect(screen.getByTestId('model-base-url')).toHaveValue('http://127.0.0.1:1234/v1'),
  );
  expect(commands).toEqual([
    {
      type: 'configure',
      // The name of the other server's model goes.
      patch: { model: { provider: 'lmstudio', baseUrl: 'http://127.0.0.1:1234/v1', model: '' } },
    },
  ]);
});

test('every provider is offered, and one without an address of its own keeps what is there', async () => {
  const { user, commands } = await open();
  await user.click(screen.getByTestId('model-provider'));
  expect(await screen.findAllByRole('option')).toHaveLength(13);
  await user.click(screen.getByRole('option', { name: 'Azure OpenAI' }));
  await waitFor(() =>
    expect(commands).toEqual([
      { type: 'configure', patch: { model: { provider: 'azure', model: '' } } },
    ]),
  );
});

test('the key goes out once, leaves the field, and the page says where it is kept', async () => {
  const { user, commands } = await open();
  await user.type(screen.getByTestId('api-key'), 'sk-test');
  await user.click(screen.getByTestId('save-api-key'));
  await screen.findByText(/keychain/);
  expect(screen.getByTestId('api-key')).toHaveValue('');
  expect(commands).toEqual([{ type: 'storeApiKey', key: 'sk-test' }]);
  await user.click(screen.getByTestId('forget-api-key'));
  await screen.findByText(/No key saved/);
  expect(commands.at(-1)).toEqual({ type: 'storeApiKey', key: '' });
});

test('a key stays with the server it was given for, and the page says so', async () => {
  const { user } = await open();
  await choose(user, 'model-provider', 'LM Studio (local)');
  await user.type(screen.getByTestId('api-key'), 'sk-test');
  await user.click(screen.getByTestId('save-api-key'));
  await screen.findByText(/Saved in the system's keychain/);
  await choose(user, 'model-provider', 'Ollama (local)');
  await screen.findByText(/belongs to another server/);
  await user.click(screen.getByTestId('forget-api-key'));
  await screen.findByText(/No key saved/);
});

test('limits are typed in KiB and sent in bytes', async () => {
  const { user, commands } = await open();
  const read = screen.getByTestId('max-read');
  expect(read).toHaveValue('512');
  await user.clear(read);
  await user.type(read, '1024{Enter}');
  await waitFor(() =>
    expect(commands).toEqual([
      { type: 'configure', patch: { tools: { maxReadBytes: 1_048_576 } } },
    ]),
  );
});

test('an emptied context means: ask the server', async () => {
  const { user, commands } = await open();
  const context = screen.getByTestId('context-tokens');
  await user.type(context, '8192{Enter}');
  await waitFor(() => expect(context).toHaveValue('8192'));
  await screen.findByText('Saved');
  await user.clear(context);
  await user.type(context, '{Enter}');
  await waitFor(() =>
    expect(commands.at(-1)).toEqual({
      type: 'configure',
      patch: { model: { contextTokens: null } },
    }),
  );
});

test('a connection test shows what was found', async () => {
  const { user } = await open();
  await user.click(screen.getByTestId('test-connection'));
  const result = await screen.findByTestId('model-test-result');
  expect(result).toHaveTextContent('Calls tools');
  expect(result).toHaveTextContent('412 ms');
});

test('a model that can only run workflows step by step can be led so with one click', async () => {
  const { user, commands } = await open('small-model');
  await user.click(screen.getByTestId('test-connection'));
  const result = await screen.findByTestId('model-test-result');
  expect(result).toHaveTextContent('with the tools of one step at a time');
  await user.click(screen.getByTestId('offer-step-now'));
  const patch = { model: { tools: 'step' } };
  await waitFor(() => expect(commands.at(-1)).toEqual({ type: 'configure', patch }));
  await waitFor(() => expect(screen.queryByTestId('offer-step-now')).toBeNull());
});

test('a failed connection test says what to do', async () => {
  const { user } = await open('no-model');
  await user.click(screen.getByTestId('test-connection'));
  await screen.findByTestId('model-test-result');
  expect(screen.getByTestId('failure')).toHaveTextContent(/Is Ollama started\?/);
});

test('an older store is looked at before it is taken over, and each thing is told', async () => {
  const { user, commands } = await open();
  await user.click(screen.getByTestId('import-electron'));
  await screen.findByText('Nothing has been written yet.');
  expect(commands).toEqual([]);
  expect(screen.getByTestId('import-failed')).toHaveTextContent('the `role` is none of the four');
  expect(screen.queryByText('42 messages')).toBeNull();
  await user.click(screen.getByTestId('import-all'));
  expect(screen.getByText('42 messages')).toBeVisible();
  await user.click(screen.getByTestId('import-confirm'));
  await screen.findByText(/The import is done/);
  expect(commands).toEqual([{ type: 'importElectron', path: '/projects', withKeys: false }]);
  expect(screen.queryByTestId('import-confirm')).toBeNull();
});

test('which writes ask is chosen with one click', async () => {
  const { user, commands } = await open();
  await user.click(screen.getByTestId('approval-ask'));
  await waitFor(() =>
    expect(commands).toEqual([{ type: 'configure', patch: { approval: { writes: 'ask' } } }]),
  );
  await waitFor(() =>
    expect(screen.getByTestId('approval-ask')).toHaveAttribute('aria-pressed', 'true'),
  );
});

test('what a test found goes as soon as something of what it asked is changed', async () => {
  const { user } = await open();
  await user.click(screen.getByTestId('test-connection'));
  await screen.findByTestId('model-test-result');
  const name = screen.getByTestId('model-name');
  await user.type(name, 'x');
  expect(screen.queryByTestId('model-test-result')).toBeNull();
  await user.tab();
  await screen.findByText('Saved');
  expect(screen.queryByTestId('model-test-result')).toBeNull();
  // What was asked is back, and so is what is known of it.
  await user.clear(name);
  await user.type(name, 'qwen3:14b{Tab}');
  await screen.findByTestId('model-test-result');
  await choose(user, 'model-provider', 'LM Studio (local)');
  await waitFor(() => expect(screen.queryByTestId('model-test-result')).toBeNull());
});

test('servers on this computer are named with their state, and one is used with a click', async () => {
  const { user, commands } = await open();
  const found = await screen.findByTestId('local-ollama');
  expect(found).toHaveTextContent('3 models');
  expect(screen.getByTestId('local-lmstudio')).toHaveTextContent('Not started');
  expect(screen.getByTestId('local-llamacpp')).toHaveTextContent('Another program uses that port');
  expect(screen.getByTestId('use-ollama')).toBeDisabled();
  await choose(user, 'model-provider', 'OpenAI');
  await waitFor(() => expect(screen.getByTestId('use-ollama')).toBeEnabled());
  await user.click(screen.getByTestId('use-ollama'));
  const baseUrl = 'http://127.0.0.1:11434/v1';
  await waitFor(() =>
    expect(commands.at(-1)).toEqual({
      type: 'configure',
      patch: { model: { provider: 'ollama', baseUrl, model: 'qwen3:14b' } },
    }),
  );
});

test('a test can be stopped, and a stop is no failure', async () => {
  const { bridge, commands } = recordingBridge('start');
  const query = bridge.query.bind(bridge);
  let stopped = () => {};
  bridge.query = (asked) => {
    if (asked.type !== 'testModel') return query(asked);
    return new Promise((done) => {
      stopped = () =>
        done({ ok: false, failure: { code: 'ENGINE_ABORTED', message: 'the test was stopped' } });
    });
  };
  showIn(makeApp(bridge), <Settings />);
  const user = userEvent.setup();
  await user.click(await screen.findByTestId('test-connection'));
  await user.click(await screen.findByTestId('stop-test'));
  expect(commands).toEqual([{ type: 'stopModelTest' }]);
  stopped();
  await waitFor(() => expect(screen.getByTestId('test-connection')).toBeEnabled());
  expect(screen.queryByTestId('failure')).toBeNull();
});

test('extra headers are added, changed and removed, and one named like a key is refused', async () => {
  const { user, commands } = await open();
  const add = screen.getByTestId('add-header');
  expect(add).toBeDisabled();
  await user.type(screen.getByTestId('header-name'), 'X-Title');
  await user.type(screen.getByTestId('header-value'), 'Garden notes{Enter}');
  const row = await screen.findByTestId('header-row');
  expect(row).toHaveTextContent('X-Title');
  expect(screen.getByTestId('header-name')).toHaveValue('');
  const value = within(row).getByRole('textbox', { name: 'Value of X-Title' });
  await user.clear(value);
  await user.type(value, 'Notes{Tab}');
  await user.click(screen.getByRole('button', { name: 'Remove X-Title' }));
  await waitFor(() => expect(screen.queryByTestId('header-row')).toBeNull());
  const patch = (value: string | null) => ({
    type: 'configure',
    patch: { model: { headers: { 'X-Title': value } } },
  });
  expect(commands).toEqual([patch('Garden notes'), patch('Notes'), patch(null)]);
  await user.type(screen.getByTestId('header-name'), 'X-Api-Key');
  await user.type(screen.getByTestId('header-value'), 'abc');
  await user.click(add);
  const failure = await screen.findByTestId('failure');
  expect(failure).toHaveAttribute('data-code', 'SETTING_IS_KEY');
  expect(screen.getByTestId('header-value')).toHaveValue('abc');
});

test('the address of Azure is told by an example', async () => {
  const { user } = await open();
  await choose(user, 'model-provider', 'Azure OpenAI');
  await screen.findByText(/openai\.azure\.com/);
});

test('a price is added with its numbers, and removed', async () => {
  const { user, commands } = await open();
  const add = screen.getByTestId('add-price');
  await user.type(screen.getByTestId('price-model'), 'qwen3');
  await user.type(screen.getByTestId('price-input'), 'cheap');
  await user.type(screen.getByTestId('price-output'), '0,8');
  expect(add).toBeDisabled();
  await user.clear(screen.getByTestId('price-input'));
  await user.type(screen.getByTestId('price-input'), '0.2{Enter}');
  await waitFor(() => expect(screen.getAllByTestId('price-row')).toHaveLength(2));
  await user.click(screen.getByRole('button', { name: 'Remove the price of gpt-4.1' }));
  await waitFor(() => expect(screen.getAllByTestId('price-row')).toHaveLength(1));
  const known = { model: 'gpt-4.1', input: 2, output: 8 };
  const added = { model: 'qwen3', input: 0.2, output: 0.8 };
  expect(commands).toEqual([
    { type: 'configure', patch: { costs: { prices: [known, added] } } },
    { type: 'configure', patch: { costs: { prices: [added] } } },
  ]);
});

test('words are as large, and stand out as much, as the person chooses', async () => {
  const { bridge, commands } = recordingBridge('start');
  const app = makeApp(bridge);
  showIn(app, <Root />);
  await screen.findByTestId('start-screen');
  const { dataset } = document.documentElement;
  await waitFor(() => expect(dataset).toMatchObject({ contrast: 'normal', textSize: 'normal' }));
  const user = userEvent.setup();
  await user.click(screen.getByTestId('connect-model'));
  await user.click(await screen.findByTestId('text-size-larger'));
  await user.click(screen.getByTestId('contrast-high'));
  await waitFor(() => expect(dataset).toMatchObject({ contrast: 'high', textSize: 'larger' }));
  expect(commands).toEqual([
    { type: 'configure', patch: { appearance: { textSize: 'larger' } } },
    { type: 'configure', patch: { appearance: { contrast: 'high' } } },
  ]);
});

test('what the program is, and found of its own parts, is told, copied and saved', async () => {
  const { user, commands } = await open();
  const rows = await screen.findByTestId('doctor');
  await waitFor(() => expect(rows).toHaveTextContent('version 0.1.0'));
  expect(rows).toHaveTextContent('Set an endpoint in Settings');
  await user.click(screen.getByTestId('copy-doctor'));
  expect(await navigator.clipboard.readText()).toContain('ok  version: 0.1.0');
  await user.click(screen.getByTestId('save-diagnostics'));
  await waitFor(() =>
    expect(commands).toEqual([
      { type: 'saveDiagnostics', path: '/exports/crewagent-diagnostics.zip', replace: true },
    ]),
  );
});

test('the list of sections follows what is read', async () => {
  await open();
  expect(screen.getByTestId('settings-model')).toHaveAttribute('aria-current', 'true');
  const tops: Record<string, number> = { tools: -900, engine: -300, appearance: 20, language: 400 };
  for (const [section, top] of Object.entries(tops)) {
    const place = document.querySelector(`section#settings-${section}`) as HTMLElement;
    place.getBoundingClientRect = () => ({ top }) as DOMRect;
  }
  const page = document.querySelector('.settings-page') as HTMLElement;
  page.getBoundingClientRect = () => ({ top: 0, height: 600 }) as DOMRect;
  Object.defineProperty(page, 'scrollHeight', { value: 3000 });
  for (const below of ['data', 'about']) {
    const place = document.querySelector(`section#settings-${below}`) as HTMLElement;
    place.getBoundingClientRect = () => ({ top: 2000 }) as DOMRect;
  }
  fireEvent.scroll(page);
  await waitFor(() =>
    expect(screen.getByTestId('settings-appearance')).toHaveAttribute('aria-current', 'true'),
  );
});

test('another server takes the name of the model with it, a corrected path does not', async () => {
  const { user, commands } = await open();
  const address = screen.getByTestId('model-base-url');
  await user.clear(address);
  await user.type(address, 'http://127.0.0.1:11434/api/v1{Tab}');
  await waitFor(() => expect(commands).toHaveLength(1));
  expect(screen.getByTestId('model-name')).toHaveValue('qwen3:14b');
  await choose(user, 'model-provider', 'LM Studio (local)');
  await waitFor(() => expect(screen.getByTestId('model-name')).toHaveValue(''));
  await user.type(screen.getByTestId('model-name'), 'phi-4{Tab}');
  await user.clear(address);
  await user.type(address, 'http://192.168.1.7:1234/v1{Tab}');
  await waitFor(() => expect(screen.getByTestId('model-name')).toHaveValue(''));
});

test('a model that the server does not list is said to be so, and another one is chosen there', async () => {
  const { user, commands } = await open();
  await user.click(screen.getByTestId('test-connection'));
  await screen.findByTestId('model-test-result');
  expect(screen.queryByTestId('model-unlisted')).toBeNull();
  const name = screen.getByTestId('model-name');
  await user.clear(name);
  await user.type(name, 'nobody:1b{Tab}');
  await user.click(screen.getByTestId('test-connection'));
  expect(await screen.findByTestId('model-unlisted')).toHaveTextContent('“nobody:1b”');
  expect(screen.getByTestId('server-models')).toHaveTextContent('Choose a model…');
  await choose(user, 'server-models', 'qwen3:14b');
  await waitFor(() =>
    expect(commands.at(-1)).toEqual({
      type: 'configure',
      patch: { model: { model: 'qwen3:14b' } },
    }),
  );
});

test('what is said below the choice of approvals is true for the chosen one', async () => {
  const { user } = await open();
  await user.click(screen.getByTestId('approval-auto'));
  await screen.findByText(/Nothing is asked, except/);
  await user.click(screen.getByTestId('approval-ask'));
  await screen.findByText(/You see the exact change first/);
  expect(screen.queryByText(/Nothing is asked/)).toBeNull();
});

test('what is wrong with a field stands where its hint was', async () => {
  const { user } = await open();
  const address = screen.getByTestId('model-base-url');
  const hint = screen.getByText('Without /chat/completions');
  expect(address).toHaveAccessibleDescription(hint.textContent ?? '');
  await user.clear(address);
  await user.type(address, 'ftp://x{Tab}');
  const alert = await screen.findByRole('alert');
  expect(hint).not.toBeInTheDocument();
  expect(address).toHaveAccessibleDescription(alert.textContent ?? '');
});
