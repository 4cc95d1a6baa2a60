import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signInPage } from '../bridge/fake/server-sign-in';
import type { ServerCommand } from '../bridge/wire';
import { type Lang, WordsProvider } from '../i18n';
import { loadSettings } from '../state/load';
import { enterProject } from '../state/projects';
import { loadServers } from '../state/servers';
import { type App, AppProvider, useView } from '../state/store';
import { makeApp, recordingBridge } from '../test/render';
import { AskedServer } from './server-card';
import { ServersSection } from './servers';

vi.setConfig({ testTimeout: 30_000 });
// The browser of the person, as the fake bridge opens it.
beforeEach(() => void vi.spyOn(window, 'open').mockReturnValue(null));
afterEach(() => vi.restoreAllMocks());

/** Also as a window that is made ready is drawn: twice. */
const shown = (app: App, node: React.ReactNode, lang: Lang) =>
  render(
    <StrictMode>
      <AppProvider app={app}>
        <WordsProvider lang={lang}>{node}</WordsProvider>
      </AppProvider>
    </StrictMode>,
  );

async function open({ fake = 'servers-sign-in', lang = 'en' as Lang } = {}) {
  const { bridge, commands } = recordingBridge(fake);
  const app = makeApp(bridge);
  await loadSettings(app);
  await enterProject(app, 'p-notes');
  app.store.setState({ screen: 'settings', behind: 'workspace' });
  const openLink = vi.spyOn(bridge, 'openLink');
  const view = shown(app, <ServersSection />, lang);
  await waitFor(() => expect(screen.queryAllByTestId('server')).not.toEqual([]));
  const told = () =>
    commands.flatMap((it) => (it.type === 'servers' ? [it.command] : [])) satisfies ServerCommand[];
  return { app, bridge, told, openLink, user: userEvent.setup(), ...view };
}

const card = (name: string) => {
  const found = screen.getAllByTestId('server').find((it) => it.dataset.name === name);
  if (!found) throw new Error(`There is no server ${name}.`);
  return within(found);
};
const dialog = () => screen.findByTestId('sign-in-dialog');
const isClosed = () => waitFor(() => expect(screen.queryByTestId('sign-in-dialog')).toBeNull());
const name = 'calendar';

test('only where a server wants to know who asks it can somebody sign in', async () => {
  const { unmount } = await open();
  const calendar = card(name);
  expect(calendar.getByTestId('failure')).toHaveAttribute('data-code', 'E_MCP_SIGN_IN');
  expect(calendar.getByTestId('sign-in')).toHaveAccessibleName('Sign in… calendar');
  expect(calendar.queryByTestId('signed-in')).toBeNull();
  expect(card('files').queryByTestId('sign-in')).toBeNull();
  unmount();
  await open({ fake: 'servers' });
  expect(screen.queryByTestId('sign-in')).toBeNull();
  expect(screen.queryByTestId('signed-in')).toBeNull();
});

test('the dialog names whose page it is, and nothing is opened before the person says so', async () => {
  const { user, told, openLink } = await open();
  await user.click(card(name).getByTestId('sign-in'));
  const box = await dialog();
  expect(box).toHaveTextContent('Sign in at calendar');
  expect(screen.getByTestId('sign-in-host')).toHaveTextContent(/^accounts\.example\.org$/);
  expect(box).not.toHaveTextContent('code_challenge');
  await user.click(screen.getByRole('button', { name: 'Whole address' }));
  expect(box).toHaveTextContent(signInPage.url);
  expect(screen.getByTestId('sign-in-waits')).toBeEmptyDOMElement();
  expect(openLink).not.toHaveBeenCalled();
  // It is waited for all the same: the address may be opened by another hand.
  expect(told()).toEqual([
    { type: 'signIn', name },
    { type: 'waitForSignIn', name },
  ]);
});

test('who comes back is signed in: the dialog closes, and the tools are listed at once', async () => {
  const { user, told, openLink } = await open();
  await user.click(card(name).getByTestId('sign-in'));
  await dialog();
  await user.click(screen.getByTestId('sign-in-open'));
  expect(openLink).toHaveBeenCalledExactlyOnceWith(signInPage.url);
  expect(screen.getByTestId('sign-in-open')).toHaveTextContent('Open again');
  expect(screen.getByTestId('sign-in-open')).toHaveFocus();
  expect(screen.getByTestId('sign-in-waits')).toHaveTextContent('Waiting for you in the browser');
  await isClosed();
  expect(await card(name).findAllByTestId('server-tool')).toHaveLength(2);
  expect(card(name).getByTestId('signed-in')).toHaveTextContent('Signed in');
  expect(card(name).queryByTestId('sign-in')).toBeNull();
  expect(card(name).queryByTestId('failure')).toBeNull();
  await waitFor(() => expect(card(name).getByTestId('test-server')).toHaveFocus());
  expect(told()).toEqual([
    { type: 'signIn', name },
    { type: 'waitForSignIn', name },
    { type: 'test', name, projectId: 'p-notes' },
  ]);
});

