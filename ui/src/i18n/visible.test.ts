import { expect, test } from 'vitest';
import examples from '../../../tests/fixtures/visible.json';
import { wordsIn } from './index';
import { visible } from './visible';

test('what cannot be seen becomes a sign, as it does at a terminal', () => {
  expect(examples.length).toBeGreaterThan(10);
  for (const [text = '', shown] of examples) expect([text, visible(text)]).toEqual([text, shown]);
});

test('nothing that is filled into a text hides anything', () => {
  const { t, change, failure } = wordsIn('en');
  const path = '@project/a\u202etxt.sh';
  const shown = '@project/a⟨U+202E⟩txt.sh';
  expect(t('changes.from', { path })).toContain(shown);
  expect(change([], `writes ${path}`)).toBe(`writes ${shown}`);
  expect(failure({ code: 'ENOENT', message: `no ${path}` }).message).toBe(`no ${shown}`);
});
