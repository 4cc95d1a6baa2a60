import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Diff, linesOf, parseDiff } from './diff';

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
    { kind: 'hunk', no: null, text: '@@ -3,4 +3,4 @@' },
    { kind: 'same', no: 3, text: 'currentNodeId: end' },
    { kind: 'same', no: 4, text: 'stepsCompleted:' },
    { kind: 'del', no: 5, text: '  - greet', other: '  - hello' },
    { kind: 'add', no: 5, text: '  - hello', other: '  - greet' },
    { kind: 'same', no: 6, text: '  - end' },
  ]);
});

test('of what only moves no line is added: its text is shown, with what is left out', () => {
  const diff = '@@ -0,0 +1,2 @@\n+a\n+@@ b\n…\n@@ -0,0 +9,1 @@\n+z\n';
  expect(linesOf({ diff, asIs: true }).map((l) => [l.kind, l.no, l.text])).toEqual([
    ['same', 1, 'a'],
    ['same', 2, '@@ b'],
    ['hunk', null, '…'],
    ['same', 9, 'z'],
  ]);
});

test('a diff that leaves something out has a sign in its place, and goes on with the right numbers', () => {
  const diff = '@@ -1,2 +1,0 @@\n-a\n-b\n…\n@@ -9,1 +1,1 @@\n-i\n+z\n';
  expect(parseDiff(diff).map((l) => [l.kind, l.no, l.text])).toEqual([
    ['hunk', null, '@@ -1,2 +1,0 @@'],
    ['del', 1, 'a'],
    ['del', 2, 'b'],
    ['hunk', null, '…'],
    ['hunk', null, '@@ -9,1 +1,1 @@'],
    ['del', 9, 'i'],
    ['add', 1, 'z'],
  ]);
});

test('a diff of an older run that is cut ends with a sign of its own', () => {
  expect(parseDiff('@@ -0,0 +1,9 @@\n+a\n…\n').map((l) => [l.kind, l.no, l.text])).toEqual([
    ['hunk', null, '@@ -0,0 +1,9 @@'],
    ['add', 1, 'a'],
    ['hunk', null, '…'],
  ]);
});

test('a removed line that begins with dashes is not taken for a file header', () => {
  expect(parseDiff('@@ -1 +1 @@\n--- a\n+++ b\n').map((l) => [l.kind, l.text])).toEqual([
    ['hunk', '@@ -1 +1 @@'],
    ['del', '-- a'],
    ['add', '++ b'],
  ]);
});

test('removed lines are told of those that came in their place, one by one', () => {
  const diff = '@@ -1,5 +1,4 @@\n-a\n-b\n+A\n c\n-d\n+D\n+E\n-f\n';
  expect(parseDiff(diff).map((l) => [l.text, l.other])).toEqual([
    ['@@ -1,5 +1,4 @@', undefined],
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
