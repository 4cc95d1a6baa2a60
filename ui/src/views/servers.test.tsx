import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ServerCommand } from '../bridge/wire';
import type { Lang } from '../i18n';
import { loadSettings } from '../state/load';
import { enterProject } from '../state/projects';
import { makeApp, recordingBridge, show, showIn } from '../test/render';
import { PromptsFold, ResourcesFold } from './server-offers';
import { ServersSection } from './servers';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.useRealTimers());

async function open({ fake = 'servers', project = true, lang = 'en' as Lang } = {}) {
  const { bridge, commands } = recordingBridge(fake);
  const reads = vi.spyOn(bridge, 'query');
  const app = makeApp(bridge);
  await loadSettings(app);
  if (project) await enterProject(app, 'p-notes');
  app.store.setState({ screen: 'settings', behind: project ? 'workspace' : 'start' });
  const view = showIn(app, <ServersSection />, lang);
  await waitFor(() => expect(screen.queryByText(/Reading the servers|正在读取/)).toBeNull());
  const told = () =>
    commands.flatMap((it) => (it.type === 'servers' ? [it.command] : [])) satisfies ServerCommand[];
  const readings = () => reads.mock.calls.filter(([query]) => query.type === 'servers').length;
  return { app, told, readings, user: userEvent.setup(), ...view };
}

const card = (name: string) => {
  const found = screen.getAllByTestId('server').find((it) => it.dataset.name === name);
  if (!found) throw new Error(`There is no server ${name}.`);
  return within(found);
};

test('where there are none, it is said what servers are and what to do', async () => {
  await open({ fake: 'servers-none' });
  expect(screen.getByTestId('servers')).toHaveTextContent('offers tools to models');
  expect(screen.getByTestId('servers')).toHaveTextContent('No servers yet');
  expect(screen.getByTestId('add-server')).toBeVisible();
});

test('a server says how it is started, how it stands and what it offers, and shows no value', async () => {
  const { user } = await open();
  const files = card('files');
  expect(files.getByText('npx -y @modelcontextprotocol/server-filesystem @project')).toBeVisible();
  expect(files.getByTestId('server-state')).toHaveTextContent('Answers');
  expect(card('browser').getByText(/"a browser"/)).toBeVisible();
  expect(card('browser').getByText('BROWSER_TOKEN, DISPLAY')).toBeVisible();
  expect(card('issues').getByTestId('server-state')).toHaveTextContent('Not connected');
  await user.click(files.getByText('4 tools'));
  const tools = files.getAllByTestId('server-tool');
  expect(tools.map((tool) => tool.dataset.hint)).toEqual(['reads', 'adds', 'destroys', 'unsaid']);
  expect(tools[2]).toHaveTextContent('May take something away');
  await user.click(card('issues').getByText('2 tools'));
  const [search, close] = card('issues').getAllByTestId('server-tool') as [
    HTMLElement,
    HTMLElement,
  ];
  expect(close).toHaveTextContent('⟨U+202E⟩');
  expect(search).not.toHaveTextContent('nobody is told');
  await user.click(within(search).getByRole('button', { name: 'Show more' }));
  expect(search).toHaveTextContent('nobody is told');
});

test('its prompts and resources are shown on demand, as it names them', async () => {
  const { user } = await open();
  const files = card('files');
  expect(files.queryByTestId('server-prompt')).toBeNull();
  await user.click(files.getByText('3 prompts'));
  const [summarise, compare, tidy] = files.getAllByTestId('server-prompt') as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  expect(summarise).toHaveTextContent('/mcp__files__summariseSummarise a file');
  expect(summarise).toHaveTextContent('pathrequired');
  const told = within(compare).getAllByTestId('prompt-argument');
  expect(told.map((one) => one.textContent)).toEqual([
    'beforerequiredThe older file. ',
    'afterrequiredThe newer file. ',
    'styleoptionalHow long the answer may be: `short` or `whole`. ',
  ]);
  expect(tidy).toHaveTextContent('⟨U+202E⟩');
  expect(within(tidy).queryByTestId('prompt-argument')).toBeNull();
  await user.click(files.getByText('3 resources'));
  const resources = files.getAllByTestId('server-resource');
  expect(resources[0]).toHaveTextContent('README.mdtext/markdownfile:///project/README.md');
  expect(resources[1]).toHaveTextContent('⟨U+200B⟩');
  expect(card('issues').getByText('1 prompt')).toBeVisible();
  expect(card('issues').queryByText(/resource/)).toBeNull();
  expect(card('notes').queryByText(/prompt/)).toBeNull();
});

