import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show } from '../test/render';
import { Commands } from './commands';

test('a code is shown with what it does, and a word by itself', () => {
  const items = [
    { number: 1, trigger: 'CE', description: 'Create the epics' },
    { number: 2, trigger: 'split', description: 'Cut a story' },
    { number: 3, description: 'Say hello' },
  ];
  show(<Commands name="John" items={items} chosen={null} onChoose={vi.fn()} />);
  const shown = screen.getAllByTestId('command').map(({ textContent }) => textContent?.trim());
  expect(shown).toEqual(['CE Create the epics', 'split', 'Say hello']);
});
