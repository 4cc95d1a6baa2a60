import { expect, test } from 'vitest';
import type { Item, Phase, Reason } from '../bridge/wire';
import { type Conversation, nothing, reduce } from './reduce';
import { canEnd, isLatestResumable, isOpenDecision } from './select';

const item = (seq: number, body: Item['body']): Item => ({
  id: `i${seq}`,
  seq,
  at: '2026-01-01T00:00:00.000Z',
  body,
});
const failed = item(1, { type: 'notice', kind: 'model_error', canResume: true });
const told = item(2, { type: 'notice', kind: 'state_adopted', canResume: false });
const answer = item(3, {
  type: 'message',
  by: 'assistant',
  text: 'Yes',
  streaming: false,
  cut: false,
});
const words = item(3, { type: 'message', by: 'user', text: 'Go on', streaming: false, cut: false });

/** A conversation of these items, at rest. */
function atRest(...items: Item[]): Conversation {
  const run = { phase: 'waiting-user' } as never;
  const status = { seq: 3, run, steps: [], waitingWidget: null, waitingWidgets: [] } as never;
  return reduce(nothing, [{ type: 'snapshot', items, earlier: null, status }]);
}

test('a failure can be retried until the run has gone on', () => {
  expect(isLatestResumable(atRest(failed), failed.id)).toBe(true);
  expect(isLatestResumable(atRest(failed, told), failed.id)).toBe(true);
});

test.each([
  ['the model has answered', answer],
  ['the person has said something', words],
])('a failure cannot be retried once %s', (_, later) => {
  expect(isLatestResumable(atRest(failed, told, later), failed.id)).toBe(false);
});

const decision = (seq: number) =>
  item(seq, {
    type: 'decision',
    decision: { status: 'incomplete', stop_reason: 'pending_todo', user_summary: '' },
    overruled: false,
  });

/** A conversation of these items whose run stands like this. */
function standing(phase: Phase, reason: Reason | null, ...items: Item[]): Conversation {
  const run = { phase, reason } as never;
  const status = { seq: 3, run, steps: [], waitingWidget: null, waitingWidgets: [] } as never;
  return reduce(nothing, [{ type: 'snapshot', items, earlier: null, status }]);
}

test.each<Phase>(['waiting-user', 'completed'])(
  'the newest judgement is open while the run rests because of it: %s',
  (phase) => {
    const conversation = standing(phase, 'not_accepted', decision(1), decision(2), told);
    expect(isOpenDecision(conversation, 'i2')).toBe(true);
    expect(isOpenDecision(conversation, 'i1')).toBe(false);
  },
);

test.each<[Phase, Reason | null]>([
  ['running', null],
  ['running', 'not_accepted'],
  ['waiting-user', 'answered'],
  ['completed', 'completed'],
])('a judgement is not open when the run stands for another reason: %s, %s', (phase, reason) => {
  expect(isOpenDecision(standing(phase, reason, decision(1)), 'i1')).toBe(false);
});

test.each<[Phase, boolean]>([
  ['idle', true],
  ['waiting-user', true],
  ['failed', true],
  ['running', false],
  ['completed', false],
])('a run can be ended while it rests before its end: %s', (phase, expected) => {
  expect(canEnd(standing(phase, null))).toBe(expected);
  expect(canEnd(nothing)).toBe(false);
});
