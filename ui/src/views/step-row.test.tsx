import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { approval, approvalChange } from '../bridge/fake/approval';
import { call, item, step, user } from '../bridge/fake/pieces';
import type { Item, Widget } from '../bridge/wire';
import { rowsOf } from '../state/rows';
import { useView } from '../state/store';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { RowView } from './message-row';

const asked = (widget: Widget, more: object) =>
  item({ type: 'question', widget, unbound: false, closed: false, ...more });

/** The rows of these items. */
function showRows(items: Item[]) {
  const app = makeApp(recordingBridge('completed').bridge);
  function Rows() {
    const opened = useView((v) => v.openSteps);
    return rowsOf(items, opened).rows.map((row) => <RowView key={row.id} row={row} found={null} />);
  }
  showIn(app, <Rows />);
  return { app, user: userEvent.setup() };
}

test('a refusal is told as one, and first, with what it was about', () => {
  const choice = {
    widgetId: 'c',
    type: 'selection' as const,
    message: 'Which?',
    options: [{ value: 'new', label: 'New project' }],
  };
  showRows([
    step('gather'),
    asked(choice, { answer: ['new'] }),
    asked(approval, { change: approvalChange, answer: { confirmed: false } }),
    asked({ ...approval, grant: undefined }, { answer: { confirmed: true } }),
    step('write'),
  ]);
  expect(document.querySelector('.summary')).toHaveTextContent(
    'Change @project/docs/release-notes.md: Not allowed, nothing changed · New project · +1',
  );
});

test('a step that is done opens to what belongs to it, and folds again', async () => {
  const { user: person } = showRows([step('gather'), user('What I want.'), step('write')]);
  expect(document.querySelector('.summary')).toHaveTextContent('“What I want.”');
  expect(screen.queryByTestId('message-user')).toBeNull();
  await person.click(screen.getByRole('button', { expanded: false }));
  expect(screen.getByTestId('message-user')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { expanded: true }));
  expect(screen.queryByTestId('message-user')).toBeNull();
});

test('what stands of a step says whether it was completed or only left', () => {
  showRows([step('gather'), step('write'), step('gather', false), step('write', false)]);
  const standing = screen.getAllByTestId('step').map((it) => it.dataset.standing);
  expect(standing).toEqual(['done', 'left', 'left', 'now']);
});

test('a step with data that cannot be drawn does not take the others along', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const broken = { widgetId: 'w', type: 'selection', message: 'Which?', options: [null] };
  showRows([
    step('gather'),
    asked(broken as unknown as Widget, { answer: ['a'] }),
    step('write'),
    call('fs.write', '@project/a.md'),
  ]);
  expect(screen.getByTestId('call-card')).toBeInTheDocument();
});
