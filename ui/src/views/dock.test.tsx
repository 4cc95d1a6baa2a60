import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Item } from '../bridge/wire';
import type { Lang } from '../i18n';
import { openConversation } from '../state/opening';
import type { App } from '../state/store';
import { makeApp, press, recordingBridge, showIn } from '../test/render';
import { Rows } from '../test/rows';
import { Dock } from './dock';

async function opened(scenario: string, lang: Lang = 'en') {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  showIn(
    app,
    <>
      <Rows />
      <Dock />
      <textarea data-focus-home aria-label="words" />
    </>,
    lang,
  );
  return { app, commands, user: userEvent.setup() };
}

/** The questions of the conversation become these, and the run waits for some of them. */
function asks(app: App, items: Item[], waiting: string[]) {
  const { conversation } = app.store.getState();
  const { status } = conversation;
  if (!status) throw new Error('a status was sent');
  const now = { ...status, waitingWidget: waiting[0] ?? null, waitingWidgets: waiting };
  const index = new Map(items.map((item, at) => [item.id, at]));
  act(() => app.store.setState({ conversation: { ...conversation, items, index, status: now } }));
}

/** Two questions like the one that waits. */
function two(app: App): [Item, Item] {
  const item = app.store.getState().conversation.items.at(-1) as Item;
  return [
    { ...item, id: 'first' },
    { ...item, id: 'second' },
  ];
}

const standings = () => screen.getAllByTestId('receipt').map((receipt) => receipt.dataset.standing);

test('what waits is answered in the dock, and stands in the conversation as a line', async () => {
  const { app } = await opened('approval');
  const line = screen.getByTestId('receipt');
  expect(line).toHaveTextContent('Change @project/docs/release-notes.md');
  expect(line).toHaveTextContent('waits for you below');
  expect(line.querySelector('button')).toBeNull();
  expect(screen.getByTestId('dock')).toContainElement(screen.getByTestId('widget-submit'));
  await waitFor(() => expect(document.querySelector('[data-armed=ready]')).not.toBeNull(), {
    timeout: 2000,
  });
  press(screen.getByTestId('widget-cancel'));
  await waitFor(() => expect(screen.queryByTestId('dock')).toBeNull());
  expect(screen.getByTestId('widget-declined')).toHaveTextContent('Not allowed, nothing changed');
  expect(app.store.getState().conversation.status?.waitingWidgets).toEqual([]);
});

test('the whole of what was answered opens from its line', async () => {
  const { user } = await opened('answered');
  const [line] = screen.getAllByTestId('receipt');
  if (!line) throw new Error('something was answered');
  expect(screen.queryByTestId('widget-form')).toBeNull();
  await user.click(line.querySelector('button') as HTMLElement);
  expect(line.querySelector('.widget')).toHaveAttribute('data-answered', 'true');
  expect(screen.queryByTestId('widget-submit')).toBeNull();
});

test('while the run waits for some questions, only those can be answered', async () => {
  const { app, user } = await opened('form');
  const [first, second] = two(app);
  asks(app, [{ ...first, id: 'older' }, first, second], ['first', 'second']);
  expect(standings()).toEqual(['open', 'waits', 'waits']);
  expect(screen.getByTestId('dock-count')).toHaveTextContent('1 of 2');
  expect(screen.getByTestId('dock-previous')).toHaveAttribute('aria-disabled', 'true');
  // What is half filled in stays with its question.
  await user.type(screen.getByTestId('field-title'), 'One');
  await user.click(screen.getByTestId('dock-next'));
  expect(screen.getByTestId('dock-count')).toHaveTextContent('2 of 2');
  expect(screen.getByTestId('dock-next')).toHaveFocus();
  await user.click(screen.getByTestId('dock-next'));
  expect(screen.getByTestId('dock-count')).toHaveTextContent('2 of 2');
  expect(screen.getByTestId('field-title')).toHaveValue('');
  await user.click(screen.getByTestId('dock-previous'));
  expect(screen.getByTestId('field-title')).toHaveValue('One');
  // Those for which it waits come first.
  expect(screen.queryByTestId('take-question')).toBeNull();
});

test('when the run waits for none, an old question can be taken up and answered', async () => {
  const { app, user } = await opened('form');
  const [first, second] = two(app);
  asks(app, [first, second], []);
  expect(screen.queryByTestId('dock')).toBeNull();
  expect(standings()).toEqual(['open', 'open']);
  await user.click(screen.getAllByTestId('take-question')[1] as HTMLElement);
  expect(screen.getByTestId('dock')).toBeVisible();
  expect(screen.getByTestId('widget-submit')).toBeVisible();
  // It can be put down again, and is read in its line.
  await user.click(screen.getByTestId('dock-later'));
  expect(screen.queryByTestId('dock')).toBeNull();
  const [line] = screen.getAllByTestId('receipt');
  await user.click(line?.querySelector('.fold > button') as HTMLElement);
  expect(screen.getByTestId('field-title')).toHaveAttribute('readonly');
});

test('a question that needs no answer any more leaves a line that says so', async () => {
  const { app } = await opened('form');
  const [first] = two(app);
  const closed = { ...first, body: { ...first.body, closed: true } as Item['body'] };
  asks(app, [closed], []);
  expect(standings()).toEqual(['closed']);
  expect(screen.getByTestId('widget-closed')).toHaveTextContent('No answer needed any more');
});

test('in Chinese', async () => {
  await opened('form', 'zh');
  expect(screen.getByTestId('receipt')).toHaveTextContent('在下方等你回答');
});
