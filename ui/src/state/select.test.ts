import { expect, test } from 'vitest';
import type { Item } from '../bridge/wire';
import { type Conversation, nothing, reduce } from './reduce';
import { isLatestResumable } from './select';

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
