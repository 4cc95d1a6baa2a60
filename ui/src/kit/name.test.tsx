import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { visible } from '../i18n/visible';
import { show } from '../test/render';
import { Name } from './name';

test('characters that turn, hide or join others are named', () => {
  const path = '@project/docs/\u202egpj.yrammus\u202c.sh';
  show(<Name text={path} />);
  expect(screen.getByText(/gpj/).parentElement).toHaveTextContent(
    '@project/docs/⟨U+202E⟩gpj.yrammus⟨U+202C⟩.sh',
  );
  for (const character of '\0\b\u001b\u007f\u009b\u00ad\u061c\u180e\u200b\u200d\u200f\u2028\u2066\u2069\ufeff\u{e0041}') {
    expect(visible(`a${character}b`), character.codePointAt(0)?.toString(16)).toMatch(
      /^a(⟨U\+[0-9A-F]{4,5}⟩|[␀-␡])b$/,
    );
  }
});

test('what can be seen stays as it is', () => {
  for (const text of [
    '@project/文件 名.md',
    'a  b\tc',
    'naïve – “quoted” 🧭',
    'é e\u0301',
    'עברית',
  ]) {
    expect(visible(text)).toBe(text);
  }
  expect(visible('a\rb')).toBe('a␍b');
  expect(visible('x\r')).toBe('x');
});
