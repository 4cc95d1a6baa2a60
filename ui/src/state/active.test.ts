import { expect, test } from 'vitest';
import type { ConversationSummary, Phase } from '../bridge/wire';
import { needsPerson, newsOf } from './active';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString();

function conversation(id: string, phase: Phase, minute = 0): ConversationSummary {
  return {
    conversationId: id,
    projectId: 'p',
    title: id,
    generatedTitle: id,
    customTitle: null,
    mode: 'run',
    runs: [
      {
        runId: `r-${id}`,
        packageId: 'k',
        workflowId: 'w',
        phase,
        reason: null,
        since: at(minute),
      },
    ],
    messageCount: 1,
    createdAt: at(0),
    // It is written with every line, and says nothing of how a run stands.
    lastActiveAt: at(Math.random() * 60),
  };
}

const names = (all: readonly ConversationSummary[]) => all.map((one) => one.conversationId);

test('a run that works needs nobody, and one that rests does', () => {
  expect(needsPerson(conversation('a', 'running'))).toBe(false);
  expect(needsPerson(conversation('a', 'waiting-user'))).toBe(true);
  expect(needsPerson(conversation('a', 'failed'))).toBe(true);
  expect(needsPerson({ ...conversation('a', 'running'), runs: [] })).toBe(false);
});

test('what came to wait is news once, also when it was not seen to work in between', () => {
  const works = conversation('a', 'running', 1);
  const waits = conversation('a', 'waiting-user', 2);
  expect(names(newsOf([works], [waits]).wait)).toEqual(['a']);
  expect(names(newsOf([waits], [waits]).wait)).toEqual([]);
  expect(names(newsOf([waits], [conversation('a', 'waiting-user', 3)]).wait)).toEqual(['a']);
  expect(names(newsOf([], [waits]).wait)).toEqual(['a']);
  expect(names(newsOf([waits], [works]).wait)).toEqual([]);
});

test('what neither works nor waits any more is gone', () => {
  const both = [conversation('a', 'running'), conversation('b', 'waiting-user')];
  expect(names(newsOf(both, both.slice(0, 1)).gone)).toEqual(['b']);
  expect(names(newsOf(both, []).gone)).toEqual(['a', 'b']);
});
