import { expect, test } from 'vitest';
import { drawn } from './rows-drawn';

const range = { startIndex: 20, endIndex: 22, overscan: 0, count: 100 };

test('of low rows some on each side are drawn ahead', () => {
  const rows = drawn(range, () => 30);
  expect(rows).toEqual(Array.from({ length: 19 }, (_, n) => 12 + n));
});

test('of high rows one on each side is drawn ahead, as each takes long', () => {
  expect(drawn(range, () => 5_000)).toEqual([19, 20, 21, 22, 23]);
});

test('before the first and after the last row there is none', () => {
  expect(drawn({ ...range, startIndex: 0, endIndex: 0, count: 1 }, () => 30)).toEqual([0]);
});

test('what is in sight can be had alone', () => {
  expect(drawn(range, () => 30, 0)).toEqual([20, 21, 22]);
});
