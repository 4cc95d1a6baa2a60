import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { works } from '../bridge/fake/models';
import { configure } from '../state/actions';
import { loadEverything } from '../state/load';
import { choiceId, knownModels } from '../state/models';
import { enterProject } from '../state/projects';
import type { App } from '../state/store';
import { inCurrent, makeApp, recordingBridge, showIn } from '../test/render';
import { Root } from './app';

// Menus are slow to come in a browser that is none.
vi.setConfig({ testTimeout: 30_000 });

async function opened(scenario = 'completed', change?: (app: App) => unknown) {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  showIn(app, <Root />);
  await screen.findByTestId('start-screen');
  await loadEverything(app);
  await enterProject(app, 'p-notes', 'c-current');
  await screen.findByTestId('composer-input');
  await change?.(app);
  const user = userEvent.setup();
  await user.click(screen.getByTestId('model-row'));
  const menu = await screen.findByRole('menu');
  await within(menu).findByTestId('model-menu-settings');
  return { app, commands, menu, user };
}

const choices = (menu: HTMLElement) =>
  within(menu)
    .getAllByRole('menuitemradio')
    .map((one) => one.textContent);

test('the menu offers what was used, and what was found on this computer', async () => {
  const { menu } = await opened();
  expect(screen.getByTestId('model-row')).toHaveAccessibleName('Model: qwen3:14b, not tested');
  await waitFor(() =>
    expect(choices(menu)).toEqual([
      'qwen3:14b127.0.0.1:11434',
      'gpt-4.1api.openai.com',
      'llama3.3:70b',
      'mistral-small:24b',
    ]),
  );
  expect(within(menu).getByRole('group', { name: 'Current and recent' })).toBeInTheDocument();
  expect(within(menu).getByRole('group', { name: 'Ollama' })).toBeInTheDocument();
  const [now] = within(menu).getAllByRole('menuitemradio');
  expect(now).toBeChecked();
  expect(menu).toHaveTextContent('Applies to new runs');
});

test('a model is chosen with the keys, with what was set for it, and Esc leads back', async () => {
  const { app, commands, menu, user } = await opened();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  screen.getByTestId('model-row').focus();
  await user.keyboard('{Enter}');
  await within(await screen.findByRole('menu')).findByText('gpt-4.1');
  await waitFor(() => expect(document.activeElement).toHaveAttribute('role', 'menuitemradio'));
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() =>
    expect(app.store.getState().settings?.settings.model).toMatchObject({
      provider: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      model: 'gpt-4.1',
      contextTokens: 200_000,
    }),
  );
  expect(commands.filter(({ type }) => type === 'configure')).toHaveLength(1);
  expect(menu).not.toBeInTheDocument();
  // It is still there, and says what is known of the other one.
  expect(screen.getByTestId('model-menu-now')).toHaveTextContent('Set up: gpt-4.1 · not tested');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByTestId('model-row')).toHaveFocus());
  expect(screen.getByTestId('model-row')).toHaveAccessibleName('Model: gpt-4.1, not tested');
});

test('of one that never answered the size of its context is not known', async () => {
  const { app, menu, user } = await opened('completed', ({ store }) => {
    const view = store.getState().settings;
    if (!view) throw new Error('no settings');
    const model = { ...view.settings.model, contextTokens: 9000 };
    store.setState({ settings: { ...view, settings: { ...view.settings, model } } });
  });
  await user.click(await within(menu).findByText('llama3.3:70b'));
  await waitFor(() =>
    expect(app.store.getState().settings?.settings.model).toMatchObject({
      model: 'llama3.3:70b',
      contextTokens: null,
      tools: 'all',
    }),
  );
});

test('a found model that is chosen keeps its place and the focus while the menu is open', async () => {
  const { app, menu, user } = await opened();
  await within(menu).findByText('llama3.3:70b');
  const before = choices(menu);
  const found = within(menu).getByRole('menuitemradio', { name: /llama3.3/ });
  act(() => found.focus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(found).toBeChecked());
  await waitFor(() => expect(app.store.getState().busy.size).toBe(0));
  expect(found).toHaveFocus();
  expect(choices(menu)).toEqual(before);
});

test('servers that are found late leave the focus where it is', async () => {
  let tell = () => {};
  const told = new Promise<void>((done) => {
    tell = done;
  });
  const { menu, user } = await opened('completed', ({ bridge }) => {
    const query = bridge.query.bind(bridge);
    bridge.query = async (asked) => {
      if (asked.type === 'localModels') await told;
      return query(asked);
    };
  });
  await user.keyboard('{End}{ArrowUp}');
  const test = within(menu).getByTestId('model-menu-test');
  await waitFor(() => expect(test).toHaveFocus());
  await act(async () => tell());
  await within(menu).findByText('llama3.3:70b');
  expect(test).toHaveFocus();
  await waitFor(() => expect(test).toHaveAttribute('data-highlighted'));
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(within(menu).getByTestId('model-menu-settings')).toHaveFocus());
});