test('the address can be copied, and the page opened again', async () => {
  const { user, openLink } = await open({ fake: 'servers-sign-in-waits' });
  await user.click(card(name).getByTestId('sign-in'));
  await dialog();
  expect(screen.queryByTestId('sign-in-copy')).toBeNull();
  await user.click(screen.getByTestId('sign-in-open'));
  await user.click(screen.getByTestId('sign-in-copy'));
  expect(screen.getByTestId('sign-in-copy')).toHaveTextContent('Copied');
  expect(await navigator.clipboard.readText()).toBe(signInPage.url);
  await user.click(screen.getByTestId('sign-in-open'));
  expect(openLink).toHaveBeenCalledTimes(2);
});

test.each(['sign-in-cancel', 'Escape'])(
  '%s stops it, and nobody is told that it failed',
  async (way) => {
    const { user, told } = await open({ fake: 'servers-sign-in-waits' });
    const button = card(name).getByTestId('sign-in');
    await user.click(button);
    await dialog();
    if (way === 'Escape') await user.keyboard('{Escape}');
    else await user.click(screen.getByTestId(way));
    await isClosed();
    await waitFor(() => expect(button).toHaveTextContent('Sign in…'));
    await waitFor(() => expect(button).toHaveFocus());
    expect(card(name).getByTestId('failure')).toHaveAttribute('data-code', 'E_MCP_SIGN_IN');
    expect(told().map(({ type }) => type)).toEqual(['signIn', 'waitForSignIn', 'stopSignIn']);
    // It can be begun anew.
    await user.click(button);
    await dialog();
  },
);

test('a stop that is heard before the wait is no failure either', async () => {
  const { bridge, user } = await open({ fake: 'servers-sign-in-waits' });
  const { submit } = bridge;
  bridge.submit = async (command) => {
    const result = await submit(command);
    return result.ok || result.failure.code !== 'ENGINE_ABORTED'
      ? result
      : { ok: false, failure: { code: 'MCP_SIGN_IN_FAILED', message: 'nobody is signing in' } };
  };
  const button = card(name).getByTestId('sign-in');
  await user.click(button);
  await dialog();
  await user.click(screen.getByTestId('sign-in-cancel'));
  await waitFor(() => expect(button).toHaveTextContent('Sign in…'));
  expect(card(name).getByTestId('failure')).toHaveAttribute('data-code', 'E_MCP_SIGN_IN');
});

test('who is turned away is told why, and may try again', async () => {
  const { user, told } = await open({ fake: 'servers-sign-in-failed', lang: 'zh' });
  await user.click(card(name).getByTestId('sign-in'));
  await dialog();
  await user.click(screen.getByTestId('sign-in-open'));
  await isClosed();
  const [failure, ...others] = await card(name).findAllByTestId('failure');
  expect(others).toEqual([]);
  expect(failure).toHaveAttribute('data-code', 'MCP_SIGN_IN_FAILED');
  expect(failure).toHaveTextContent('页面答复：this account has no calendar');
  expect(card(name).getByTestId('sign-in')).toHaveTextContent('登录…');
  expect(told().map(({ type }) => type)).not.toContain('test');
});

test('where there is no page, nothing is waited for', async () => {
  const { user, told } = await open({ fake: 'servers-sign-in-nowhere' });
  await user.click(card(name).getByTestId('sign-in'));
  await waitFor(() =>
    expect(card(name).getByTestId('failure')).toHaveTextContent('does not say where'),
  );
  expect(screen.queryByTestId('sign-in-dialog')).toBeNull();
  expect(told()).toEqual([{ type: 'signIn', name }]);
});

test('a page that is none of the web is not offered', async () => {
  const { bridge, user, told } = await open();
  const { submit } = bridge;
  bridge.submit = async (command) => {
    const result = await submit(command);
    const isAsked = command.type === 'servers' && command.command.type === 'signIn';
    const page = { host: 'a', url: 'file:///usr/bin/a' };
    return isAsked ? { ok: true, value: { signIn: page } } : result;
  };
  await user.click(card(name).getByTestId('sign-in'));
  await waitFor(() => expect(card(name).getByTestId('failure')).toHaveTextContent('is not safe'));
  expect(screen.queryByTestId('sign-in-dialog')).toBeNull();
  expect(told().at(-1)).toEqual({ type: 'stopSignIn', name });
});

