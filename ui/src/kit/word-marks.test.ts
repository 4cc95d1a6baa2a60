import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordMarks } from './word-marks';

/** The line with its marks as brackets. */
const marked = (line: string, other: string) =>
  wordMarks(line, other)
    ?.map(({ text, differs }) => (differs ? `[${text}]` : text))
    .join('') ?? null;

test('the words that differ are marked in both lines, with the spaces between them', () => {
  const [before, after] = ['The list opens in a window.', 'The short list opens in one page.'];
  expect(marked(before, after)).toBe('The list opens in [a window].');
  expect(marked(after, before)).toBe('The [short ]list opens in [one page].');
});

test('Chinese is marked by its words, too', () => {
  expect(marked('成员可以看到成熟的植物。', '成员可以看到成熟的水果。')).toBe(
    '成员可以看到成熟的[植物]。',
  );
});

test('lines with little in common have no marks, and neither have very long ones', () => {
  expect(marked('- Status: draft', 'Everything else was written anew')).toBeNull();
  const long = 'word '.repeat(500);
  expect(marked(`${long}a`, `${long}b`)).toBeNull();
  expect(marked('', 'a')).toBeNull();
});

test('marks never change what a line says', () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(line, line, (text, other) => {
      const parts = wordMarks(text, other);
      expect(parts?.map((part) => part.text).join('') ?? text).toBe(text);
    }),
  );
});
