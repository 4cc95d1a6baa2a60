import { expect, test } from 'vitest';
import { packages as installed } from '../bridge/fake/data';
import { nested, withNested } from '../bridge/fake/nested';
import { status as statusOf } from '../bridge/fake/pieces';
import type { Item, Status, StepStatus } from '../bridge/wire';
import { isAt, pathOf, stepThere, titlesAt, waitingAt, workflowAt } from './nesting';

const { packages } = withNested(installed, []);
const inNote = nested().status;
const { called } = inNote;
if (!called) throw new Error('the run works on a called workflow');

type StepBody = Extract<Item['body'], { type: 'step' }>;
const body = (node: string, title?: string): StepBody => ({
  type: 'step',
  node,
  afterCompleted: true,
  title,
});

/** The same with one more step in the workflow that is worked on. */
const withStep = (id: string, status: StepStatus): Status => ({
  ...inNote,
  steps: [...inNote.steps, { id, title: 'Another one', type: 'step', status }],
});

test('a run works on the called workflow, and else on its own', () => {
  expect(workflowAt(inNote.run, called)).toBe('note');
  expect(workflowAt(inNote.run, undefined)).toBe('book');
  expect(workflowAt(null, undefined)).toBeUndefined();
});

test('the path leads from the workflow of the run over the steps that wait to the called one', () => {
  expect(pathOf({ ...called, callers: called.callers.slice(0, 1) })).toEqual([
    'Handbook for new colleagues',
    'Write the chapters',
    'Note',
  ]);
  expect(pathOf(called)).toHaveLength(5);
});

test('a rewind leads to a waiting step only where nothing further in has its id', () => {
  const [book] = called.callers;
  expect(waitingAt(inNote, 'chapters')).toBe(book);
  expect(waitingAt(inNote, 'read')).toBeUndefined();
  const inner = called.callers.map((step) => ({ ...step, isMeant: false }));
  expect(waitingAt({ called: { ...called, callers: inner } }, 'chapters')).toBeUndefined();
  const [, chapter] = called.callers;
  const twice = called.callers.map((step) => ({
    ...step,
    nodeId: 'write',
    isMeant: step.workflowId === chapter?.workflowId,
  }));
  const meant = waitingAt({ called: { ...called, callers: twice } }, 'write');
  expect(meant?.workflowId).toBe(chapter?.workflowId);
});

test('what is done again is called as in the workflow to which a rewind leads', () => {
  const ofNote = titlesAt(inNote, packages, 'read');
  expect([ofNote('read'), ofNote('chapters')]).toEqual(['Read what there is', 'chapters']);
  const ofBook = titlesAt(withStep('chapters', 'pending'), packages, 'chapters');
  expect(ofBook('chapters')).toBe('Write the chapters');
  expect(ofBook('bind')).toBe('Put the chapters together');
  expect(titlesAt(inNote, null, 'chapters')('chapters')).toBe('Write the chapters');
  expect(titlesAt(null, null, 'chapters')('chapters')).toBe('chapters');
});

test('only steps of called workflows have a title in the conversation', () => {
  const step = { id: 'read', title: 'Read what there is' };
  expect(isAt(body('read', 'Read what there is'), step, true)).toBe(true);
  expect(isAt(body('read', 'Read it again'), step, true)).toBe(false);
  expect(isAt(body('read'), step, true)).toBe(false);
  expect(isAt(body('read'), step, false)).toBe(true);
  expect(isAt(body('read', 'Read what there is'), step, false)).toBe(false);
});

test('a step of the workflow that is worked on has a number, and is completed or not', () => {
  expect(stepThere(inNote, packages, body('read', 'Read what there is'))).toEqual({
    title: 'Read what there is',
    number: 1,
    isCompleted: true,
  });
  expect(stepThere(statusOf('running', 1), packages, body('size'))).toEqual({
    title: 'Is it small enough?',
    number: 2,
    isCompleted: false,
  });
});

test('a step of another workflow is called by its own title, or as its package says', () => {
  const elsewhere = { number: undefined, isCompleted: false };
  const draft = body('draft', 'Draft the section');
  expect(stepThere(inNote, packages, draft)).toEqual({ ...elsewhere, title: 'Draft the section' });
  const plan = stepThere(inNote, packages, body('plan'));
  expect(plan).toEqual({ ...elsewhere, title: 'Plan the chapters' });
  expect(stepThere(inNote, null, body('plan'))).toEqual({ ...elsewhere, title: 'plan' });
  expect(stepThere(null, null, body('plan'))).toEqual({ ...elsewhere, title: 'plan' });
});

test('a step with the id of one that is worked on keeps its own title, and has no number', () => {
  const same = withStep('plan', 'completed');
  expect(stepThere(same, packages, body('plan'))).toEqual({
    title: 'Plan the chapters',
    number: undefined,
    isCompleted: false,
  });
});
