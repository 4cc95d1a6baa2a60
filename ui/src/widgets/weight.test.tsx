// The bound is taken away here: what the library really throws at must still be read.
import { afterEach, expect, test, vi } from 'vitest';
import { show } from '../test/render';
import { Markdown } from './markdown';

vi.mock('./weight', () => ({ isTooMuch: () => false }));
afterEach(() => vi.restoreAllMocks());

test('a message that the library cannot show is shown as it is written, and the next one as ever', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const text = '> '.repeat(6000);
  const { container, rerender } = show(<Markdown text={text} />);
  expect(container.querySelector('pre.plain')?.textContent).toBe(text);
  rerender(<Markdown text="**bold**" />);
  expect(container.querySelector('strong')).toHaveTextContent('bold');
});
