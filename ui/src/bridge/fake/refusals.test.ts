import { afterEach, expect, test, vi } from 'vitest';
import { inCurrent } from '../../test/render';
import type { Command } from '../wire';
import { approvalChange } from './approval';
import { fakeBridge } from './index';

afterEach(() => vi.restoreAllMocks());

const conversationId = 'c-current';
const answer = (messageId: string, value: unknown, shownMs = 1_000): Command =>
  inCurrent({ type: 'answer', messageId, value, shownMs });
const yes = (messageId: string, shownMs?: number) =>
  answer(messageId, { confirmed: true }, shownMs);
const say = inCurrent({ type: 'say', text: 'hello' });

/** The program of a scene whose conversation has been open for a while. */
async function opened(scenario: string, forMs = 5_000) {
  const bridge = fakeBridge(scenario);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  await bridge.query({ type: 'snapshot', conversationId });
  clock.mockReturnValue(forMs);
  return async (command: Command) => {
    const result = await bridge.submit(command);
    return result.ok ? 'ok' : result.failure.code;
  };
}

test('a question is answered once, and only when it was asked', async () => {
  const submit = await opened('approval');
  expect(await submit(yes('w-other'))).toBe('WIDGET_NOT_FOUND');
  expect(await submit(yes('w-confirmation'))).toBe('ok');
  expect(await submit(yes('w-confirmation'))).toBe('WIDGET_ALREADY_SUBMITTED');
});

test('a change that is not shown whole is not allowed as shown', async () => {
  const submit = await opened('cut');
  const withValue = (value: unknown) => answer('w-confirmation', value);
  expect(await submit(yes('w-confirmation'))).toBe('WIDGET_VALUE_INVALID');
  expect(await submit(withValue({ confirmed: true, forFolder: true }))).toBe(
    'WIDGET_VALUE_INVALID',
  );
  expect(await submit(withValue({ confirmed: true, unseen: true }))).toBe('ok');
  const shown = await opened('approval');
  expect(await shown(withValue({ confirmed: true, unseen: true }))).toBe('WIDGET_VALUE_INVALID');
});

test('after one of two questions the other one waits', async () => {
  const submit = await opened('two');
  expect(await submit(yes('w-first'))).toBe('ok');
  expect(await submit(yes('w-second'))).toBe('ok');
  expect(await submit(say)).toBe('RUN_BUSY');
});

test('no window is believed that showed a question for longer than it has been there', async () => {
  const submit = await opened('approval', 399);
  expect(await submit(yes('w-confirmation', 60_000))).toBe('WIDGET_TOO_SOON');
  const no = answer('w-confirmation', { confirmed: false }, 0);
  expect(await submit(no)).toBe('ok');
});

test('while the run works nothing is said, answered or resumed', async () => {
  const submit = await opened('running');
  expect(await submit(say)).toBe('RUN_BUSY');
  expect(await submit(inCurrent({ type: 'resume' }))).toBe('RUN_BUSY');
  expect(await submit(inCurrent({ type: 'stop' }))).toBe('ok');
  expect(await submit(inCurrent({ type: 'stop' }))).toBe('NOT_NOW');
  expect(await submit(say)).toBe('ok');
});

test('a call that waits goes on by its answer, and can be stopped', async () => {
  expect(approvalChange.callId).toBeDefined();
  const submit = await opened('approval');
  expect(await submit(inCurrent({ type: 'resume' }))).toBe('NOT_NOW');
  expect(await submit(inCurrent({ type: 'stop' }))).toBe('ok');
});

test('a conversation that is not there takes no words and no draft', async () => {
  const submit = await opened('completed');
  expect(await submit({ ...say, conversationId: 'c-gone' } as Command)).toBe(
    'CONVERSATION_NOT_FOUND',
  );
  const place = { type: 'composer', conversationId: 'c-gone' } as const;
  expect(await submit({ type: 'keepDraft', place, value: 'a' })).toBe('CONVERSATION_NOT_FOUND');
});

test('the size of a draft is counted in bytes', async () => {
  const submit = await opened('completed');
  const place = { type: 'composer', conversationId } as const;
  const keep = (value: string): Command => ({ type: 'keepDraft', place, value });
  expect(await submit(keep('字'.repeat(80_000)))).toBe('ok');
  expect(await submit(keep('字'.repeat(90_000)))).toBe('BAD_REQUEST');
});

test('a package with errors is not installed', async () => {
  const submit = await opened('completed');
  const path = '/downloads/broken.bmad';
  expect(await submit({ type: 'installPackage', path, contentHash: null })).toBe('PACKAGE_INVALID');
});

test('a change that was opened whole is allowed by its name, and by no other', async () => {
  const submit = await opened('cut');
  const named = (value: unknown) => answer('w-confirmation', value);
  const { id: changeId } = approvalChange;
  const bridge = fakeBridge('cut');
  const whole = await bridge.query({ type: 'wholeChange', conversationId, changeId });
  const name = whole.ok ? whole.value.whole : '';
  for (const value of [
    { confirmed: true, whole: 'another' },
    { confirmed: true, whole: name, unseen: true },
    { confirmed: true, whole: name, forFolder: true },
    { confirmed: false, whole: name },
  ]) {
    expect(await submit(named(value))).toBe('WIDGET_VALUE_INVALID');
  }
  expect(await submit(named({ confirmed: true, whole: name }))).toBe('ok');
  const shown = await opened('approval');
  expect(await shown(named({ confirmed: true, whole: name }))).toBe('WIDGET_VALUE_INVALID');
});

test('a change is opened while it waits, where it can be', async () => {
  const code = async (scenario: string, changeId = approvalChange.id) => {
    const answer = await fakeBridge(scenario).query({
      type: 'wholeChange',
      conversationId,
      changeId,
    });
    return answer.ok ? 'ok' : answer.failure.code;
  };
  expect(await code('cut')).toBe('ok');
  expect(await code('cut', 'another')).toBe('WIDGET_NOT_FOUND');
  expect(await code('cut-no-text')).toBe('E_NOT_TEXT');
  expect(await code('cut-changed')).toBe('E_PRECONDITION_FAILED');
  expect(await code('cut-too-long')).toBe('E_READ_LIMIT');
});

test('only words that were not accepted can be let stand, and only once', async () => {
  const submit = await opened('decision');
  const accept = (messageId: string) => inCurrent({ type: 'acceptAnyway', messageId });
  expect(await submit(accept('m-continue'))).toBe('NOT_NOW');
  expect(await submit(accept('m-incomplete'))).toBe('ok');
  expect(await submit(accept('m-incomplete'))).toBe('NOT_NOW');
});

test('a run is ended once, and while it rests', async () => {
  const end = inCurrent({ type: 'endRun', reason: null });
  expect(await (await opened('running'))(end)).toBe('RUN_BUSY');
  const submit = await opened('decision');
  expect(await submit(end)).toBe('ok');
  expect(await submit(end)).toBe('NOT_NOW');
});
