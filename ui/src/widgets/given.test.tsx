import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '../test/render';
import { GivenFiles } from './given';
import { UserMessage } from './message';

test('under the words stands which files went along, and why others did not', () => {
  show(
    <UserMessage
      text="Look at @notes.md"
      files={[
        { path: '@project/notes.md', bytes: 1229 },
        { path: '@project/long.md', bytes: 4096, cut: true },
        { path: '@project/docs', bytes: 0, withheld: 'folder' },
        { path: '@project/a.png', bytes: 0, withheld: 'not_text' },
        { path: '@project/.env', bytes: 0, withheld: 'refused' },
        { path: '@project/b.md', bytes: 0, withheld: 'too_many' },
      ]}
    />,
  );
  const list = screen.getByRole('list', { name: 'Files that went along' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((it) => it.textContent),
  ).toEqual([
    'Attached: @project/notes.md, 1.2 KiB',
    'Attached: the beginning of @project/long.md, 4 KiB',
    'Not attached: @project/docs is a folder',
    'Not attached: @project/a.png is not text',
    'Not attached: @project/.env may not be read',
    'Not attached: @project/b.md (your message mentions too many files)',
  ]);
  expect(screen.getByText('Look at @notes.md')).toBeVisible();
});

test('words without files have no list', () => {
  show(<GivenFiles files={[]} />);
  expect(screen.queryByTestId('given-files')).toBeNull();
});
