// How much the colours stand out from each other, as WCAG counts it, in all four looks; and that
// docs/design.md says so.
import { expect, test } from 'vitest';
import design from '../../../docs/design.md?raw';
import style from './tokens.css?raw';

type Colours = Record<string, string>;

/** The colours of each block of the style sheet, by its selector. */
const blocks = new Map<string, Colours>();
for (const [, selector = '', body = ''] of style.matchAll(/([^{}]+)\{([^}]*)\}/g)) {
  const colours = body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g);
  const name = selector.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ');
  blocks.set(name.trim(), Object.fromEntries([...colours].map(([, key, value]) => [key, value])));
}

const of = (selector: string) => {
  const found = blocks.get(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
};

const light = of(':root, :root[data-theme="light"]');
const dark = { ...light, ...of(':root[data-theme="dark"]') };
const high = of(':root[data-contrast="high"]');
const looks: Colours[] = [
  light,
  dark,
  { ...light, ...high },
  { ...dark, ...high, ...of(':root[data-contrast="high"][data-theme="dark"]') },
];

function brightness(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

const GROUNDS = ['bg', 'surface', 'raised', 'sunken', 'hover', 'active'];
const ownGrounds = (soft: string) => ['bg', 'surface', 'sunken', soft];

/** A row of the page: what stands on which grounds, and the least it may stand out with each contrast. */
interface Pair {
  row: string;
  of: string;
  on: string[];
  least: number;
  leastHigh: number;
}

const words = (row: string, name: string, on: string[]): Pair => ({
  row,
  of: name,
  on,
  least: 4.5,
  leastHigh: 7,
});

const pairs: Pair[] = [
  words('`--text-2` on any ground', 'text-2', GROUNDS),
  words('`--text-3` on any ground', 'text-3', GROUNDS),
  words('`--accent-text` on its grounds', 'accent-text', ownGrounds('accent-soft')),
  words('`--on-accent` on `--accent`', 'on-accent', ['accent']),
  words('`--ok` on its grounds', 'ok', ownGrounds('ok-soft')),
  words('`--warn` on its grounds', 'warn', ownGrounds('warn-soft')),
  words('`--bad` on its grounds', 'bad', ownGrounds('bad-soft')),
  words('`--text` on a changed word', 'text', ['add-word', 'del-word']),
  {
    row: '`--control-line` on `--surface`, `--bg`, `--sunken`',
    of: 'control-line',
    on: ['surface', 'bg', 'sunken'],
    least: 3,
    leastHigh: 3,
  },
  {
    row: '`--focus` on `--surface`, `--bg`',
    of: 'focus',
    on: ['surface', 'bg'],
    least: 3,
    leastHigh: 3,
  },
  { row: '`--line` on `--surface`', of: 'line', on: ['surface'], least: 1, leastHigh: 3 },
];

/** How much of it can be told apart in each look, from the ground where that is least. */
const measured = ({ of, on }: Pair) =>
  looks.map((look) =>
    Math.min(...on.map((ground) => contrast(look[of] as string, look[ground] as string))),
  );

test.each(pairs)('$row can be told apart, by as much as the page says', (pair) => {
  const found = measured(pair);
  const [a = 0, b = 0, c = 0, d = 0] = found;
  expect(Math.min(a, b)).toBeGreaterThanOrEqual(pair.least);
  expect(Math.min(c, d)).toBeGreaterThanOrEqual(pair.leastHigh);
  // Rounded down: no pair stands out by less than the page says.
  const cells = found.map((ratio) => (Math.floor(ratio * 10) / 10).toFixed(1));
  const told = design.split('\n').find((line) => line.startsWith(`| ${pair.row} |`));
  expect(told).toBe(`| ${pair.row} | ${cells.join(' | ')} |`);
});
