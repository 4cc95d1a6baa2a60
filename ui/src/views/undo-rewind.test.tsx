import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Item, Status } from '../bridge/wire';
import { openConversation } from '../state/opening';
import { askToGoBack, goBack, previewRewind, type RewindChoice } from '../state/rewind';
import { inCurrent, makeApp, recordingBridge, showIn } from '../test/render';
import { Rows } from '../test/rows';
import { RewindDialog } from './rewind-dialog';

const AUDIENCE = '@project/docs/audience.md';
const FORWARD: RewindChoice = { nodeId: 'size', keepFiles: false, overwrite: [] };

/** A run that was taken back to its second step, and stood further on before. */
async function takenBack(scenario = 'graph', choice = FORWARD) {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  openConversation(app, 'c-current');
  const status = () => app.store.getState().conversation.status as Status;
  await waitFor(() => expect(status()).not.toBeNull());
  const before = status();
  askToGoBack(app, choice.nodeId);
  const preview = await previewRewind(app, choice);
  if (!preview.ok) throw new Error('it can be gone back');
  expect(await goBack(app, choice, preview.value.seen, '')).toBeNull();
  await waitFor(() => expect(status().undo).toBeDefined());
  commands.length = 0;
  const sent = () => commands.filter(({ type }) => type === 'session');
  return { app, bridge, before, status, sent, user: userEvent.setup() };
}

const confirms = () =>
  waitFor(() => {
    const button = screen.getByTestId('rewind-confirm');
    expect(button).toBeEnabled();
    return button;
  });

/** The dialog that undoes it, from its button. */
async function asked(scenario?: string, choice?: RewindChoice) {
  const all = await takenBack(scenario, choice);
  showIn(all.app, <Rows />);
  await all.user.click(await screen.findByTestId('rewind-undo'));
  const { rewind } = all.app.store.getState();
  if (!rewind) throw new Error('it is asked for');
  const close = () => all.app.store.setState({ rewind: null });
  showIn(all.app, <RewindDialog asked={rewind} onClose={close} />);
  await confirms();
  return { ...all, dialog: screen.getByTestId('rewind-dialog') };
}

const stepsOf = ({ steps, run }: Status) => ({ steps, phase: run?.phase });

test('going back is undone as it was shown, and the run stands where it stood', async () => {
  const { app, user, sent, before, status, dialog } = await asked();
  expect(dialog).toHaveTextContent('Undo going back: “Check the checklist” again');
  expect(dialog).not.toHaveTextContent('To be done again');
  expect(dialog).not.toHaveTextContent('put where you write');
  expect(screen.queryByTestId('rewind-files')).toBeNull();
  await user.click(await confirms());
  expect(sent()).toMatchObject([
    { command: { type: 'rewind', nodeId: 'check', undo: true, keepFiles: false, overwrite: [] } },
  ]);
  await waitFor(() => expect(app.store.getState().rewind).toBeNull());
  await waitFor(() => expect(stepsOf(status())).toEqual(stepsOf(before)));
  const told = screen.getAllByTestId('notice-went_back').map((notice) => notice.textContent);
  expect(told.at(-1)).toContain('You undid going back: the run stands at “Check the checklist”');
  // Only what tells of the last time can be undone, and that can.
  expect(screen.getAllByTestId('rewind-undo')).toHaveLength(1);
  const last = screen.getAllByTestId('notice-went_back').at(-1) as HTMLElement;
  await user.click(within(last).getByTestId('rewind-undo'));
  expect(app.store.getState().rewind).toMatchObject({
    nodeId: 'size',
    undone: 'Is it small enough?',
  });
});

test('of a file that somebody changed since, the person says what becomes of it', async () => {
  const { user, sent, dialog } = await asked();
  expect(within(dialog).getByRole('group', { name: `What becomes of ${AUDIENCE}` })).toBeVisible();
  await user.click(screen.getByTestId('rewind-overwrite'));
  expect(await within(dialog).findByText(/is removed: it was not there then/)).toBeVisible();
  const confirm = await confirms();
  await waitFor(() => expect(confirm).toHaveAttribute('data-kind', 'danger'));
  await user.type(screen.getByTestId('rewind-reason'), 'It was right.');
  await user.click(await confirms());
  expect(sent()).toEqual([
    inCurrent({
      type: 'rewind',
      nodeId: 'check',
      keepFiles: false,
      overwrite: [AUDIENCE],
      undo: true,
      reason: 'It was right.',
      seen: JSON.stringify(['undo', 'check', [AUDIENCE]]),
    }),
  ]);
});

test('where files stayed as they were, none of them changes', async () => {
  const { dialog } = await asked('graph', { ...FORWARD, keepFiles: true });
  expect(dialog).toHaveTextContent('No file changes.');
  expect(screen.getByTestId('rewind-confirm')).toHaveAttribute('data-kind', 'primary');
});

