import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { show } from '../test/render';
import { FilesContext } from './file-link';
import { Markdown } from './markdown';

const changed = new Set(['@project/artifacts/plan/vision.md']);

test.each([
  'artifacts/plan/vision.md',
  './artifacts/plan/vision.md',
  '@project/artifacts/plan/vision.md',
])('%s in code opens the file that the run changed', async (text) => {
  const open = vi.fn();
  show(
    <FilesContext.Provider value={{ changed, open }}>
      <Markdown text={`See \`${text}\` and \`npm test\`.`} />
    </FilesContext.Provider>,
  );
  expect(screen.getAllByTestId('file-link')).toHaveLength(1);
  await userEvent.click(screen.getByTestId('file-link'));
  expect(open).toHaveBeenCalledWith('@project/artifacts/plan/vision.md');
  expect(screen.getByText('npm test').closest('button')).toBeNull();
});

test('in a block of code nothing is a link', () => {
  show(
    <FilesContext.Provider value={{ changed, open: vi.fn() }}>
      <Markdown text={'```\nartifacts/plan/vision.md\n```'} />
    </FilesContext.Provider>,
  );
  expect(screen.queryByTestId('file-link')).toBeNull();
});
