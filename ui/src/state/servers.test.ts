import { expect, test } from 'vitest';
import type { Query, ServerView } from '../bridge/wire';
import { makeApp, recordingBridge } from '../test/render';
import { go } from './actions';
import { enterProject } from './projects';
import {
  isTesting,
  loadServers,
  lookLater,
  stopServerTest,
  tellsOf,
  testServer,
  trustServer,
  waitingIn,
} from './servers';
import { keepPlace, takeUpPlace } from './session';
import type { View } from './store';

async function opened(scenario = 'servers') {
  const { bridge, commands } = recordingBridge(scenario);
  const asked: Query[] = [];
  const { query } = bridge;
  bridge.query = (what) => {
    asked.push(what);
    return query(what);
  };
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  await loadServers(app);
  const view = () => app.store.getState();
  const named = (name: string) => {
    const { servers } = view();
    return servers?.ok ? servers.value.find((it) => it.name === name) : undefined;
  };
  return { app, asked, commands, view, named };
}

test('they are trusted in the project that is open, also behind the settings, and in none on Start', async () => {
  const { app, asked, named } = await opened();
  const last = () => asked.findLast(({ type }) => type === 'servers');
  expect(last()).toMatchObject({ projectId: 'p-notes' });
  expect(named('files')?.trust).toBe('trusted');
  go(app, 'settings');
  await loadServers(app);
  expect(last()).toMatchObject({ projectId: 'p-notes' });
  go(app, 'start');
  go(app, 'settings');
  await loadServers(app);
  expect(last()).toMatchObject({ projectId: null });
  expect(named('files')?.trust).toBe('none');
});

test('what is the same as before stays the same thing', async () => {
  const { app, view, named } = await opened();
  const before = { servers: view().servers, files: named('files') };
  await loadServers(app);
  expect(view().servers).toBe(before.servers);
  await trustServer(app, named('issues') as ServerView, true);
  expect(view().servers).not.toBe(before.servers);
  expect(named('files')).toBe(before.files);
  expect(named('issues')?.trust).toBe('trusted');
});

test('an answer to an older question is not taken', async () => {
  const { app, view } = await opened();
  const { query } = app.bridge;
  const answers: (() => void)[] = [];
  app.bridge.query = async (what) => {
    const answer = await query(what);
    await new Promise<void>((done) => answers.push(done));
    return answer;
  };
  app.store.setState({ servers: null });
  const [first, second] = [loadServers(app), loadServers(app)];
  await Promise.resolve();
  await new Promise((done) => setTimeout(done));
  answers[0]?.();
  await first;
  expect(view().servers).toBeNull();
  answers[1]?.();
  await second;
  expect(view().servers?.ok).toBe(true);
});

test('what was shown is trusted, and nothing that nobody could see', async () => {
  const { app, commands, named } = await opened();
  expect(await trustServer(app, named('browser') as ServerView, true)).toBeNull();
  expect(commands).toEqual([]);
  const stale = { ...(named('issues') as ServerView), sha256: '9'.repeat(64) };
  expect(await trustServer(app, stale, true)).toMatchObject({ code: 'MCP_SERVER_CHANGED' });
  expect(named('issues')?.trust).toBe('changed');
});

test('a test that the person stops is no failure', async () => {
  const { app, view, named } = await opened();
  const tested = testServer(app, 'browser');
  expect(isTesting(view())).toBe(true);
  await new Promise((done) => setTimeout(done));
  stopServerTest(app, 'browser');
  expect(await tested).toBeNull();
  expect([isTesting(view()), named('browser')?.state]).toEqual([false, 'idle']);
  expect(await testServer(app, 'weather')).toMatchObject({ code: 'E_MCP_NOT_STARTED' });
  expect(named('weather')).toMatchObject({ state: 'failed' });
});

test('who put servers off is told again when another one waits, or one that changed changes again', async () => {
  const { app, view } = await opened();
  const waiting = waitingIn(view().servers);
  expect(waiting.map(({ name }) => name)).toEqual(['issues', 'browser', 'notes']);
  const tells = (servers: readonly ServerView[], project = 'p-notes') =>
    tellsOf(servers, view().serversLater, project);
  expect(tells(waiting)).toBe(true);
  lookLater(app, waiting);
  expect(tells(waiting)).toBe(false);
  expect(tells(waiting.slice(1))).toBe(false);
  expect(tells(waiting, 'p-other')).toBe(true);
  const [issues, browser] = waiting as [ServerView, ServerView];
  expect(tells([{ ...browser, sha256: '5'.repeat(64) }])).toBe(false);
  expect(tells([{ ...issues, sha256: '5'.repeat(64) }])).toBe(true);
  expect(tells([{ ...browser, name: 'another' }])).toBe(true);
});

test('what was put off is remembered by the program, as far as it is what it should be', async () => {
  const { app, view } = await opened();
  lookLater(app, waitingIn(view().servers));
  keepPlace(app);
  const later = view().serversLater;
  app.store.setState({ serversLater: [] });
  takeUpPlace(app);
  expect(view().serversLater).toEqual(later);
  const place = app.store.getState().drafts.get('window') as object;
  const wrong = { ...place, serversLater: [...later, 'p', ['p', 'x'], [1, []]] };
  app.store.setState({ drafts: new Map([['window', wrong]]) } satisfies Partial<View>);
  takeUpPlace(app);
  expect(view().serversLater).toEqual(later);
});
