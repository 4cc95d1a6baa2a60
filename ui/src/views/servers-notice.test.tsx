import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Lang } from '../i18n';
import { loadSettings } from '../state/load';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Conversation } from './conversation';
import { RunForm } from './run-form';
import { ServersNotice } from './servers-notice';

async function open(fake = 'servers', ui = <ServersNotice />, lang: Lang = 'en') {
  const { bridge, commands } = recordingBridge(fake);
  const app = makeApp(bridge);
  await loadSettings(app);
  await enterProject(app, 'p-notes');
  showIn(app, ui, lang);
  await waitFor(() => expect(app.store.getState().servers).not.toBeNull());
  return { app, commands, user: userEvent.setup() };
}

const asked = (name: string) => {
  const found = screen.getAllByTestId('asked-server').find((it) => it.dataset.name === name);
  if (!found) throw new Error(`Nobody asks about ${name}.`);
  return within(found);
};

test('nothing is said where nothing waits', async () => {
  await open('servers-calls');
  expect(screen.queryByTestId('servers-notice')).toBeNull();
});

test('each server that waits is shown whole, started where nobody knows its tools, and trusted', async () => {
  const { commands, user } = await open();
  expect(screen.getByTestId('servers-notice')).toHaveTextContent('3 servers can be used once');
  await user.click(screen.getByTestId('servers-look'));
  const all = screen.getAllByTestId('asked-server').map(({ dataset }) => dataset.name);
  expect(all).toEqual(['issues', 'browser', 'notes']);
  expect(asked('issues').getAllByTestId('server-tool')).toHaveLength(2);
  expect(asked('browser').getByText('BROWSER_TOKEN, DISPLAY')).toBeVisible();
  expect(asked('notes').queryByTestId('trust-server')).toBeNull();
  await user.click(asked('notes').getByRole('button', { name: /Start it and show its tools/ }));
  expect(await asked('notes').findByTestId('server-tool')).toHaveTextContent('add_note');
  await waitFor(() => expect(asked('notes').getByTestId('trust-server')).toHaveFocus());
  await user.click(asked('notes').getByTestId('trust-server'));
  // It stays where it was, to be taken back.
  await asked('notes').findByTestId('untrust-server');
  expect(commands.at(-1)).toMatchObject({
    command: { type: 'trust', servers: [{ name: 'notes', sha256: '3'.repeat(64) }] },
  });
  await user.click(screen.getByTestId('servers-close'));
  expect(screen.getByTestId('servers-notice')).toHaveTextContent('2 servers');
});

test('who does not want to look now is not told again, here and on the page of a new run', async () => {
  const { user, app } = await open();
  await user.click(screen.getByTestId('servers-look'));
  await user.click(screen.getByTestId('servers-later'));
  await waitFor(() => expect(screen.queryByTestId('servers-dialog')).toBeNull());
  expect(screen.queryByTestId('servers-notice')).toBeNull();
  app.store.setState({ startingRun: true });
  showIn(app, <RunForm />);
  await waitFor(() => expect(app.store.getState().servers).not.toBeNull());
  expect(screen.queryByTestId('servers-notice')).toBeNull();
});

test('one button puts it off', async () => {
  const { user } = await open('servers', <ServersNotice />, 'zh');
  expect(screen.getByTestId('servers-notice')).toHaveTextContent('有 3 个服务器');
  await user.click(screen.getByRole('button', { name: '暂不' }));
  expect(screen.queryByTestId('servers-notice')).toBeNull();
});

test('where the tools of servers are switched off, nothing is said of them', async () => {
  const { app } = await open();
  await app.bridge.submit({ type: 'configure', patch: { tools: { mcpEnabled: false } } });
  await loadSettings(app);
  await waitFor(() => expect(screen.queryByTestId('servers-notice')).toBeNull());
});

test('it stands where one writes, and gives its room to a question', async () => {
  const { app } = await open('servers', <Conversation />);
  openConversation(app, 'c-current');
  await screen.findByTestId('servers-notice');
  expect(screen.getByTestId('servers-notice').closest('.composer-slot')).not.toBeNull();
});

test('while something is asked, it waits', async () => {
  const { app } = await open('form', <Conversation />);
  openConversation(app, 'c-current');
  await screen.findByTestId('dock');
  const servers = [
    {
      name: 'x',
      launch: { kind: 'url' as const, url: 'https://x.example', headers: [] },
      enabled: true,
      signedIn: false,
      state: 'idle' as const,
      trust: 'none' as const,
      prompts: [],
      resources: [],
    },
  ];
  app.store.setState({ servers: { ok: true, value: servers } });
  await waitFor(() => expect(screen.getByTestId('dock')).toBeVisible());
  expect(screen.queryByTestId('servers-notice')).toBeNull();
});