test('of many prompts and resources a part is shown at first', async () => {
  const many = Array.from({ length: 90 }, (_, n) => n);
  const prompts = many.map((n) => ({
    name: `p${n}`,
    called: `mcp__s__p${n}`,
    description: '',
    arguments: [],
  }));
  // A server may list the same one twice.
  const resources = many.map((n) => ({ uri: 's://one', name: `r${n}`, description: '' }));
  const user = userEvent.setup();
  show(
    <>
      <PromptsFold prompts={prompts} />
      <ResourcesFold resources={resources} />
    </>,
  );
  await user.click(screen.getByText('90 prompts'));
  expect(screen.getAllByTestId('server-prompt')).toHaveLength(40);
  await user.click(screen.getByRole('button', { name: 'Show 40 more' }));
  await user.click(screen.getByRole('button', { name: 'Show 10 more' }));
  expect(screen.getAllByTestId('server-prompt')).toHaveLength(90);
  await user.click(screen.getByText('90 resources'));
  await user.click(screen.getByTestId('more-resources'));
  expect(screen.getAllByTestId('server-resource')).toHaveLength(80);
});

test('what went wrong is told with what to do, and with what the server wrote', async () => {
  await open();
  expect(card('weather').getByTestId('failure')).toHaveTextContent('could not be started');
  expect(card('weather').getByTestId('server-log')).toHaveTextContent('WEATHER_KEY is not set');
  expect(card('files').queryByTestId('server-log')).toBeNull();
});

test('a test shows the tools that come of it, and the focus stays on its button', async () => {
  const { user, told } = await open();
  const button = card('notes').getByTestId('test-server');
  await user.click(button);
  expect(button).toHaveTextContent('Asking for its tools…');
  expect(card('notes').getByTestId('server-state')).toHaveTextContent('Starting…');
  expect(await card('notes').findByTestId('server-tool')).toHaveTextContent('add_note');
  expect(button).toHaveFocus();
  expect(told()).toEqual([{ type: 'test', name: 'notes', projectId: 'p-notes' }]);
});

test('a test that takes long can be stopped', async () => {
  const { user, told } = await open();
  await user.click(card('browser').getByTestId('test-server'));
  await user.click(await card('browser').findByTestId('stop-server-test'));
  await waitFor(() => expect(card('browser').queryByTestId('stop-server-test')).toBeNull());
  expect(card('browser').getByTestId('test-server')).toHaveFocus();
  expect(card('browser').queryByTestId('failure')).toBeNull();
  expect(told().at(-1)).toEqual({ type: 'stopTest', name: 'browser' });
});

test('a test that fails says why, once', async () => {
  const { user } = await open();
  await user.click(card('weather').getByTestId('test-server'));
  await waitFor(() => expect(card('weather').getAllByTestId('failure')).toHaveLength(1));
});

