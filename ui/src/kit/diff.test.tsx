import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Diff } from './diff';
import { linesOf, madeBy, parseDiff, rowsOf } from './diff-lines';

const diff = `--- original
+++ modified
@@ -3,4 +3,4 @@
 currentNodeId: end
 stepsCompleted:
-  - greet
+  - hello
   - end
\\ No newline at end of file
`;

test('a unified diff is read line by line with the right numbers', () => {
  expect(parseDiff(diff)).toEqual([
    { kind: 'fold', no: null, text: '', skipped: 2 },
    { kind: 'same', no: 3, was: 3, text: 'currentNodeId: end' },
    { kind: 'same', no: 4, was: 4, text: 'stepsCompleted:' },
    { kind: 'del', no: 5, text: '  - greet', other: '  - hello' },
    { kind: 'add', no: 5, text: '  - hello', other: '  - greet' },
    { kind: 'same', no: 6, was: 6, text: '  - end' },
  ]);
});

test('of what only moves no line is added: its text is shown, with what is left out', () => {
  const diff = '@@ -0,0 +1,2 @@\n+a\n+@@ b\n…\n@@ -0,0 +9,1 @@\n+z\n';
  expect(linesOf({ diff, asIs: true }).map((l) => [l.kind, l.no, l.text])).toEqual([
    ['same', 1, 'a'],
    ['same', 2, '@@ b'],
    ['cut', null, ''],
    ['same', 9, 'z'],
  ]);
});

test('a diff that leaves something out has a sign in its place, and goes on with the right numbers', () => {
  const diff = '@@ -1,2 +1,0 @@\n-a\n-b\n…\n@@ -9,1 +1,1 @@\n-i\n+z\n';
  expect(parseDiff(diff).map((l) => [l.kind, l.no, l.text])).toEqual([
    ['del', 1, 'a'],
    ['del', 2, 'b'],
    ['cut', null, ''],
    ['del', 9, 'i'],
    ['add', 1, 'z'],
  ]);
});

test('a diff of an older run that is cut ends with a sign of its own', () => {
  expect(parseDiff('@@ -0,0 +1,9 @@\n+a\n…\n').map((l) => [l.kind, l.no, l.text])).toEqual([
    ['add', 1, 'a'],
    ['cut', null, ''],
  ]);
});

test('a removed line that begins with dashes is not taken for a file header', () => {
  expect(parseDiff('@@ -1 +1 @@\n--- a\n+++ b\n').map((l) => [l.kind, l.text])).toEqual([
    ['del', '-- a'],
    ['add', '++ b'],
  ]);
});

test('removed lines are told of those that came in their place, one by one', () => {
  const diff = '@@ -1,5 +1,4 @@\n-a\n-b\n+A\n c\n-d\n+D\n+E\n-f\n';
  expect(parseDiff(diff).map((l) => [l.text, l.other])).toEqual([
    ['a', 'A'],
    ['b', undefined],
    ['A', 'a'],
    ['c', undefined],
    ['d', 'D'],
    ['D', 'd'],
    ['E', undefined],
    ['f', undefined],
  ]);
});

test('a carriage return within a changed line is a sign, and the one at its end is none', () => {
  const diff = '@@ -1 +1 @@\n-echo one two\n+echo one\rtwo\r\n';
  const { container } = render(<Diff diff={diff} label="Changes" />);
  expect(container.querySelector('[data-line=add] .text')?.textContent).toBe('echo one␍two');
});

test('the words of a changed line that differ are marked, and no others', () => {
  const diff = '@@ -1,2 +1,2 @@\n-the old list\n-gone\n+the new list\n+@\n';
  const { container } = render(<Diff diff={diff} label="Changes" />);
  const texts = (tag: string) => [...container.querySelectorAll(tag)].map((it) => it.textContent);
  expect([texts('del'), texts('ins')]).toEqual([['old'], ['new']]);
});

test('lines that did not change are folded, however the lines around them were counted', () => {
  const diff = '@@ -1,2 +1,1 @@\n a\n-b\n@@ -10,1 +9,1 @@\n-j\n+J\n@@ -14,0 +14,1 @@\n+z\n';
  const folds = parseDiff(diff).filter(({ kind }) => kind === 'fold');
  expect(folds.map((line) => line.skipped)).toEqual([7, 4]);
  const { container } = render(<Diff diff={diff} label="Changes" />);
  expect(container).toHaveTextContent('7 unchanged lines');
});

test('side by side, the old lines of a block stand beside the new ones', () => {
  const diff = '@@ -1,4 +1,4 @@\n a\n-b\n-c\n+B\n d\n+e\n';
  const cells = rowsOf({ diff, split: true }).map((row) =>
    row.map((line) => line && `${line.no}${line.kind[0]} ${line.text}`),
  );
  expect(cells).toEqual([
    ['1s a', '1s a'],
    ['2d b', '2a B'],
    ['3d c', null],
    ['4s d', '3s d'],
    [null, '4a e'],
  ]);
});

test('a long line takes several rows beside a short one', () => {
  const diff = `@@ -1 +1 @@\n-${'a'.repeat(900)}\n+b\n`;
  const rows = rowsOf({ diff, split: true });
  expect(rows.map((row) => row.map((line) => line?.text.length ?? 0))).toEqual([
    [400, 1],
    [400, 0],
    [100, 0],
  ]);
  expect(rows[1]?.[0]).toMatchObject({ kind: 'del', no: null, goesOn: true });
});

test('only what makes a text out of nothing, and is not cut, can be read as that text', () => {
  expect(madeBy('@@ -0,0 +1,2 @@\n+# A\n+\n')).toBe('# A\n\n');
  expect(madeBy('@@ -0,0 +1,2 @@\n+# A\n…\n')).toBeNull();
  expect(madeBy('@@ -1,1 +1,2 @@\n a\n+# A\n')).toBeNull();
  expect(madeBy('')).toBeNull();
});
