import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBridge } from '../bridge/fake';
import type { PackageReport, Widget } from '../bridge/wire';
import { type App, AppProvider, makeApp } from '../state/store';
import { show, showIn } from '../test/render';
import { Root } from './app';
import { Row } from './message-row';

// React says what it caught, on purpose.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

function row(app: App, widget: unknown) {
  const body = {
    type: 'question',
    widget: widget as Widget,
    unbound: false,
    closed: false,
  } as const;
  return (
    <AppProvider app={app}>
      <Row headed item={{ id: 'w', seq: 1, at: '', body }} />
    </AppProvider>
  );
}

test('a part that cannot be shown says so, and comes when it can be', () => {
  const app = makeApp(fakeBridge('start'));
  const wrong = { widgetId: 'w', type: 'selection', message: 'Which?', options: 7 };
  const { rerender } = show(row(app, wrong));
  expect(screen.getByTestId('broken')).toHaveTextContent('E_INTERNAL');
  rerender(row(app, { ...wrong, options: [{ value: 'a', label: 'The first' }] }));
  expect(screen.getByText('The first')).toBeVisible();
  expect(screen.queryByTestId('broken')).toBeNull();
});

test('a screen that cannot be shown leads back to Start, past what was open', async () => {
  const app = makeApp(fakeBridge('start'));
  showIn(app, <Root />);
  await screen.findAllByTestId('recent-project');
  const report = { findings: 7 } as unknown as PackageReport;
  app.store.setState({ inspection: { path: '/a.bmad', report, failure: null } });
  const back = await screen.findByTestId('broken-back');
  expect(screen.getByTestId('broken')).toHaveTextContent('This screen cannot be shown');
  await userEvent.setup().click(back);
  await screen.findAllByTestId('recent-project');
  expect(screen.queryByTestId('broken')).toBeNull();
});
