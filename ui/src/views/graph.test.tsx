import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { packages as installed } from '../bridge/fake/data';
import { withNested } from '../bridge/fake/nested';
import type { Phase, Reason } from '../bridge/wire';
import { draftAt } from '../state/drafts';
import { openConversation } from '../state/opening';
import { askToGoBack } from '../state/rewind';
import { inCurrent, makeApp, recordingBridge, showIn } from '../test/render';
import { Rows } from '../test/rows';
import { Conversation } from './conversation';
import { Inspector } from './inspector';
import { RewindDialog } from './rewind-dialog';

async function opened(scenario = 'graph') {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  return { app, bridge, commands, user: userEvent.setup() };
}

/** The dialog for a step. */
async function asked(words: string | null = null, scenario = 'graph') {
  const all = await opened(scenario);
  askToGoBack(all.app, 'size', words);
  showIn(all.app, <RewindDialog asked={{ nodeId: 'size', words }} onClose={() => undefined} />);
  await waitFor(() => expect(screen.getByTestId('rewind-confirm')).toBeEnabled());
  const sent = () => all.commands.filter(({ type }) => type === 'session');
  return { ...all, sent };
}

const seen = (keepFiles: boolean, overwrite: string[] = []) =>
  JSON.stringify(['size', keepFiles, overwrite]);

test('below the steps that wait stand those of the called workflow, and lead back', async () => {
  const { app, user } = await opened('nested');
  showIn(app, <Inspector />);
  await screen.findByTestId('graph-open');
  const waiting = screen.getByRole('list', { name: 'Steps that wait for another workflow' });
  const rows = within(waiting).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    'Write the chaptersHandbook for new colleagues1 of 4 steps',
    expect.stringMatching(/^Write its sections .*2 of 4 steps$/),
    'Note what is openSection1 of 3 steps',
  ]);
  expect(screen.getByRole('heading', { name: /^Note ?1 of 3 steps$/ })).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Note' })).toHaveAttribute('aria-valuemax', '3');
  expect(screen.getAllByTestId(/^step-/)).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Go back to “Write the chapters”…' }));
  expect(app.store.getState().rewind).toEqual({ nodeId: 'chapters', words: null });
});

test('no way leads back to a step that waits while the run works, or where another is meant', async () => {
  const { app } = await opened('nested');
  const { conversation } = app.store.getState();
  const { status } = conversation;
  if (!status?.run) throw new Error('there is a run');
  const { called } = status;
  if (!called) throw new Error('workflows wait');
  const [first, ...others] = called.callers;
  if (!first) throw new Error('a step waits');
  const callers = [{ ...first, isMeant: false }, ...others];
  const two = { ...status, called: { ...called, callers } };
  app.store.setState({ conversation: { ...conversation, status: two } });
  showIn(app, <Inspector />);
  await screen.findByTestId('graph-open');
  expect(screen.getAllByTestId('waiting-back')).toHaveLength(2);
  const running = { ...two, run: { ...status.run, phase: 'running' as const } };
  act(() => app.store.setState({ conversation: { ...conversation, status: running } }));
  expect(screen.queryByTestId('waiting-back')).toBeNull();
});

test('going back to a step that waits is told in the titles of its workflow', async () => {
  const { app } = await opened('nested');
  const { packages } = withNested(installed, []);
  app.store.setState({ packages });
  const asked = { nodeId: 'chapters', words: null };
  showIn(app, <RewindDialog asked={asked} onClose={() => undefined} />);
  await waitFor(() => expect(screen.getByTestId('rewind-confirm')).toBeEnabled());
  const dialog = screen.getByTestId('rewind-dialog');
  expect(dialog).toHaveTextContent('Go back to “Write the chapters”?');
  expect(within(dialog).getAllByRole('listitem')[0]).toHaveTextContent('Write the chapters');
});

test('steps stand in the order of the graph, each with what came of it', async () => {
  const { app } = await opened();
  showIn(app, <Inspector />);
  await screen.findByTestId('graph-open');
  const rows = await waitFor(() => {
    const found = screen.getAllByTestId(/^step-/);
    expect(found[1]).toHaveTextContent('Small enough');
    return found.map((row) => row.textContent);
  });
  expect(rows).toEqual([
    'Gather the ideadone',
    'Is it small enough?done: Small enough',
    'Write the storydone: story.md',
    'Cut the storynot needed',
    'Check the checklistwaits for you',
    'Finishto do',
  ]);
  const ways = [...document.querySelectorAll('.rails path')];
  const of = (kind: string) => ways.filter((way) => way.getAttribute('data-way') === kind).length;
  expect([of('taken'), of('now'), of('skipped'), of('open')]).toEqual([2, 1, 2, 2]);
});

