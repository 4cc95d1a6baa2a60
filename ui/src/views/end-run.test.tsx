import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Failure } from '../bridge/wire';
import { enterProject } from '../state/projects';
import { inCurrent, makeApp, press, recordingBridge, showIn } from '../test/render';
import { Workspace } from './workspace';

vi.setConfig({ testTimeout: 30_000 });

async function opened(scenario: string) {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  showIn(app, <Workspace />);
  await enterProject(app, 'p-notes');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const user = userEvent.setup();
  await user.click(await screen.findByTestId('conversation-header-menu'));
  await screen.findByTestId('export-md');
  return { app, commands, user };
}

async function asked(scenario: string) {
  const all = await opened(scenario);
  await all.user.click(screen.getByTestId('end-run'));
  await screen.findByTestId('end-dialog');
  return all;
}

test('ending a run says what that means, and sends the reason once', async () => {
  const { app, commands, user } = await asked('decision');
  expect(screen.getByTestId('end-dialog')).toHaveTextContent(
    'The run is marked as complete where it stands. Nothing is deleted.',
  );
  await user.type(screen.getByTestId('end-reason'), ' The sprint is over. ');
  press(screen.getByTestId('end-confirm'), 2);
  await waitFor(() => expect(screen.queryByTestId('end-dialog')).toBeNull());
  expect(commands).toEqual([inCurrent({ type: 'endRun', reason: 'The sprint is over.' })]);
  expect(app.store.getState().conversation.status?.run?.phase).toBe('completed');
  expect(screen.getByTestId('phase-badge')).toHaveTextContent('Ended early');
});

test('a run is ended without a reason, too', async () => {
  const { commands, user } = await asked('decision');
  await user.click(screen.getByTestId('end-confirm'));
  await waitFor(() => expect(screen.queryByTestId('end-dialog')).toBeNull());
  expect(commands).toEqual([inCurrent({ type: 'endRun', reason: null })]);
});

test('who cancels ends nothing', async () => {
  const { commands, user } = await asked('decision');
  await user.click(screen.getByTestId('end-cancel'));
  await waitFor(() => expect(screen.queryByTestId('end-dialog')).toBeNull());
  expect(commands).toEqual([]);
});

test('a refusal is shown in the dialog, and the reason stays', async () => {
  const { app, user } = await asked('decision');
  const failure: Failure = { code: 'RUN_BUSY', message: 'the run is working' };
  app.bridge = { ...app.bridge, submit: async () => ({ ok: false, failure }) };
  await user.type(screen.getByTestId('end-reason'), 'Enough.');
  await user.click(screen.getByTestId('end-confirm'));
  expect(await screen.findByTestId('failure')).toHaveTextContent('RUN_BUSY');
  expect(screen.getByTestId('end-reason')).toHaveValue('Enough.');
});

test.each(['running', 'completed'])('a run that is %s cannot be ended', async (scenario) => {
  await opened(scenario);
  expect(screen.queryByTestId('end-run')).toBeNull();
});
