// What a conversation has cost, at the prices that the person gave. The same rule as the program's
// own (`CostSettings::cost_of`): the longest name that a model's name begins with has the price.
import type { CostSettings, ModelPrice, ModelUsage } from '../bridge/wire';

export interface Cost {
  amount: number;
  /** Whether it is no more than about right: tokens were estimated, or a part has no price. */
  about: boolean;
}

const priceOf = ({ prices }: CostSettings, model: string): ModelPrice | undefined =>
  prices
    .filter((price) => model.startsWith(price.model))
    .reduce<ModelPrice | undefined>(
      (best, price) => (best && best.model.length >= price.model.length ? best : price),
      undefined,
    );

/** Null when none of it has a price. `model` is meant where a server did not tell its name. */
export function costOf(
  costs: CostSettings,
  used: readonly ModelUsage[],
  model: string,
): Cost | null {
  const priced = used.map(({ model: name, usage }) => ({
    price: priceOf(costs, name ?? model),
    usage,
  }));
  if (!priced.some(({ price }) => price)) return null;
  const amount = priced.reduce(
    (sum, { price, usage }) =>
      sum +
      (usage.promptTokens * (price?.input ?? 0) + usage.completionTokens * (price?.output ?? 0)) /
        1e6,
    0,
  );
  return { amount, about: priced.some(({ price, usage }) => !price || usage.estimated) };
}
