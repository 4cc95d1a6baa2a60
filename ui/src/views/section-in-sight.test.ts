import { expect, test } from 'vitest';
import type { Row } from '../state/rows';
import { sectionAbove } from './section-in-sight';

const rows = ['item', 'step', 'item', 'item', 'step', 'item'].map((kind) => ({ kind })) as Row[];

test('the step one reads is the last one above the first row in sight', () => {
  expect([0, 1, 2, 3, 4, 5].map((first) => sectionAbove(rows, first))).toEqual([
    null,
    null,
    1,
    1,
    null,
    4,
  ]);
});

test('without rows, or beyond them, nothing goes wrong', () => {
  expect(sectionAbove([], 0)).toBeNull();
  expect(sectionAbove(rows, 9)).toBe(4);
});