test('where the graph cannot be read, the steps are listed all the same', async () => {
  const { app, bridge } = await opened();
  const query = bridge.query.bind(bridge);
  app.bridge = {
    ...bridge,
    query: (asked) =>
      asked.type === 'graph'
        ? Promise.resolve({ ok: false, failure: { code: 'PACKAGE_NOT_FOUND', message: 'gone' } })
        : query(asked),
  };
  showIn(app, <Inspector />);
  await waitFor(() => expect(app.store.getState().graphs.size).toBe(1));
  expect(screen.getAllByTestId(/^step-/)).toHaveLength(6);
  expect(screen.queryByTestId('graph-open')).toBeNull();
});

test('a step tells what it promises and why the run went on as it did, and leads to it', async () => {
  const { app, user } = await opened();
  showIn(app, <Inspector />);
  await screen.findByTestId('graph-open');
  await user.click(within(screen.getByTestId('step-size')).getByRole('button'));
  const details = await screen.findByTestId('step-details');
  expect(details).toHaveTextContent('Write the storySmall enoughIt is about one page');
  expect(app.store.getState().jump).toMatchObject({ why: 'sought' });
  await user.click(screen.getByTestId('step-back'));
  expect(app.store.getState().rewind).toEqual({ nodeId: 'size', words: null });
  await waitFor(() => expect(screen.queryByTestId('step-details')).toBeNull());
});

test('nobody goes back to a step that is still to come, or while the run works', async () => {
  const { app, user } = await opened();
  showIn(app, <Inspector />);
  await screen.findByTestId('graph-open');
  await user.click(within(screen.getByTestId('step-end')).getByRole('button'));
  await screen.findByTestId('step-read');
  expect(screen.queryByTestId('step-back')).toBeNull();
  await user.keyboard('{Escape}');
  const { conversation } = app.store.getState();
  const run = conversation.status?.run;
  if (!conversation.status || !run) throw new Error('there is a run');
  const status = { ...conversation.status, run: { ...run, phase: 'running' as const } };
  app.store.setState({ conversation: { ...conversation, status } });
  await user.click(within(screen.getByTestId('step-size')).getByRole('button'));
  await screen.findByTestId('step-read');
  expect(screen.queryByTestId('step-back')).toBeNull();
});

test('going back does what was shown: steps again, files back, and who keeps what', async () => {
  const { sent, user, app } = await asked();
  const dialog = screen.getByTestId('rewind-dialog');
  expect(dialog).toHaveTextContent('Go back to “Is it small enough?”?');
  const again = within(dialog).getAllByRole('listitem').slice(0, 3);
  expect(again.map((row) => row.textContent)).toEqual([
    'Is it small enough?',
    'Write the story',
    'Check the checklist',
  ]);
  // Somebody else changed two of the files: one of them goes back all the same.
  await user.click(screen.getAllByTestId('rewind-overwrite')[1] as HTMLElement);
  expect(await within(dialog).findByText(/is removed: it was not there then/)).toBeVisible();
  await waitFor(() => expect(screen.getByTestId('rewind-confirm')).toBeEnabled());
  await user.type(screen.getByTestId('rewind-reason'), 'It became too large.');
  await user.click(screen.getByTestId('rewind-confirm'));
  const overwrite = ['@project/docs/release-notes.md'];
  expect(sent()).toEqual([
    inCurrent({
      type: 'rewind',
      nodeId: 'size',
      keepFiles: false,
      overwrite,
      reason: 'It became too large.',
      seen: seen(false, overwrite),
    }),
  ]);
  await waitFor(() => expect(app.store.getState().rewind).toBeNull());
});

test('files can stay as they are', async () => {
  const { sent, user } = await asked();
  // A file that is there now would be gone.
  expect(screen.getByTestId('rewind-confirm')).toHaveAttribute('data-kind', 'danger');
  await user.click(screen.getByTestId('rewind-files'));
  await waitFor(() => expect(screen.queryByTestId('restored-files')).toBeNull());
  const confirm = screen.getByTestId('rewind-confirm');
  await waitFor(() => expect(confirm).toHaveAttribute('data-kind', 'primary'));
  await waitFor(() => expect(screen.getByTestId('rewind-confirm')).toBeEnabled());
  await user.click(screen.getByTestId('rewind-confirm'));
  expect(sent()).toMatchObject([{ command: { keepFiles: true, overwrite: [], reason: null } }]);
});

test('what changed since it was shown is shown again, and nothing is done before that', async () => {
  const { app, bridge, sent, user } = await asked();
  const query = bridge.query.bind(bridge);
  const reads = vi.fn(query);
  app.bridge = {
    ...bridge,
    query: reads as typeof query,
    submit: (command) => {
      void bridge.submit(command);
      const failure = {
        code: 'E_PRECONDITION_FAILED',
        message: 'it is not what was shown',
      } as const;
      return Promise.resolve({ ok: false, failure });
    },
  };
  await user.click(screen.getByTestId('rewind-confirm'));
  expect(await screen.findByTestId('failure')).toBeInTheDocument();
  await waitFor(() => expect(reads).toHaveBeenCalledTimes(1));
  // What is shown now was not seen yet: the second of two clicks means what was there before.
  await user.click(screen.getByTestId('rewind-confirm'));
  expect(sent()).toHaveLength(1);
  expect(app.store.getState().rewind).not.toBeNull();
});

