import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordsProvider } from '../i18n';
import { Code, changeOf } from './code';
import { languageOf } from './code-language';

const code = (text: string, name: string) => (
  <WordsProvider lang="en">
    <Code text={text} name={name} label="Source" />
  </WordsProvider>
);

/** A text that is shown, and the way to show another one in its place. */
function shown(text: string, name = 'notes.txt') {
  const { rerender } = render(code(text, name));
  return {
    user: userEvent.setup(),
    content: screen.getByTestId('code'),
    becomes: (after: string) => rerender(code(after, name)),
  };
}

test('it is read, not written, and has its name', async () => {
  const { content, user } = shown('one\ntwo');
  expect(content).toHaveAttribute('aria-label', 'Source');
  expect(content).toHaveAttribute('aria-readonly', 'true');
  await user.click(content);
  await user.keyboard('x');
  expect(content).toHaveTextContent(/^onetwo$/);
});

test('what cannot be seen has a sign', () => {
  const { content } = shown('a\u202eb\rc\r\nd\u200d.\r', 'notes.txt');
  const marks = [...content.querySelectorAll('mark')].map((it) => it.textContent);
  expect(marks).toEqual(['⟨U+202E⟩', '␍', '⟨U+200D⟩']);
  // What is left is what can be seen: no carriage return at the end of a line, either.
  for (const mark of content.querySelectorAll('mark')) mark.remove();
  expect(content.textContent?.replace(/\u200b/g, '')).toBe('abcd.');
});

test.each([
  ['save.ts', 'const a = 1;', '.tok-keyword', 'const'],
  ['config.YAML', 'name: garden', '.tok-propertyName', 'name'],
  ['Dockerfile', 'FROM debian', '.tok-keyword', 'FROM'],
  // The settings at the top of a step, and the code within its text.
  ['step-01.md', '---\nid: first\n---\n# Head', '.tok-propertyName', 'id'],
  ['step-01.md', '---\nid: first\n---\n# Head', '.tok-heading', 'Head'],
  ['readme.md', '```js\nconst a = 1;\n```', '.tok-keyword', 'const'],
])('%s has the colours of its language', async (name, text, selector, word) => {
  const { content } = shown(text, name);
  const words = () => [...content.querySelectorAll(selector)].map((it) => it.textContent?.trim());
  await waitFor(() => expect(words()).toContain(word));
});

test('Markdown that would take minutes to be parsed stays plain', async () => {
  const { content, becomes } = shown(`# Head\n${'*_['.repeat(900)}`, 'a.md');
  await languageOf('a.md');
  expect(content.querySelector('[class^=tok-]')).toBeNull();
  becomes('# Head\n');
  await waitFor(() => expect(content.querySelector('.tok-heading')).not.toBeNull());
});

test('a name of no language leaves the text plain', async () => {
  expect(await languageOf('notes.unknown')).toBeNull();
});

test('a text that becomes another one is shown as that', () => {
  const { content, becomes } = shown('one\ntwo\nthree');
  becomes('one\n2\nthree');
  expect(content).toHaveTextContent(/^one2three$/);
});

test('what of a text is another one leads from one to the other', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀', 'é'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { from, to, insert } = changeOf(before, after);
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
    }),
  );
});

test('words are found from anywhere by their key, and Esc closes only the search', async () => {
  const { user } = shown('a.b\naxb\nA.B');
  await user.keyboard('{Control>}f{/Control}');
  const field = await screen.findByTestId('find-words');
  expect(field).toHaveFocus();
  // A point is a point, and no pattern.
  await user.keyboard('a.b');
  expect(screen.getByTestId('find-count')).toHaveTextContent('1 of 2');
  await user.keyboard('{Enter}');
  expect(screen.getByTestId('find-count')).toHaveTextContent('2 of 2');
  await user.keyboard('{Enter}');
  expect(screen.getByTestId('find-count')).toHaveTextContent('1 of 2');
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  expect(screen.getByTestId('find-count')).toHaveTextContent('2 of 2');
  await user.keyboard('{Control>}f{/Control}zzz');
  expect(screen.getByTestId('find-count')).toHaveTextContent('Nothing found');
  expect(screen.getByRole('button', { name: 'Next (Enter)' })).toBeDisabled();
  await user.keyboard('{Escape}');
  expect(screen.queryByTestId('find-words')).toBeNull();
  expect(within(document.body).getByTestId('code')).toHaveFocus();
});
