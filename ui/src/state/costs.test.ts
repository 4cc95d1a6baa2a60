import { expect, test } from 'vitest';
import { costOf } from './costs';

const costs = {
  currency: 'USD',
  prices: [
    { model: 'gpt-4.1', input: 2, output: 8 },
    { model: 'gpt-4.1-mini', input: 0.4, output: 1.6 },
  ],
};

const used = (model: string | null, promptTokens: number, estimated = false) => ({
  model,
  usage: { promptTokens, completionTokens: promptTokens / 2, estimated },
});

test('each model costs what the longest name says that its own begins with', () => {
  const cost = costOf(costs, [used('gpt-4.1-2026-04-14', 1e6), used('gpt-4.1-mini', 1e6)], 'x');
  expect(cost?.amount).toBeCloseTo(2 + 4 + 0.4 + 0.8);
  expect(cost?.about).toBe(false);
});

test('what has no price or was estimated makes it about right, and nothing priced is no cost', () => {
  expect(costOf(costs, [used('gpt-4.1', 10), used('llama', 10)], 'x')?.about).toBe(true);
  expect(costOf(costs, [used(null, 10, true)], 'gpt-4.1')?.about).toBe(true);
  expect(costOf(costs, [used('llama', 10)], 'gpt-4.1')).toBeNull();
  expect(costOf(costs, [], 'gpt-4.1')).toBeNull();
});
