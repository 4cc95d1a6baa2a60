import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Failure, Frame, Item } from '../bridge/wire';
import { recordingBridge } from '../test/render';
import { openConversation } from './actions';
import { followSnapshot, wantSnapshot } from './snapshot';
import { makeApp } from './store';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An open conversation, its frames, and the snapshots that were asked for and not answered yet. */
async function opened() {
  const { bridge } = recordingBridge('completed');
  const asked: ((failure?: Failure) => void)[] = [];
  let tell: (frames: Frame[]) => void = () => undefined;
  const app = makeApp({
    ...bridge,
    async query(query) {
      const result = await bridge.query(query);
      if (query.type !== 'snapshot') return result;
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
  const write = (n: number, state: 'waiting' | 'running' | 'done') => {
    const body = { type: 'call', class: 'write_project', state } as Item['body'];
    tell([{ type: 'upsert', item: { id: `w-${n}`, seq: 500 + n, at: '', body } }]);
  };
  return { app, asked, write, later: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test('ten writes are one question at a time, and at most two a second', async () => {
  const { app, asked, write, later } = await opened();
  followSnapshot(app);
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
  followSnapshot(app);
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
  wantSnapshot(app);
  await later(1_000);
  expect(asked).toHaveLength(0);
  const stop = followSnapshot(app);
  await later(0);
  expect(asked).toHaveLength(1);
  stop();
  asked[0]?.();
  write(2, 'done');
  await later(5_000);
  expect(asked).toHaveLength(1);
  expect(app.store.getState().snapshot).toBeNull();
});

test('what could not be read says so, and is read again', async () => {
  const { app, asked, write, later } = await opened();
  followSnapshot(app);
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