test('words are changed and said again where they were said: before what was written since', async () => {
  const { app, user } = await opened();
  showIn(app, <Rows />);
  const [message] = await screen.findAllByTestId('message-user');
  if (!message) throw new Error('the person said something');
  await user.click(within(message).getByTestId('message-again'));
  const { rewind } = app.store.getState();
  expect(rewind).toMatchObject({ nodeId: 'gather' });
  expect(rewind?.words).toMatch(/^I want our release notes/);
});

test('the words are where one writes, behind what was written there', async () => {
  const { app, user } = await asked('Make it short.');
  showIn(app, <Conversation />);
  await user.type(screen.getByTestId('composer-input'), 'Half a sentence');
  await user.click(screen.getByTestId('rewind-confirm'));
  const written = 'Half a sentence\n\nMake it short.';
  await waitFor(() => expect(screen.getByTestId('composer-input')).toHaveValue(written));
  expect(draftAt(app, { type: 'composer', conversationId: 'c-current' })).toBe(written);
});

test('who goes elsewhere while the run goes back is given no words there, and is told of a failure', async () => {
  const { app, bridge, user } = await asked('Make it short.');
  let end: (ok: boolean) => void = () => undefined;
  app.bridge = {
    ...bridge,
    submit: () =>
      new Promise((done) => {
        const failure = { code: 'RUN_BUSY', message: 'the run is at work' } as const;
        end = (ok) => done(ok ? { ok: true, value: {} } : { ok: false, failure });
      }),
  };
  await user.click(screen.getByTestId('rewind-confirm'));
  act(() => openConversation(app, 'c-done'));
  await act(async () => end(true));
  expect(app.store.getState()).toMatchObject({ toWrite: null, failure: null });
  act(() => askToGoBack(app, 'size'));
  const asking = app.store.getState().rewind;
  await user.click(screen.getByTestId('rewind-confirm'));
  act(() => app.store.setState({ rewind: null }));
  await act(async () => end(false));
  expect(asking).not.toBeNull();
  expect(app.store.getState().failure).toMatchObject({ code: 'RUN_BUSY' });
});

test('the lines belong to the steps that are listed, whatever else the graph knows', async () => {
  const { app } = await opened();
  const { conversation } = app.store.getState();
  if (!conversation.status) throw new Error('there is a run');
  const steps = conversation.status.steps.filter(({ id }) => id !== 'split');
  const one = { id: 'new', title: 'A new step', type: 'step', status: 'pending' } as const;
  const status = { ...conversation.status, steps: [...steps, one] };
  app.store.setState({ conversation: { ...conversation, status } });
  showIn(app, <Inspector />);
  await screen.findByTestId('graph-open');
  const rows = screen.getAllByTestId(/^step-/).map((row) => row.dataset.testid);
  expect(rows).toEqual(
    ['gather', 'size', 'write', 'check', 'end', 'new'].map((id) => `step-${id}`),
  );
  const rails = document.querySelector('.rails');
  expect(rails?.getAttribute('viewBox')).toMatch(/ 220$/);
  expect(rails?.querySelectorAll('path')).toHaveLength(5);
});

/** How the steps stand in words, with the run in a phase. */
async function standing(run: { phase: Phase; reason?: Reason }, scenario = 'graph') {
  const { app } = await opened(scenario);
  const { conversation } = app.store.getState();
  const { status } = conversation;
  if (!status?.run) throw new Error('there is a run');
  const now = { ...status, run: { ...status.run, reason: null, ...run } };
  app.store.setState({ conversation: { ...conversation, status: now } });
  showIn(app, <Inspector />);
  await screen.findByTestId('graph-open');
  return screen
    .getAllByTestId(/^step-/)
    .filter((row) => row.dataset.status === 'current' || row.dataset.status === 'pending')
    .map((row) => row.textContent);
}

test.each([
  [{ phase: 'running' }, 'in progress'],
  [{ phase: 'waiting-user', reason: 'answered' }, 'waits for you'],
  [{ phase: 'waiting-user', reason: 'not_accepted' }, 'waits for you'],
  [{ phase: 'waiting-user', reason: 'failed' }, 'stopped here'],
  [{ phase: 'failed', reason: 'failed' }, 'stopped here'],
] as const)('the step at which a run is says how the run stands: %o', async (run, words) => {
  expect(await standing(run)).toEqual([`Check the checklist${words}`, 'Finishto do']);
});

test('a run that was ended stopped at its step, and came to none of those after it', async () => {
  const steps = await standing({ phase: 'completed', reason: 'ended_early' });
  expect(steps).toEqual(['Check the checkliststopped here', 'Finishnot reached']);
  expect(screen.getByText('3 of 5 steps')).toBeVisible();
});
