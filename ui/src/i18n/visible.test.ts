import { expect, test } from 'vitest';
import examples from '../../../tests/fixtures/visible.json';
import { wordsIn } from './index';
import { cutNear, slices, visible } from './visible';

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

test('a long text is shown part by part as it is shown whole', () => {
  const unit = ['abc', '\r', '😀', '\u200d', 'x\u200d', '\u202e', 'é\u200c', '\r\r', '👩\u200d👧'];
  for (let seed = 1; seed < 400; seed++) {
    const text = Array.from({ length: 20 }, (_, n) => unit[(seed * (n + 3) * 7) % unit.length]);
    const whole = `${text.join('')}.`;
    for (const most of [1, 2, 3, 5, 8]) {
      const parts = slices(whole, most + 12);
      expect(parts.map(visible).join('')).toBe(visible(whole));
    }
  }
});

test('a text is cut where neither half is shown otherwise than within the whole', () => {
  expect(cutNear('a\r\nb', 2)).toBe(1);
  expect(cutNear('a😀b', 2)).toBe(1);
  expect(cutNear('abc', 0)).toBe(0);
  expect(cutNear('abc', 9)).toBe(3);
});