test('it is trusted as it is shown, and no more; what changed asks anew', async () => {
  const { user, told } = await open();
  expect(card('browser').queryByTestId('trust-server')).toBeNull();
  expect(card('browser').getByText(/Test it first/)).toBeVisible();
  expect(card('issues').getByTestId('server-trust')).toHaveTextContent('Changed since you trusted');
  const button = card('issues').getByTestId('trust-server');
  await user.click(button);
  await waitFor(() => expect(card('issues').getByTestId('untrust-server')).toHaveFocus());
  expect(card('issues').getByTestId('server-trust')).toHaveTextContent('Trusted in release-notes');
  await user.click(card('issues').getByTestId('untrust-server'));
  await card('issues').findByTestId('trust-server');
  const seen = [{ name: 'issues', sha256: '2'.repeat(64) }];
  expect(told()).toEqual([
    { type: 'trust', projectId: 'p-notes', servers: seen, trusted: true },
    { type: 'trust', projectId: 'p-notes', servers: seen, trusted: false },
  ]);
});

test('without a project nothing is asked about trust', async () => {
  await open({ project: false });
  expect(screen.queryByTestId('server-trust')).toBeNull();
});

test('it is switched off and on', async () => {
  const { user, told } = await open();
  await user.click(screen.getByRole('switch', { name: 'Use files' }));
  await waitFor(() => expect(screen.getByRole('switch', { name: 'Use files' })).not.toBeChecked());
  expect(told()).toEqual([{ type: 'switch', name: 'files', enabled: false }]);
});

test('a program is set up as it is filled in', async () => {
  const { user, told } = await open();
  await user.click(screen.getByTestId('add-server'));
  await user.click(screen.getByTestId('server-save'));
  expect(screen.getByTestId('server-name')).toHaveAccessibleDescription('Give it a name.');
  expect(screen.getByTestId('server-name')).toHaveFocus();
  await user.type(screen.getByTestId('server-name'), 'tide');
  await user.type(screen.getByTestId('server-command'), 'uvx');
  await user.type(screen.getByTestId('server-args'), 'tide-server{Enter}--place=a b');
  await user.click(screen.getByTestId('add-server-value'));
  expect(screen.getByTestId('server-value-name')).toHaveFocus();
  await user.type(screen.getByTestId('server-value-name'), 'TIDE_KEY');
  const value = screen.getByTestId('server-value-text');
  expect(value).toHaveAttribute('type', 'password');
  await user.type(value, 'secret');
  await user.click(screen.getByTestId('server-save'));
  await waitFor(() => expect(screen.queryByTestId('server-form')).toBeNull());
  expect(told()).toEqual([
    {
      type: 'save',
      replaces: null,
      server: {
        name: 'tide',
        launch: {
          kind: 'command',
          command: 'uvx',
          args: ['tide-server', '--place=a b'],
          env: { TIDE_KEY: 'secret' },
        },
      },
    },
  ]);
  expect(card('tide').getByText('TIDE_KEY')).toBeVisible();
  expect(document.body).not.toHaveTextContent('secret');
});

test('what the program refuses stands beside the form, which stays as it is filled in', async () => {
  const { user } = await open({ lang: 'zh' });
  await user.click(screen.getByTestId('add-server'));
  await user.type(screen.getByTestId('server-name'), 'files');
  await user.type(screen.getByTestId('server-command'), 'npx');
  await user.click(screen.getByTestId('server-save'));
  const form = within(screen.getByTestId('server-form'));
  expect(await form.findByTestId('failure')).toHaveTextContent('已有服务器 files');
  expect(screen.getByTestId('server-command')).toHaveValue('npx');
});

