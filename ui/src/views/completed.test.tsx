import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openConversation } from '../state/opening';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Rows } from '../test/rows';

async function completed() {
  const { bridge } = recordingBridge('completed');
  const app = makeApp(bridge);
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  showIn(
    app,
    <>
      <Rows />
      <textarea data-focus-home aria-label="words" />
    </>,
    'en',
  );
  const card = await screen.findByTestId('notice-completed');
  return { app, card };
}

test('a run that is complete says what it did and what is proven of it', async () => {
  const { card } = await completed();
  await waitFor(() => expect(card).toHaveTextContent('5 steps · 5 files'));
  expect(card).toHaveTextContent('story.md+1,234');
  expect(card).toHaveTextContent('2 files were checked: they are as the run left them.');
});

test('from there one goes on with words, or starts the same once more', async () => {
  const { app } = await completed();
  await userEvent.click(screen.getByTestId('completed-ask'));
  expect(screen.getByLabelText('words')).toHaveFocus();
  await userEvent.click(screen.getByTestId('completed-again'));
  expect(app.store.getState()).toMatchObject({ startingRun: true });
  expect(app.store.getState().runPackage).toBe(
    app.store.getState().conversation.status?.run?.packageId,
  );
});

test('of a completion that was taken back only the line stays', async () => {
  const { app, card } = await completed();
  const { conversation } = app.store.getState();
  const { status } = conversation;
  if (!status?.run) throw new Error('a run was sent');
  const run = { ...status.run, phase: 'waiting-user' as const };
  app.store.setState({ conversation: { ...conversation, status: { ...status, run } } });
  await waitFor(() => expect(screen.queryByTestId('completed-again')).toBeNull());
  expect(card).toHaveTextContent(/^Done$/);
});