test('a run that was complete is complete again, and is not resumed from there', async () => {
  const { user, status, dialog } = await asked('completed');
  expect(dialog).toHaveTextContent('Undo going back: “Finish” again');
  await user.click(await confirms());
  await waitFor(() =>
    expect(status().run).toMatchObject({ phase: 'completed', reason: 'went_back' }),
  );
  expect(screen.queryByTestId('resume')).toBeNull();
  expect(screen.getByTestId('rewind-undo')).toBeVisible();
});

test('two clicks undo it once', async () => {
  const { app, bridge, user } = await asked();
  const submit = vi.fn(() => new Promise<never>(() => undefined));
  app.bridge = { ...bridge, submit };
  await user.dblClick(await confirms());
  expect(submit).toHaveBeenCalledOnce();
  expect(screen.getByTestId('rewind-confirm')).toHaveTextContent('Undoing…');
});

test('what cannot be undone any more is refused once, and its button goes away', async () => {
  const { app, bridge, user, sent } = await asked();
  await act(async () => {
    await bridge.submit(inCurrent({ type: 'say', text: 'Go on.' }));
    await bridge.submit(inCurrent({ type: 'stop' }));
  });
  await waitFor(() => expect(screen.queryByTestId('rewind-undo')).toBeNull());
  await user.click(screen.getByTestId('rewind-confirm'));
  const failure = await screen.findByTestId('failure');
  expect(failure).toHaveAttribute('data-code', 'E_INVALID_TRANSITION');
  await waitFor(() => expect(screen.getByTestId('rewind-look')).toBeVisible());
  expect(screen.getAllByTestId('failure')).toHaveLength(1);
  expect(screen.getByTestId('rewind-confirm')).toBeDisabled();
  expect(sent().at(-1)).toMatchObject({ command: { type: 'rewind' } });
  await user.click(screen.getByTestId('rewind-cancel'));
  expect(app.store.getState().rewind).toBeNull();
});

test('what would do something else by now is shown again before it can be done', async () => {
  const { app, bridge, user } = await asked();
  const failure = { code: 'E_PRECONDITION_FAILED', message: 'not what was shown' } as const;
  const submit = vi.fn(() => Promise.resolve({ ok: false as const, failure }));
  const query = vi.fn(bridge.query.bind(bridge));
  app.bridge = { ...bridge, submit, query: query as typeof bridge.query };
  await user.click(await confirms());
  expect(await screen.findByTestId('failure')).toHaveAttribute('data-code', failure.code);
  await waitFor(() => expect(query).toHaveBeenCalledOnce());
  expect(query.mock.calls[0]?.[0]).toMatchObject({ type: 'rewindPreview', undo: true });
  await user.click(screen.getByTestId('rewind-confirm'));
  expect(submit).toHaveBeenCalledOnce();
});

/** Whether its button is there in a status, with these items behind what tells of it. */
async function offered(change: (status: Status) => Status, more: readonly Item[] = []) {
  const { app } = await takenBack();
  const { conversation } = app.store.getState();
  if (!conversation.status) throw new Error('there is a run');
  const items = [...conversation.items, ...more];
  const status = change(conversation.status);
  app.store.setState({ conversation: { ...conversation, items, status } });
  showIn(app, <Rows />);
  await screen.findByTestId('notice-went_back');
  return screen.queryByTestId('rewind-undo') !== null;
}

const byModel: Item = {
  id: 'call-later',
  seq: 9_999,
  at: '2026-11-21T09:00:00Z',
  body: {
    type: 'call',
    callId: 'later',
    tool: 'workflow.rewind',
    class: 'write_state',
    args: {},
    state: 'done',
    result: { ok: true },
    durationMs: 8,
  },
};

test.each<[string, boolean, (status: Status) => Status, Item[]?]>([
  ['while the run rests', true, (status) => status],
  [
    'while the run works',
    false,
    ({ run, ...status }) => ({ ...status, run: run && { ...run, phase: 'running' } }),
  ],
  [
    'while somebody else is talked with',
    false,
    (status) => ({ ...status, talk: { with: { mode: 'chat' }, phase: 'idle', reason: null } }),
  ],
  ['once something came of it', false, ({ undo, ...status }) => status],
  ['after the model went back as well', false, (status) => status, [byModel]],
])('the button that undoes it, %s: %s', async (_, isThere, change, more) => {
  expect(await offered(change, more)).toBe(isThere);
});

test('the window shows it in Chinese as well', async () => {
  const { app, user } = await takenBack();
  showIn(app, <Rows />, 'zh');
  await user.click(await screen.findByRole('button', { name: '撤销' }));
  const { rewind } = app.store.getState();
  if (!rewind) throw new Error('it is asked for');
  showIn(app, <RewindDialog asked={rewind} onClose={() => undefined} />, 'zh');
  const confirm = await screen.findByRole('button', { name: '撤销回退' });
  await waitFor(() => expect(confirm).toBeEnabled());
  expect(screen.getByTestId('rewind-dialog')).toHaveTextContent(
    '撤销回退：重新回到“Check the checklist”',
  );
});
