import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openConversation } from '../state/opening';
import { type Conversation, reduce } from '../state/reduce';
import { inCurrent, makeApp, press, recordingBridge, showIn } from '../test/render';
import { Rows } from '../test/rows';
import { ItemRow } from './message-row';

async function opened(scenario: string) {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const { unmount } = showIn(
    app,
    <>
      <Rows />
      <textarea data-focus-home aria-label="words" />
    </>,
  );
  return { app, commands, unmount, user: userEvent.setup() };
}

const armed = () =>
  waitFor(() => expect(document.querySelector('[data-armed=ready]')).not.toBeNull());

test('a judgement takes the place of the words that were being written', async () => {
  const { app } = await opened('running');
  const judged = makeApp(recordingBridge('decision').bridge);
  openConversation(judged, 'c-current');
  await waitFor(() => expect(judged.store.getState().conversation.status).not.toBeNull());
  const decision = judged.store.getState().conversation.items.at(-1);
  if (!decision) throw new Error('there is a judgement');
  const show = (change: (before: Conversation) => Conversation) =>
    act(() => app.store.setState({ conversation: change(app.store.getState().conversation) }));
  show((before) =>
    reduce(before, [{ type: 'append', id: decision.id, text: 'All is done.', thinking: '' }]),
  );
  expect(screen.getByText('All is done.')).toBeVisible();
  show((before) => reduce(before, [{ type: 'upsert', item: decision }]));
  expect(screen.queryByText('All is done.')).toBeNull();
  expect(screen.getByTestId('decision')).toHaveTextContent('made no progress');
  // What comes late of the words is shown nowhere.
  show((before) =>
    reduce(before, [{ type: 'append', id: decision.id, text: 'Really.', thinking: '' }]),
  );
  expect(screen.queryByText('Really.')).toBeNull();
});

test('only the newest judgement asks what becomes of it', async () => {
  await opened('decision');
  expect(screen.getAllByTestId('decision')).toHaveLength(2);
  expect(screen.getAllByTestId('decision-retry')).toHaveLength(1);
});

test('a second press of Retry asks the model once', async () => {
  const { commands } = await opened('decision');
  press(screen.getByTestId('decision-retry'), 2);
  expect(commands).toEqual([inCurrent({ type: 'resume' })]);
  await waitFor(() => expect(screen.queryByTestId('decision-retry')).toBeNull());
});

test('what is accepted anyway is sent once, says so, and stands as a message', async () => {
  const { commands } = await opened('decision');
  expect(screen.queryByText('written and checked')).toBeNull();
  await armed();
  press(screen.getByTestId('decision-accept'), 2);
  expect(commands).toEqual([inCurrent({ type: 'acceptAnyway', messageId: 'm-incomplete' })]);
  expect(await screen.findByTestId('decision-overruled')).toHaveTextContent('You accepted this');
  expect(
    screen.getByText('written and checked').closest('[data-testid=message-assistant]'),
  ).toBeVisible();
  expect(screen.queryByTestId('decision-accept')).toBeNull();
  expect(screen.getByLabelText('words')).toHaveFocus();
});

test('what was refused can be chosen again, and why is told', async () => {
  const { app } = await opened('decision');
  const failure = { code: 'NOT_NOW', message: 'there are no words' } as const;
  app.bridge = { ...app.bridge, submit: async () => ({ ok: false, failure }) };
  await armed();
  press(screen.getByTestId('decision-accept'));
  await waitFor(() => expect(app.store.getState().failure).toEqual(failure));
  expect(screen.getByTestId('decision-accept')).toBeEnabled();
});

test('who wants to tell the model goes on where one writes', async () => {
  const { commands, user } = await opened('decision');
  await user.click(screen.getByTestId('decision-tell'));
  expect(screen.getByLabelText('words')).toHaveFocus();
  expect(commands).toEqual([]);
});

test('what was opened of a judgement is open when it comes back into sight', async () => {
  const { app, unmount, user } = await opened('decision-continue');
  await user.click(screen.getByRole('button', { name: /Runtime Decision/ }));
  const items = app.store.getState().conversation.items;
  const item = items.find(({ body }) => body.type === 'decision');
  if (!item) throw new Error('there is a judgement');
  unmount();
  showIn(app, <ItemRow item={item} headed={false} />);
  expect(screen.getAllByTestId('missing-fact')).toHaveLength(4);
});
