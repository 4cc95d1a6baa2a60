import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { draftAt } from '../state/drafts';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { activityOf, isAtWork } from '../state/select';
import { rememberPlace } from '../state/session';
import { useView } from '../state/store';
import { openSubagent } from '../state/subagents';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Inspector } from './inspector';
import { ActivityLine, ItemRow } from './message-row';
import { Workspace } from './workspace';

vi.setConfig({ testTimeout: 30_000 });

/** Every item, and what is going on: nothing is laid out here, so the list itself shows none. */
function Rows() {
  const conversation = useView((v) => v.conversation);
  const activity = activityOf(conversation, useView(isAtWork));
  return (
    <>
      {conversation.items.map((item) => (
        <ItemRow key={item.id} item={item} headed={false} />
      ))}
      {activity && <ActivityLine activity={activity} />}
    </>
  );
}

async function opened(scenario: string) {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const status = () => app.store.getState().conversation.status;
  return { app, commands, status, user: userEvent.setup() };
}

const cardOf = (name: string) =>
  within(document.querySelector<HTMLElement>(`[data-call=sub-${name}]`) as HTMLElement);

test('Stop on a card stops that sub-agent, and the run and the others go on', async () => {
  const { app, commands, status, user } = await opened('subagents-work');
  showIn(app, <Rows />);
  expect(screen.getByTestId('activity')).toHaveTextContent('2 sub-agents at work…');
  await user.click(cardOf('review').getByTestId('subagent-stop'));
  expect(commands).toEqual([
    { type: 'session', conversationId: 'task-review', command: { type: 'stop' } },
  ]);
  await waitFor(() =>
    expect(cardOf('review').getByTestId('subagent-end')).toHaveTextContent('Stopped'),
  );
  expect(cardOf('verify').getByTestId('subagent-end')).toHaveTextContent('Working');
  expect(status()?.run?.phase).toBe('running');
  expect(screen.getByTestId('activity')).toHaveTextContent('Mia is at work…');
});

test('what is going on is said in the language of the reader', async () => {
  const { app } = await opened('subagents-work');
  showIn(app, <Rows />, 'zh');
  expect(screen.getByTestId('activity')).toHaveTextContent('2 个子智能体正在工作…');
});

test('its work is shown in its own conversation, which leads back to the call', async () => {
  const { app, commands, status, user } = await opened('subagents-work');
  showIn(app, <Workspace />);
  const item = app.store.getState().conversation.items.find(({ id }) => id === 'call-sub-review');
  const [review] = status()?.subagents ?? [];
  if (!item || !review) throw new Error('there is a review');
  act(() => openSubagent(app, review, item));
  await waitFor(() => expect(status()).not.toBeNull());
  expect(app.store.getState().conversationId).toBe('task-review');
  expect(document.querySelector('.conversation-header')).toHaveTextContent('Theo');
  expect(screen.getByTestId('task-bar')).toHaveTextContent('talks only with the agent');
  expect(screen.queryByTestId('composer-input')).toBeNull();
  const current = screen.getAllByTestId('run-row').find((row) => row.ariaCurrent === 'true');
  expect(current).toHaveTextContent('Create a story');
  // How it stands is told by the conversation that asked for it.
  await user.click(screen.getByTestId('subagent-stop'));
  expect(commands).toEqual([
    { type: 'session', conversationId: 'task-review', command: { type: 'stop' } },
  ]);
  await waitFor(() => expect(screen.getByTestId('subagent-end')).toHaveTextContent('Stopped'));
  expect(screen.queryByTestId('subagent-stop')).toBeNull();
  await user.click(screen.getByTestId('subagent-back'));
  await waitFor(() => expect(status()?.run?.phase).toBe('running'));
  expect(app.store.getState()).toMatchObject({ conversationId: 'c-current', task: null });
  expect(screen.getByTestId('composer-input')).toBeVisible();
});

test('in its own conversation it is seen to work, and what ended it is no end of the run', async () => {
  const { app, status } = await opened('subagents-work');
  const [review] = status()?.subagents ?? [];
  if (!review) throw new Error('there is a review');
  openSubagent(app, review, { id: 'call-sub-review', seq: 1 });
  await waitFor(() => expect(status()).not.toBeNull());
  showIn(app, <Rows />);
  expect(screen.getByTestId('activity')).toHaveTextContent('Running fs.read…');
  expect(screen.getByTestId('notice-task_started')).toHaveTextContent('begins this task');
  act(() => openSubagent(app, { ...review, conversationId: 'task-done' }, { id: 'i', seq: 1 }));
  const notice = await screen.findByTestId('notice-completed');
  expect(notice).toHaveTextContent('The report is handed in');
});

test('a reload leads to the run, and leaving the run leaves its sub-agent', async () => {
  const { app, status } = await opened('subagents-work');
  const stop = rememberPlace(app);
  const [review] = status()?.subagents ?? [];
  if (!review) throw new Error('there is a review');
  openSubagent(app, review, { id: 'call-sub-review', seq: 1 });
  expect(draftAt(app, { type: 'window' })).toMatchObject({ conversationId: 'c-current' });
  openConversation(app, 'c-done');
  stop();
  expect(app.store.getState().task).toBeNull();
});

test('a call that never became a sub-agent is a call like any other', async () => {
  const { app } = await opened('subagents');
  const { conversation } = app.store.getState();
  const made = conversation.items.find(({ id }) => id === 'call-sub-lost');
  if (made?.body.type !== 'call') throw new Error('there is a call');
  const result = { ok: false, error: { code: 'E_INVALID_ARGS', message: 'prompt: say it' } };
  showIn(app, <ItemRow item={{ ...made, body: { ...made.body, result } }} headed={false} />);
  expect(screen.getByTestId('call-card')).toHaveTextContent('agent.spawn');
  expect(screen.queryByTestId('subagent')).toBeNull();
});

test('facts are said with the agent they came through, and what is open with its name', async () => {
  const { app } = await opened('subagents');
  app.store.setState({ inspectorTab: 'evidence' });
  showIn(app, <Inspector />);
  await waitFor(() => expect(app.store.getState().snapshot?.ok).toBe(true));
  const texts = (id: string) => screen.getAllByTestId(id).map((row) => row.textContent);
  const untimed = (text: string | null) => text?.replace(/\d{2}:\d{2}.?(AM|PM)$/, '');
  expect(texts('fact').map(untimed)).toEqual([
    'Theo: handed in no reportStopped',
    'Theo: glossary.mdwritten',
    'Mia: checked, not as it should be',
    'Theo: handed in the report',
    'Theo: story.mdread',
    'Theo: began to work',
    'story.mdwritten',
  ]);
  expect(texts('obligation')).toEqual([
    'Theofailed, and nothing replaced it',
    'Sub-agentfailed, and nothing replaced it',
    'The report is not handed in',
  ]);
});
