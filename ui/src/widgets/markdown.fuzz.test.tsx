// Random hostile Markdown through the real renderer. A few texts in every run of the tests; for so
// long as one likes with `fuzz/run markdown SECONDS`.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visible } from '../i18n/visible';
import { show } from '../test/render';
import { Markdown } from './markdown';
import { isTooMuch } from './weight';

/** The page knows no Node.js, which runs its tests. */
declare const process: {
  env: Record<string, string | undefined>;
  cpuUsage(before?: Cpu): Cpu;
};
type Cpu = { user: number; system: number };

const seconds = Number(process.env.FUZZ_SECONDS ?? 0);
/** Work, not waiting: the machine may have other things to do. */
const MOST_CPU_MS = 5_000;
const LENGTH = 50_000;
const LIVE =
  'script,img,svg[onload],iframe,form,input[name],style,base,link,object,embed,a[href],video,audio,picture,source';

const marks = fc.constantFrom(
  ...[
    '*',
    '_',
    '**',
    '__',
    '~~',
    '`',
    '```',
    '~~~',
    '[',
    ']',
    '](',
    ')',
    '![',
    '<',
    '>',
    '&',
    '\\',
  ],
  ...['> ', '- ', '+ ', '1. ', '1) ', '# ', '###### ', '    ', '\t', '  \n', '\n', '\n\n', '---\n'],
  ...[
    '| a ',
    '|---',
    '|\n',
    '[^1]',
    '[^1]: ',
    '[a]: ',
    '$',
    '$$',
    '- [ ] ',
    '===\n',
    '<!--',
    ']]>',
  ],
  ...['http://', 'www.', '@a.b', 'javascript:', 'data:text/html,', '&#x202e;', '&amp;', '\u202e'],
  ...['<a href="javascript:x">', '<img src=x onerror=x>', '<svg/onload=x>', '<details>', '</p>'],
);
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('a', '文', ' '),
);
const often = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 3_000 }) },
);
const piece = fc.tuple(fc.array(fc.oneof(marks, marks, words), { maxLength: 6 }), often);
const markdown = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.map(([parts, times]) => parts.join('').repeat(times)).join(''))
  .map((text) => text.slice(0, LENGTH));

function check(text: string, streaming: boolean) {
  const before = process.cpuUsage();
  const { container, unmount } = show(<Markdown text={text} streaming={streaming} />);
  const cpu = process.cpuUsage(before);
  expect((cpu.user + cpu.system) / 1000).toBeLessThan(MOST_CPU_MS);
  expect([...container.querySelectorAll(LIVE)].map((element) => element.outerHTML)).toEqual([]);
  for (const element of container.querySelectorAll('*')) {
    expect(element.getAttributeNames().filter((name) => name.startsWith('on'))).toEqual([]);
  }
  for (const link of container.querySelectorAll('button.link')) {
    expect(link.getAttribute('title')).toMatch(/^(https?|mailto):/i);
  }
  const shown = container.textContent ?? '';
  expect(visible(shown)).toBe(shown);
  if (isTooMuch(text, false)) expect(container.querySelector('pre.plain')).not.toBeNull();
  unmount();
}

test(
  'nothing live, nothing unseen and no long wait comes of any Markdown',
  () => {
    const property = fc.property(markdown, fc.boolean(), check);
    const limit = { interruptAfterTimeLimit: seconds * 1000, numRuns: Number.MAX_SAFE_INTEGER };
    const result = fc.check(property, seconds > 0 ? limit : { seed: 1, numRuns: 20 });
    // biome-ignore lint/suspicious/noConsole: whoever fuzzes wants to know how much was tried
    if (seconds > 0) console.info(`${result.numRuns} texts`);
    if (result.failed && !result.interrupted) throw new Error(fc.defaultReportMessage(result));
  },
  (seconds + 120) * 1000,
);
