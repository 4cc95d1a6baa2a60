import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DraftPlace, Failure } from '../bridge/wire';
import { makeApp, recordingBridge } from '../test/render';
import { draftAt, forgetDraft, keepDraft, keepNow, loadDrafts } from './drafts';

const composer: DraftPlace = { type: 'composer', conversationId: 'c-current' };
const form: DraftPlace = { type: 'widget', conversationId: 'c-current', messageId: 'm-1' };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open() {
  const { bridge, commands } = recordingBridge('completed');
  return { app: makeApp(bridge), commands };
}

test('what is typed is on its way within half a second, once, and the newest of it', async () => {
  const { app, commands } = open();
  for (const words of ['H', 'Ha', 'Half', 'Half a sen']) keepDraft(app, composer, words);
  expect(draftAt(app, composer)).toBe('Half a sen');
  await vi.advanceTimersByTimeAsync(500);
  expect(commands).toEqual([{ type: 'keepDraft', place: composer, value: 'Half a sen' }]);
});

test('somebody who does not stop typing is kept all the same', async () => {
  const { app, commands } = open();
  for (let n = 1; n <= 10; n++) {
    keepDraft(app, composer, 'x'.repeat(n));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(commands.length).toBeGreaterThanOrEqual(3);
});

test('what was kept is there in the next window, and newer words win', async () => {
  const first = open();
  keepDraft(first.app, form, { title: 'Notes' });
  keepDraft(first.app, composer, 'old');
  keepNow(first.app);
  await first.app.keeping;
  const { app } = open();
  keepDraft(app, composer, 'new');
  await loadDrafts(app);
  expect(draftAt(app, form)).toEqual({ title: 'Notes' });
  expect(draftAt(app, composer)).toBe('new');
});

test('what was sent or emptied is forgotten', async () => {
  const { app, commands } = open();
  keepDraft(app, composer, 'Hello');
  keepDraft(app, composer, '');
  forgetDraft(app, form);
  await vi.advanceTimersByTimeAsync(500);
  expect(commands).toEqual([{ type: 'keepDraft', place: composer, value: null }]);
});

test('a draft that cannot be kept is told, one of a deleted conversation is not', async () => {
  const { app } = open();
  const refuse = (failure: Failure) => {
    app.bridge.submit = async () => ({ ok: false, failure });
    keepDraft(app, composer, `for ${failure.code}`);
    return vi.advanceTimersByTimeAsync(500);
  };
  await refuse({ code: 'CONVERSATION_NOT_FOUND', message: 'gone' });
  expect(app.store.getState().failure).toBeNull();
  await refuse({ code: 'STORE_WRITE_FAILED', message: 'the disk is full' });
  expect(app.store.getState().failure?.code).toBe('STORE_WRITE_FAILED');
});