test('that no browser opens is said in the dialog, which goes on waiting', async () => {
  const { user, openLink } = await open({ fake: 'servers-sign-in-waits' });
  openLink.mockRejectedValue(new Error('no browser'));
  await user.click(card(name).getByTestId('sign-in'));
  const box = within(await dialog());
  await user.click(screen.getByTestId('sign-in-open'));
  expect(await box.findByTestId('failure')).toHaveTextContent('no browser');
  expect(screen.getByTestId('sign-in-copy')).toBeVisible();
});

test('nobody is waited for once the card is gone', async () => {
  const { user, told, unmount } = await open({ fake: 'servers-sign-in-waits' });
  await user.click(card(name).getByTestId('sign-in'));
  await dialog();
  unmount();
  expect(told().at(-1)).toEqual({ type: 'stopSignIn', name });
  await act(() => Promise.resolve());
  expect(told()).toHaveLength(3);
});

test('a page that comes when the card is gone is for nobody', async () => {
  const { bridge, user, told, unmount } = await open();
  const { submit } = bridge;
  let answer = () => undefined as undefined;
  bridge.submit = async (command) => {
    const isAsked = command.type === 'servers' && command.command.type === 'signIn';
    if (isAsked) await new Promise<void>((done) => (answer = () => void done()));
    return submit(command);
  };
  await user.click(card(name).getByTestId('sign-in'));
  expect(await dialog()).toHaveTextContent('Asking where you sign in…');
  expect(screen.queryByTestId('sign-in-open')).toBeNull();
  unmount();
  answer();
  // The first stop may be heard before there is anything to stop.
  const types = ['stopSignIn', 'signIn', 'stopSignIn'];
  await waitFor(() => expect(told().map(({ type }) => type)).toEqual(types));
});

test('who changes their mind while the server is asked where one signs in is led nowhere', async () => {
  const { bridge, user, told } = await open();
  const { submit } = bridge;
  let answer = () => undefined as undefined;
  bridge.submit = async (command) => {
    const isAsked = command.type === 'servers' && command.command.type === 'signIn';
    if (isAsked) await new Promise<void>((done) => (answer = () => void done()));
    return submit(command);
  };
  const button = card(name).getByTestId('sign-in');
  await user.click(button);
  await dialog();
  await user.click(screen.getByTestId('sign-in-cancel'));
  await isClosed();
  expect(button).toHaveTextContent('Signing in…');
  answer();
  await waitFor(() => expect(button).toHaveTextContent('Sign in…'));
  expect(told().map(({ type }) => type)).toEqual(['stopSignIn', 'signIn', 'stopSignIn']);
  expect(card(name).getByTestId('failure')).toHaveAttribute('data-code', 'E_MCP_SIGN_IN');
  expect(screen.queryByTestId('sign-in-dialog')).toBeNull();
});

test('who is signed in may sign out, and in again once the server asks', async () => {
  const { user, told } = await open({ fake: 'servers-signed-in' });
  expect(card(name).getByTestId('signed-in')).toHaveTextContent('Signed in');
  expect(card(name).queryByTestId('sign-in')).toBeNull();
  await user.click(card(name).getByRole('button', { name: 'Sign out: calendar' }));
  await waitFor(() => expect(card(name).queryByTestId('signed-in')).toBeNull());
  expect(told()).toEqual([{ type: 'signOut', name }]);
  await waitFor(() => expect(card(name).getByTestId('test-server')).toHaveFocus());
  await user.keyboard('{Enter}');
  expect(await card(name).findByTestId('sign-in')).toBeVisible();
});

test('who is asked to trust a server signs in there, and the next step has the focus', async () => {
  const { bridge } = recordingBridge('servers-sign-in');
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  await loadServers(app);
  const Asked = () => {
    const servers = useView((view) => view.servers);
    const server = servers?.ok ? servers.value.find((it) => it.name === name) : undefined;
    return server && <AskedServer server={server} />;
  };
  shown(app, <Asked />, 'en');
  const user = userEvent.setup();
  expect(screen.getByTestId('sign-in')).toHaveAttribute('data-kind', 'primary');
  expect(screen.getByTestId('test-server')).toHaveAttribute('data-kind', 'plain');
  await user.click(screen.getByTestId('sign-in'));
  await dialog();
  await user.click(screen.getByTestId('sign-in-open'));
  await isClosed();
  expect(await screen.findAllByTestId('server-tool')).toHaveLength(2);
  await waitFor(() => expect(screen.getByTestId('trust-server')).toHaveFocus());
});
