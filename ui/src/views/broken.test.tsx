import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBridge } from '../bridge/fake';
import type { Item, PackageReport, Widget } from '../bridge/wire';
import { openConversation } from '../state/opening';
import { type App, makeApp } from '../state/store';
import { showIn } from '../test/render';
import { Root } from './app';
import { Dock } from './dock';

// React says what it caught, on purpose.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

/** A report that can be shown. */
async function shown(app: App): Promise<PackageReport> {
  const answer = await app.bridge.query({ type: 'inspectPackage', path: '/a.bmad' });
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer.value;
}

/** The run waits for the answer to a question. */
function asks(app: App, widget: unknown) {
  const { conversation } = app.store.getState();
  const { status } = conversation;
  if (!status) throw new Error('a conversation is open');
  const asked = { widget: widget as Widget, unbound: false, closed: false };
  const item: Item = { id: 'w', seq: 1, at: '', body: { type: 'question', ...asked } };
  const now = { ...status, waitingWidget: 'w', waitingWidgets: ['w'] };
  const shown = { ...conversation, items: [item], index: new Map([['w', 0]]), status: now };
  act(() => app.store.setState({ conversation: shown }));
}

test('a part that cannot be shown says so, and comes when it can be', async () => {
  const app = makeApp(fakeBridge('form'));
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const wrong = { widgetId: 'w', type: 'selection', message: 'Which?', options: 7 };
  showIn(app, <Dock />);
  asks(app, wrong);
  expect(screen.getByTestId('broken')).toHaveTextContent('E_INTERNAL');
  expect(screen.getByText('Which?'), 'its words can be read').toBeVisible();
  asks(app, { ...wrong, options: [{ value: 'a', label: 'The first' }] });
  expect(screen.getByText('The first')).toBeVisible();
  expect(screen.queryByTestId('broken')).toBeNull();
});

test('a dialog that cannot be shown is closed, cannot be agreed to, and leaves the rest', async () => {
  const app = makeApp(fakeBridge('start'));
  showIn(app, <Root />);
  await screen.findAllByTestId('recent-project');
  for (const wrong of [{ findings: 7 }, { ...(await shown(app)), workflows: [7, null] }]) {
    const report = wrong as unknown as PackageReport;
    act(() => app.store.setState({ inspection: { path: '/a.bmad', report, failure: null } }));
    expect(await screen.findByTestId('broken')).toHaveTextContent('This dialog cannot be shown');
    expect(screen.queryByTestId('install')).toBeNull();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByTestId('broken')).toBeNull();
    expect(screen.getAllByTestId('recent-project').length).toBeGreaterThan(0);
  }
});

test('a screen that cannot be shown leads back to Start, past what was open', async () => {
  const app = makeApp(fakeBridge('start'));
  showIn(app, <Root />);
  await screen.findAllByTestId('recent-project');
  act(() => app.store.setState({ screen: 'workspace', conversations: 7 as unknown as [] }));
  const back = await screen.findByTestId('broken-back');
  expect(screen.getByTestId('broken')).toHaveTextContent('This screen cannot be shown');
  await userEvent.setup().click(back);
  await screen.findAllByTestId('recent-project');
  expect(screen.queryByTestId('broken')).toBeNull();
});
