import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallState, Failure, Frame, Item, Status } from '../bridge/wire';
import { recordingBridge } from '../test/render';
import { openConversation } from './opening';
import { follow, want } from './snapshot';
import { type Followed, makeApp } from './store';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An open conversation, its frames, and what was asked for of it and not answered yet. */
async function opened(what: Followed = 'snapshot', scenario = 'completed') {
  const { bridge } = recordingBridge(scenario);
  const asked: ((failure?: Failure) => void)[] = [];
  let tell: (frames: Frame[]) => void = () => undefined;
  const app = makeApp({
    ...bridge,
    async query(query) {
      const result = await bridge.query(query);
      if (query.type !== what) return result;
      const failure = await new Promise<Failure | undefined>((done) => asked.push(done));
      return failure ? { ok: false, failure } : result;
    },
    watch(conversationId, onFrames, onFailure) {
      tell = onFrames;
      return bridge.watch(conversationId, onFrames, onFailure);
    },
  });
  openConversation(app, 'c-current');
  await vi.advanceTimersByTimeAsync(1);
  const upsert = (n: number, body: Partial<Item['body']>) =>
    tell([{ type: 'upsert', item: { id: `w-${n}`, seq: 500 + n, at: '', body } as Item }]);
  const write = (n: number, state: CallState) =>
    upsert(n, { type: 'call', class: 'write_project', state });
  const status = app.store.getState().conversation.status as Status;
  const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { app, asked, tell, upsert, write, status, later };
}

test('ten writes are one question at a time, and at most two a second', async () => {
  const { app, asked, write, later } = await opened();
  follow(app, 'snapshot');
  await later(0);
  for (let n = 0; n < 10; n++) {
    for (const state of ['waiting', 'running', 'done'] as const) write(n, state);
    await later(5);
  }
  expect(asked).toHaveLength(1);
  asked[0]?.();
  await later(499);
  expect(asked).toHaveLength(1);
  await later(1);
  expect(asked).toHaveLength(2);
  asked[1]?.();
  await later(5_000);
  expect(asked).toHaveLength(2);
});

test('a call that waits or works has changed nothing yet', async () => {
  const { app, asked, write, later } = await opened();
  follow(app, 'snapshot');
  await later(0);
  asked[0]?.();
  await later(1_000);
  write(1, 'waiting');
  write(1, 'running');
  await later(1_000);
  expect(asked).toHaveLength(1);
  write(1, 'done');
  await later(0);
  expect(asked).toHaveLength(2);
});

test('nobody is asked while nobody looks', async () => {
  const { app, asked, write, later } = await opened();
  write(1, 'done');
  want(app, 'snapshot');
  await later(1_000);
  expect(asked).toHaveLength(0);
  const stop = follow(app, 'snapshot');
  await later(0);
  expect(asked).toHaveLength(1);
  stop();
  asked[0]?.();
  write(2, 'done');
  await later(5_000);
  expect(asked).toHaveLength(1);
  expect(app.store.getState().snapshot).toBeNull();
});

test('what two parts of the window follow is read until the last of them goes', async () => {
  const { app, asked, write, later } = await opened();
  const stops = [follow(app, 'snapshot'), follow(app, 'snapshot')];
  await later(0);
  asked[0]?.();
  await later(1_000);
  stops[0]?.();
  // The second asked for it, too.
  const before = asked.length;
  asked[before - 1]?.();
  await later(1_000);
  write(1, 'done');
  await later(0);
  expect(asked).toHaveLength(before + 1);
  asked[before]?.();
  stops[1]?.();
  await later(1_000);
  write(2, 'done');
  await later(1_000);
  expect(asked).toHaveLength(before + 1);
});

test('what could not be read says so, and is read again', async () => {
  const { app, asked, write, later } = await opened();
  follow(app, 'snapshot');
  await later(0);
  const failure: Failure = { code: 'STORE_READ_FAILED', message: 'The disk.' };
  asked[0]?.(failure);
  await later(0);
  expect(app.store.getState().snapshot).toEqual({ ok: false, failure });
  await later(1_000);
  write(1, 'done');
  await later(0);
  asked[1]?.();
  await later(0);
  expect(app.store.getState().snapshot?.ok).toBe(true);
});

/** One that was answered once, and has been quiet since. */
async function read(what: Followed) {
  const all = await opened(what, 'decision');
  follow(all.app, what);
  await all.later(0);
  all.asked[0]?.();
  await all.later(1_000);
  expect(all.asked).toHaveLength(1);
  return all;
}

test('what a check found and what the runtime judged is evidence, and what was only read is not', async () => {
  const { asked, upsert, later } = await read('snapshot');
  upsert(1, { type: 'call', tool: 'fs.read', class: 'read', state: 'done', result: { ok: true } });
  upsert(2, { type: 'message', by: 'assistant', text: 'Done.' });
  await later(1_000);
  expect(asked).toHaveLength(1);
  const verification = { performed: true, passed: true };
  const result = { ok: true, verification };
  upsert(3, { type: 'call', tool: 'fs.read', class: 'read', state: 'done', result });
  await later(0);
  expect(asked).toHaveLength(2);
  asked[1]?.();
  await later(1_000);
  upsert(4, { type: 'decision', overruled: false });
  await later(0);
  expect(asked).toHaveLength(3);
  asked[2]?.();
  await later(1_000);
  upsert(5, { type: 'notice', kind: 'foreign_change', canResume: false });
  await later(0);
  expect(asked).toHaveLength(4);
});

test('todos are read again when there are others, and not for every line or word', async () => {
  const { app, asked, tell, upsert, status, later } = await read('todos');
  expect(app.store.getState().todos?.ok).toBe(true);
  tell([{ type: 'status', status: { ...status, seq: status.seq + 1 } }]);
  tell([{ type: 'append', id: 'new', text: 'a word', thinking: '' }]);
  await later(1_000);
  expect(asked).toHaveLength(1);
  upsert(1, { type: 'call', class: 'session', state: 'done' });
  await later(1_000);
  expect(asked).toHaveLength(1);
  const todos = { ...status.todos, completed: 2 };
  tell([{ type: 'status', status: { ...status, seq: status.seq + 2, todos } }]);
  await later(0);
  expect(asked).toHaveLength(2);
});

test.each(['todos', 'snapshot'] as const)(
  'a todo that is begun changes no number, and yet it is read again: %s',
  async (what) => {
    const { asked, tell, status, later } = await read(what);
    const todos = { ...status.todos, changes: status.todos.changes + 1 };
    tell([{ type: 'status', status: { ...status, seq: status.seq + 1, todos } }]);
    await later(0);
    expect(asked).toHaveLength(2);
  },
);

test('todos of another run are read, however alike', async () => {
  const { asked, tell, status, later } = await read('todos');
  const run = status.run && { ...status.run, runId: 'r-other' };
  tell([{ type: 'status', status: { ...status, seq: status.seq + 1, run } }]);
  await later(0);
  expect(asked).toHaveLength(2);
});

test('todos of a conversation that was left are not shown in the next one', async () => {
  const { app } = await read('todos');
  openConversation(app, 'c-done');
  expect(app.store.getState().todos).toBeNull();
});

test('a file that was put back is another one by now', async () => {
  const { app, asked, upsert, later } = await opened();
  follow(app, 'snapshot');
  await later(0);
  asked[0]?.();
  await later(1_000);
  upsert(1, { type: 'notice', kind: 'put_back', canResume: false });
  await later(0);
  expect(asked).toHaveLength(2);
});
