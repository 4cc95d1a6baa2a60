import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeBridge } from '../bridge/fake';
import { fileCalls } from '../bridge/fake/kinds';
import { scenes } from '../bridge/fake/scenes';
import type { ServerProgress } from '../bridge/wire';
import { WordsProvider } from '../i18n';
import { nothing, reduce } from '../state/reduce';
import type { Row } from '../state/rows';
import { activityOf } from '../state/select';
import { AppProvider, makeApp } from '../state/store';
import { showIn } from '../test/render';
import { ActivityLine, RowView } from './message-row';

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

/** What is going on in a call whose server says this of itself. */
function activity(said: Partial<ServerProgress>) {
  const scene = scenes['servers-progress']?.();
  if (!scene) throw new Error('There is no such scene.');
  const { items, status } = scene;
  const server = status.server && { ...status.server, ...said };
  const of = reduce(nothing, [
    { type: 'snapshot', items, earlier: null, status: { ...status, server } },
  ]);
  const found = activityOf(of);
  if (!found) throw new Error('Nothing is going on.');
  showIn(makeApp(fakeBridge('completed')), <ActivityLine activity={found} />);
  return screen.getByTestId('activity');
}

test('a call that is running says how far its server is', () => {
  const line = activity({ message: 'Reading\u202e notes' });
  expect(line).toHaveTextContent(/search_files.*42%Reading⟨U\+202E⟩ notes$/);
  expect(line.querySelector('progress')).toHaveValue(42);
});

test('where it does not say how much there is, its words stand alone', () => {
  const line = activity({ percent: undefined });
  expect(line).toHaveTextContent('Looking through docs/2026');
  expect(line.querySelector('progress')).toBeNull();
});

test('what is said of another call is not shown', () => {
  expect(activity({ callId: 'another' })).not.toHaveTextContent('Looking through');
});