test('what is known and left alone stays, and what leads elsewhere is asked for again', async () => {
  const { user, told } = await open();
  await user.click(card('issues').getByTestId('edit-server'));
  const value = screen.getByTestId('server-value-text');
  expect(value).toHaveAttribute('placeholder', 'Stays as it is');
  expect(value).toHaveValue('');
  const url = screen.getByTestId('server-url');
  await user.type(url, '/all');
  expect(screen.queryByTestId('server-elsewhere')).toBeNull();
  await user.clear(url);
  await user.type(url, 'https://other.example/mcp');
  expect(screen.getByTestId('server-elsewhere')).toHaveTextContent('Type the values again');
  await user.type(value, 'Bearer new');
  expect(screen.queryByTestId('server-elsewhere')).toBeNull();
  await user.clear(value);
  await user.clear(url);
  await user.type(url, 'https://mcp.example.org/issues');
  await user.click(screen.getByTestId('server-save'));
  await waitFor(() => expect(screen.queryByTestId('server-form')).toBeNull());
  expect(told()).toEqual([
    {
      type: 'save',
      replaces: 'issues',
      server: {
        name: 'issues',
        launch: {
          kind: 'url',
          url: 'https://mcp.example.org/issues',
          headers: { Authorization: null },
        },
      },
    },
  ]);
});

test('it is removed after one question', async () => {
  const { user, told } = await open();
  await user.click(card('notes').getByTestId('remove-server'));
  expect(screen.getByTestId('remove-server-dialog')).toHaveTextContent('your trust in it go');
  await user.click(screen.getByTestId('remove-server-cancel'));
  expect(told()).toEqual([]);
  await user.click(card('notes').getByTestId('remove-server'));
  await user.click(screen.getByTestId('remove-server-confirm'));
  await waitFor(() => expect(screen.queryByTestId('remove-server-dialog')).toBeNull());
  expect(told()).toEqual([{ type: 'remove', name: 'notes' }]);
  await waitFor(() => expect(screen.getByTestId('add-server')).toHaveFocus());
});

test('servers of another program are imported as they are chosen; a taken name is none of them', async () => {
  const { user, told } = await open();
  await user.click(screen.getByTestId('import-servers'));
  const found = await screen.findAllByTestId('found-server');
  expect(found.map(({ dataset }) => dataset.name)).toEqual(['files', 'search', 'docs']);
  const [files, search] = found as [HTMLElement, HTMLElement];
  expect(files).toHaveTextContent('Name is taken');
  expect(within(files).getByRole('checkbox')).toBeDisabled();
  expect(search).toHaveTextContent('SEARCH_KEY (values are not shown)');
  const [mail] = screen.getAllByTestId('left-out-server');
  expect(mail).toHaveTextContent('the other program asks for each time');
  const go = screen.getByTestId('import-servers-confirm');
  expect(go).toHaveTextContent('Import 2 servers');
  await user.click(screen.getByRole('checkbox', { name: 'docs' }));
  expect(go).toHaveTextContent('Import 1 server');
  await user.click(go);
  await waitFor(() => expect(screen.queryByTestId('import-servers-dialog')).toBeNull());
  const path = '/elsewhere/mcp.json';
  expect(told()).toEqual([{ type: 'import', path, names: ['search'] }]);
  expect(card('search').getByTestId('server-state')).toHaveTextContent('Not started');
});

test('a file that says nothing of servers is said to be none', async () => {
  const { user } = await open({ fake: 'servers-file-broken' });
  await user.click(screen.getByTestId('import-servers'));
  await screen.findByText('The file says nothing of servers that can be read.');
});

test('that their tools are switched off for all is said above them', async () => {
  const { app } = await open();
  expect(screen.queryByText(/is switched off above/)).toBeNull();
  await act(() =>
    app.bridge.submit({ type: 'configure', patch: { tools: { mcpEnabled: false } } }),
  );
  await act(() => loadSettings(app));
  expect(screen.getByText(/is switched off above/)).toBeVisible();
});

test('they are read again every two seconds at most while they are in sight, and not when they are gone', async () => {
  const { readings, unmount } = await open();
  vi.useFakeTimers();
  // The one that is due was set before.
  const first = readings();
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(readings() - first).toBe(0);
  vi.useRealTimers();
  await waitFor(() => expect(readings()).toBe(first + 1), { timeout: 3000 });
  unmount();
  await new Promise((done) => setTimeout(done, 2300));
  expect(readings()).toBe(first + 1);
});
