import { afterEach, expect, test, vi } from 'vitest';
import type { Bridge } from '../bridge';
import { fakeBridge } from '../bridge/fake';
import type { Failure, Query } from '../bridge/wire';
import { loadEverything } from './load';
import { openConversation, readAhead, showEarlier } from './opening';
import { enterProject } from './projects';
import { makeApp } from './store';

afterEach(() => void vi.useRealTimers());

/** A window in a project, with a conversation open; `asked` are the queries since then. */
async function aWindow() {
  const bridge = fakeBridge('completed');
  const asked: Query['type'][] = [];
  const counting: Bridge = {
    ...bridge,
    query: (query) => {
      asked.push(query.type);
      const isGone = query.type === 'opening' && query.conversationId === 'c-gone';
      const failure: Failure = { code: 'CONVERSATION_NOT_FOUND', message: 'It is gone.' };
      return isGone ? Promise.resolve({ ok: false, failure }) : bridge.query(query);
    },
  };
  const app = makeApp(counting);
  await loadEverything(app);
  await enterProject(app, 'p-notes', 'c-failed');
  await vi.waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  asked.length = 0;
  const shown = () => app.store.getState().conversation;
  return { app, asked, shown };
}

test('a conversation that was read ahead is there as soon as it is opened', async () => {
  const { app, asked, shown } = await aWindow();
  await readAhead(app, 'c-current');
  expect(shown().status?.run?.runId).not.toBe('r-current');
  openConversation(app, 'c-current');
  const { items, status } = shown();
  expect(status).not.toBeNull();
  expect(items.length).toBeGreaterThan(3);
  // What watching it begins with comes after that, and is the same.
  const first = shown();
  await vi.waitFor(() => expect(shown()).not.toBe(first));
  expect(shown().items.every((item, at) => item === items[at])).toBe(true);
  expect(asked).toEqual(['opening']);
});

test('it is asked for once, and not at all while it is open', async () => {
  const { app, asked } = await aWindow();
  await Promise.all([readAhead(app, 'c-current'), readAhead(app, 'c-current')]);
  await readAhead(app, 'c-failed');
  expect(asked).toEqual(['opening']);
});

test('what was read long ago is not shown, and is read again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { app, asked, shown } = await aWindow();
  await readAhead(app, 'c-current');
  vi.advanceTimersByTime(10_001);
  openConversation(app, 'c-current');
  expect(shown().status).toBeNull();
  openConversation(app, 'c-failed');
  await readAhead(app, 'c-current');
  expect(asked.filter((type) => type === 'opening')).toHaveLength(2);
});

test('nothing of one conversation is shown as another', async () => {
  const { app, shown } = await aWindow();
  await readAhead(app, 'c-current');
  openConversation(app, 'c-failed');
  expect(shown()).toMatchObject({ items: [], status: null });
});

test('one that cannot be read says so when it is opened, and not before', async () => {
  const { app, shown } = await aWindow();
  await readAhead(app, 'c-gone');
  expect(app.ahead).toBeNull();
  expect(app.store.getState().failure).toBeNull();
  openConversation(app, 'c-gone');
  expect(shown().status).toBeNull();
});

test('one that cannot be followed is not shown as it was read ahead', async () => {
  const { app, shown } = await aWindow();
  await readAhead(app, 'c-current');
  const failure: Failure = { code: 'CONVERSATION_NOT_FOUND', message: 'It is gone.' };
  app.bridge.watch = (_, __, onFailure) => {
    queueMicrotask(() => onFailure(failure));
    return () => undefined;
  };
  openConversation(app, 'c-current');
  expect(shown().status).not.toBeNull();
  await vi.waitFor(() => expect(app.store.getState().failure).toBe(failure));
  expect(shown()).toMatchObject({ items: [], status: null });
});

test('no page is read back and nothing is sent by itself before the first frame', async () => {
  const { app, asked } = await aWindow();
  await readAhead(app, 'c-current');
  openConversation(app, 'c-current');
  const { conversation } = app.store.getState();
  app.store.setState({ conversation: { ...conversation, earlier: 5 } });
  await showEarlier(app);
  expect(asked).not.toContain('items');
  await vi.waitFor(() => expect(app.store.getState().isAhead).toBe(false));
});

test('what comes after the conversation was opened is not waited for', async () => {
  const { app, shown } = await aWindow();
  const before = shown();
  const reading = readAhead(app, 'c-current');
  openConversation(app, 'c-current');
  await reading;
  // It came too late to be shown: what watching begins with is.
  expect(app.ahead).toBeNull();
  await vi.waitFor(() => expect(shown().status).not.toBeNull());
  expect(shown()).not.toBe(before);
});
