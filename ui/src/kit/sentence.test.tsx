import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Sentence } from './sentence';

const shown = (text: string) => render(<Sentence text={text} />).container.innerHTML;

test('what stands in backticks is code, and a backtick alone is a backtick', () => {
  expect(shown('the id `a.b` is used `twice`')).toBe(
    'The id <code>a.b</code> is used <code>twice</code>',
  );
  expect(shown('one ` alone')).toBe('One ` alone');
  expect(shown('`` is nothing')).toBe('`` is nothing');
  expect(shown('`a` is `<b>`')).toBe('<code>a</code> is <code>&lt;b&gt;</code>');
});

test.each([
  ['not valid JSON', 'Not valid JSON'],
  ['ébauche vide', 'Ébauche vide'],
  ['Add it.', 'Add it.'],
  ['agents.json has none', 'agents.json has none'],
  ['nodeId is missing', 'nodeId is missing'],
  ['流程包中没有', '流程包中没有'],
  ['', ''],
])('a sentence begins with a capital letter where its language has them: %s', (text, words) => {
  expect(shown(text)).toBe(words);
});
