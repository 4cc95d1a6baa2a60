import { expect, test } from 'vitest';
import type { Bridge } from '../bridge';
import { fakeBridge } from '../bridge/fake';
import { keepNow } from './drafts';
import { loadEverything } from './load';
import { enterProject } from './projects';
import { rememberPlace, returnTo, takeUpPlace } from './session';
import { type App, makeApp } from './store';

const returnToPlace = (app: App) => returnTo(app, takeUpPlace(app));

/** A window that opens over a program. */
async function aWindow(bridge: Bridge) {
  const app = makeApp(bridge);
  await loadEverything(app);
  return app;
}

/** What the program keeps of the window. */
const keep = (bridge: Bridge, value: unknown) =>
  bridge.submit({ type: 'keepDraft', place: { type: 'window' }, value });

test('a window that opens again is where it was, and laid out as it was', async () => {
  const bridge = fakeBridge('completed');
  const before = await aWindow(bridge);
  const stop = rememberPlace(before);
  await enterProject(before, 'p-notes', 'c-failed');
  before.store.setState({
    inspectorTab: 'evidence',
    inspectorWidth: 420,
    logHeight: 220,
    filesOpen: true,
    filesHeight: 300,
    panelOpen: false,
  });
  keepNow(before);
  await before.keeping;
  stop();
  const after = await aWindow(bridge);
  await returnToPlace(after);
  expect(after.store.getState()).toMatchObject({
    screen: 'workspace',
    projectId: 'p-notes',
    conversationId: 'c-failed',
    inspectorTab: 'evidence',
    inspectorWidth: 420,
    logHeight: 220,
    filesOpen: true,
    filesHeight: 300,
    panelOpen: false,
  });
});

test('a talk that was open is open again, though it has no run', async () => {
  const bridge = fakeBridge('completed');
  const begin = {
    type: 'beginConversation',
    projectId: 'p-notes',
    with: { mode: 'chat' },
    input: null,
  } as const;
  const first = await bridge.submit(begin);
  await bridge.submit(begin);
  const conversationId = first.ok ? first.value.conversationId : undefined;
  await keep(bridge, { projectId: 'p-notes', conversationId });
  const app = await aWindow(bridge);
  await returnToPlace(app);
  expect(conversationId).toBeDefined();
  expect(app.store.getState().conversationId).toBe(conversationId);
});

test('a conversation that is gone is passed over, and a window on Start stays there', async () => {
  const bridge = fakeBridge('completed');
  await keep(bridge, { projectId: 'p-notes', conversationId: 'c-gone' });
  const app = await aWindow(bridge);
  await returnToPlace(app);
  expect(app.store.getState().screen).toBe('workspace');
  expect(app.store.getState().conversationId).not.toBe('c-gone');

  const stop = rememberPlace(app);
  app.store.setState({ screen: 'start' });
  keepNow(app);
  await app.keeping;
  stop();
  const again = await aWindow(bridge);
  await returnToPlace(again);
  expect(again.store.getState().screen).toBe('start');
});

test('what was kept may be nothing or nonsense', async () => {
  for (const value of [7, 'x', [], { projectId: 7 }, { projectId: 'p-unknown' }, { layout: 3 }]) {
    const bridge = fakeBridge('completed');
    await keep(bridge, value);
    const app = await aWindow(bridge);
    await returnToPlace(app);
    expect(app.store.getState()).toMatchObject({ screen: 'start', inspectorWidth: null });
  }
  const bridge = fakeBridge('completed');
  const layout = {
    inspectorTab: 'x',
    inspectorWidth: 9000,
    logHeight: 3,
    panelOpen: 'yes',
    filesOpen: 1,
    filesHeight: 7000,
    look: 1,
  };
  await keep(bridge, { projectId: null, layout });
  const app = await aWindow(bridge);
  await returnToPlace(app);
  expect(app.store.getState()).toMatchObject({
    inspectorTab: 'run',
    inspectorWidth: null,
    logHeight: 300,
    filesOpen: false,
    filesHeight: 240,
    panelOpen: true,
    look: 'lines',
  });
});

test('a place that could not be kept is nothing to tell the person', async () => {
  const bridge = fakeBridge('completed');
  const app = await aWindow(bridge);
  const failure = { code: 'STORE_WRITE_FAILED', message: 'The disk is full.' } as const;
  app.bridge = { ...bridge, submit: async () => ({ ok: false, failure }) };
  const stop = rememberPlace(app);
  app.store.setState({ panelOpen: false });
  keepNow(app);
  await app.keeping;
  stop();
  expect(app.store.getState().failure).toBeNull();
});
