import { expect, test } from 'vitest';
import { askedOf, neverBegan, outcomeOf } from './task';

const nothing = {
  end: null,
  steps: null,
  summary: null,
  findings: [],
  patches: [],
  verdict: null,
  changed: [],
  failure: null,
};

test('arguments are read by both names that each may have', () => {
  const asked = {
    prompt: 'Read it.',
    expected: 'What is wrong.',
    agent: 'dev',
    kind: 'review',
    paths: ['@project/docs'],
  };
  const one = {
    task_type: 'review',
    prompt: ' Read it.\n',
    expected_output: 'What is wrong.',
    agentId: 'dev',
    allowed_paths: ['@project/docs'],
  };
  const other = {
    taskType: 'review',
    prompt: 'Read it.',
    expectedOutput: 'What is wrong.',
    agent_id: 'dev',
    allowedPaths: ['@project/docs'],
  };
  expect(askedOf(one)).toEqual(asked);
  expect(askedOf(other)).toEqual(asked);
});

test('a result is read as the program writes it', () => {
  const report = { summary: 'It is fine.', findings: ['a'], status: 'passed', patches: ['b'] };
  const result = { ok: true, end: 'completed', steps: 3, report, changed: ['@project/a.md'] };
  expect(outcomeOf(result)).toEqual({
    end: 'completed',
    steps: 3,
    summary: 'It is fine.',
    findings: ['a'],
    patches: ['b'],
    verdict: 'passed',
    changed: ['@project/a.md'],
    failure: null,
  });
});

test('of a failure the details are read, and why, without what its title says', () => {
  const message = 'the sub-agent ended without a report (failed): the server answered 503';
  const details = { end: 'failed', steps: 2, changed: ['@project/a.md'] };
  const outcome = outcomeOf({ ok: false, error: { code: 'E_SUBAGENT_FAILED', message, details } });
  expect(outcome).toMatchObject({ end: 'failed', steps: 2, changed: ['@project/a.md'] });
  expect(outcome.failure?.message).toBe('the server answered 503');
  expect(neverBegan(outcome)).toBe(false);
  expect(neverBegan(outcomeOf({ error: { code: 'E_INVALID_ARGS', message: '' } }))).toBe(true);
  expect(neverBegan(outcomeOf({ ok: true }))).toBe(false);
});

test.each([
  undefined,
  null,
  'text',
  7,
  [],
  [{ report: {} }],
  { report: 'all is fine', end: 3, steps: 'many', changed: 'a' },
  { report: { summary: 5, findings: 'none', patches: {}, status: 'maybe' }, end: 'gone' },
  { report: { summary: ' ', findings: [1, null, {}, ' '] }, end: 'toString', changed: [[]] },
  { error: 'E_IO' },
  { error: { code: 5, details: null } },
])('of a result in another shape nothing is shown: %j', (result) => {
  expect(outcomeOf(result)).toEqual(nothing);
});

test.each([
  undefined,
  null,
  'text',
  [],
  { prompt: 5, task_type: 'sing', agentId: {}, allowed_paths: 'all' },
  { prompt: null, taskType: 'constructor', expected_output: [], allowedPaths: [1, null] },
])('of arguments in another shape nothing is shown: %j', (args) => {
  expect(askedOf(args)).toEqual({ prompt: '', expected: null, agent: null, kind: null, paths: [] });
});

test('a failure without words or details has none', () => {
  const { failure, end } = outcomeOf({ error: { code: 'E_SUBAGENT_FAILED' } });
  expect(failure).toMatchObject({ code: 'E_SUBAGENT_FAILED', message: '' });
  expect(end).toBeNull();
});
