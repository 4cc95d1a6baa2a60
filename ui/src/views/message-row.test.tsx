import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeBridge } from '../bridge/fake';
import { fileCalls } from '../bridge/fake/kinds';
import { WordsProvider } from '../i18n';
import type { Row } from '../state/rows';
import { AppProvider, makeApp } from '../state/store';
import { showIn } from '../test/render';
import { RowView } from './message-row';

const expanded = () =>
  screen.getByTestId('call-card').querySelector('[aria-expanded]')?.getAttribute('aria-expanded');

test('the card of a write that somebody looks for opens where it stands, and stays open', () => {
  const app = makeApp(fakeBridge('completed'));
  const item = fileCalls.created;
  const row: Row = { kind: 'item', id: item.id, item, headed: false };
  const list = (found: string | null) => (
    <AppProvider app={app}>
      <WordsProvider lang="en">
        <RowView row={row} found={found} />
      </WordsProvider>
    </AppProvider>
  );
  Element.prototype.scrollIntoView = () => undefined;
  const { rerender } = showIn(app, <RowView row={row} found={null} />);
  expect(expanded()).toBe('false');
  rerender(list(item.id));
  expect(expanded()).toBe('true');
  rerender(list(null));
  expect(expanded()).toBe('true');
});
