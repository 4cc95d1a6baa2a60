import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { acceptance } from '../bridge/fake/acceptance';
import type { Item, Status } from '../bridge/wire';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { reduce } from '../state/reduce';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Workspace } from './workspace';

vi.setConfig({ testTimeout: 30_000 });

async function opened(scenario: string) {
  const app = makeApp(recordingBridge(scenario).bridge);
  showIn(app, <Workspace />);
  await enterProject(app, 'p-notes');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  return app;
}

/** The newest judgement of a recorded conversation. */
const judged = (scene: string): Item => {
  const item = acceptance(() => [])
    [scene]?.()
    .items.findLast(({ body }) => body.type === 'decision');
  if (!item) throw new Error(`no judgement in ${scene}`);
  return item;
};

test('the list and the header say that the last words were not accepted', async () => {
  await opened('decision');
  expect(screen.getByTestId('phase-badge')).toHaveTextContent('Not accepted');
  expect(screen.getAllByTestId('run-row')[0]).toHaveTextContent('Not accepted');
  expect(screen.getByTestId('composer-input')).toHaveAttribute(
    'placeholder',
    'Say what is still to be done.',
  );
});

test('why words were not accepted is read out, and nothing of what the model goes on from', async () => {
  const app = await opened('running');
  const say = (item: Item, more: Partial<Status> = {}) => {
    const { conversation } = app.store.getState();
    const status = { ...(conversation.status as Status), ...more };
    const frames = [{ type: 'upsert', item } as const, { type: 'status', status } as const];
    act(() => app.store.setState({ conversation: reduce(conversation, frames) }));
  };
  const heard = screen.getByTestId('live-region');
  say(judged('decision-continue'));
  expect(heard).not.toHaveTextContent('Not done yet');
  const { run } = app.store.getState().conversation.status as Status;
  const rests = run && { ...run, phase: 'waiting-user' as const, reason: 'not_accepted' as const };
  say(judged('decision'), { run: rests });
  expect(heard).toHaveTextContent('made no progress');
  expect(heard).toHaveTextContent('The run is now: Not accepted');
});

test('a run that waits beyond what was read of its project has its title and its actions', async () => {
  const app = await opened('form');
  act(() => app.store.setState({ conversations: [] }));
  const [heading] = screen.getAllByRole('heading', { level: 1 });
  expect(heading).toHaveTextContent('Create a story');
  expect(screen.getByTestId('conversation-header-menu')).toBeVisible();
});

test('what was opened or asked about one conversation is gone when another one is shown', async () => {
  const user = userEvent.setup();
  const app = await opened('form');
  const { conversationId: first, conversations } = app.store.getState();
  const second = conversations?.find((it) => it.conversationId !== first)?.conversationId;
  if (!first || !second) throw new Error('two conversations are needed');
  const show = async (id: string) => {
    act(() => openConversation(app, id));
    await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  };
  const menu = async () => user.click(await screen.findByTestId('conversation-header-menu'));

  await menu();
  expect(await screen.findByTestId('conversation-delete')).toBeVisible();
  await show(second);
  await waitFor(() => expect(screen.queryByTestId('conversation-delete')).toBeNull());
  await show(first);
  expect(screen.queryByTestId('conversation-delete')).toBeNull();

  await menu();
  await user.click(await screen.findByTestId('conversation-delete'));
  expect(await screen.findByTestId('delete-dialog')).toBeVisible();
  await show(second);
  await waitFor(() => expect(screen.queryByTestId('delete-dialog')).toBeNull());
  await show(first);
  expect(screen.queryByTestId('delete-dialog')).toBeNull();
});