test('no other model is chosen while one is tested', async () => {
  const { app, commands, menu, user } = await opened();
  act(() => app.store.setState({ busy: new Set(['testModel']) }));
  const other = within(menu).getByRole('menuitemradio', { name: /gpt-4.1/ });
  expect(other).toHaveAttribute('aria-disabled', 'true');
  await user.click(other);
  expect(commands).toEqual([]);
  act(() => app.store.setState({ busy: new Set() }));
  expect(other).not.toHaveAttribute('aria-disabled', 'true');
});

test('a test tells in words what it found, and the menu stays', async () => {
  const { menu, user } = await opened();
  await user.click(within(menu).getByTestId('model-menu-test'));
  const told = within(menu).getByTestId('model-menu-told');
  await waitFor(() => expect(told).toHaveTextContent('Calls tools'));
  expect(told).toHaveTextContent('Answers');
  expect(document.querySelector('.menu-place [aria-live]')).toHaveTextContent(/^qwen3:14b works/);
  expect(within(menu).getByTestId('model-menu-now')).toHaveTextContent('qwen3:14b works');
  expect(screen.getByTestId('model-row')).toHaveAccessibleName('Model: qwen3:14b, tools ✓');
});

test('what went wrong is said in words', async () => {
  const { menu, user } = await opened('no-model', (app) =>
    configure(app, { model: { baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3:14b' } }),
  );
  await user.click(within(menu).getByTestId('model-menu-test'));
  const failure = await within(menu).findByTestId('model-menu-failure');
  expect(failure).toHaveTextContent('Nothing is listening on 127.0.0.1:11434.');
  expect(within(menu).getByTestId('model-menu-told')).toHaveTextContent('Does not answer');
});

test('where the environment names the model, none is chosen and the menu says why', async () => {
  const { commands, menu, user } = await opened('completed', ({ store }) => {
    const view = store.getState().settings;
    if (view) store.setState({ settings: { ...view, overridden: ['model.model'] } });
  });
  expect(menu).toHaveTextContent('Set by an environment variable.');
  const other = within(menu).getByText('gpt-4.1');
  expect(other.closest('[role=menuitemradio]')).toHaveAttribute('aria-disabled', 'true');
  await user.click(other);
  expect(commands).toEqual([]);
});

test('its last item leads to the settings of the model', async () => {
  const { menu, user } = await opened();
  await user.click(within(menu).getByTestId('model-menu-settings'));
  await waitFor(() => expect(screen.getByTestId('model-name')).toHaveFocus());
});

test('in a demo the menu says so, and asks before it is given up', async () => {
  const { commands, menu, user } = await opened('demo-end');
  expect(screen.getByTestId('model-row')).toHaveAccessibleName('Model: Demo model');
  expect(menu).toHaveTextContent('The open run is a demo');
  await user.click(within(menu).getByTestId('demo-go'));
  const dialog = await screen.findByTestId('switch-model');
  expect(dialog).toHaveTextContent('cannot be undone');
  expect(commands).toEqual([]);
  await user.click(screen.getByTestId('switch-model-go'));
  await waitFor(() =>
    expect(screen.getByTestId('model-row')).toHaveAccessibleName(/^Model: qwen3:14b/),
  );
  expect(commands).toEqual([inCurrent({ type: 'useModel' })]);
});

test('every model is offered once, and of a long list only the first', async () => {
  const { app } = await opened();
  const view = app.store.getState().settings;
  if (!view) throw new Error('no settings');
  const names = Array.from({ length: 9 }, (_, n) => `m${n}`);
  const server = {
    provider: 'ollama',
    title: 'Ollama',
    baseUrl: view.settings.model.baseUrl,
    state: 'found' as const,
    models: ['qwen3:14b', ...names],
  };
  const [used, found, ...more] = knownModels(view, [server, { ...server, state: 'other' }]);
  expect(used?.models.map(({ model }) => model)).toEqual(['qwen3:14b', 'gpt-4.1']);
  expect([found?.models.length, found?.more]).toEqual([6, 3]);
  expect(more).toEqual([]);
  expect(new Set([...(used?.models ?? []), ...(found?.models ?? [])].map(choiceId)).size).toBe(8);
});

test('what is at one place stands in one group, whoever told of it', async () => {
  const { app } = await opened();
  const now = app.store.getState().settings;
  if (!now) throw new Error('no settings');
  const { baseUrl, model } = now.settings.model;
  const other = { provider: 'ollama', baseUrl, model, contextTokens: null, tools: 'all' as const };
  const tested = { ...works, models: ['a', 'a', model] };
  const view = {
    ...now,
    known: [{ ...other, provider: 'custom' }, other],
    tested,
  };
  const server = { provider: 'ollama', title: 'Ollama', baseUrl, state: 'found' as const };
  const before = knownModels(view, []);
  const groups = knownModels(view, [{ ...server, models: [model, 'b', 'a'] }]);
  const names = (all: typeof groups) => all.map(({ models }) => models.map((one) => one.model));
  expect(names(before)).toEqual([[model], ['a']]);
  expect(names(groups)).toEqual([[model], ['a', 'b']]);
  expect(groups.map(({ place, title }) => [place, title])).toEqual([
    [null, ''],
    [baseUrl, 'Ollama'],
  ]);
});
