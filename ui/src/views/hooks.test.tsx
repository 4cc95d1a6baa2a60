import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Lang } from '../i18n';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { activityOf } from '../state/select';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Rows } from '../test/rows';
import { HooksIcon, HooksLine } from './hooks';

/** The line below the conversations of a project. */
async function project(scenario: string, lang: Lang = 'en') {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  showIn(app, <HooksLine />, lang);
  return { app, commands, user: userEvent.setup() };
}

test('a project without commands has no such line', async () => {
  await project('completed');
  expect(screen.queryByTestId('hooks-open')).toBeNull();
});

test('commands are shown whole before they are trusted, and exactly these are trusted', async () => {
  const { commands, user } = await project('hooks');
  expect(screen.getByTestId('hooks-open')).toHaveTextContent('2 commands need your trust');
  await user.click(screen.getByTestId('hooks-open'));
  const [tests, secrets] = await screen.findAllByTestId('hook');
  expect(tests).toHaveTextContent('cargo test --quiet');
  expect(tests).toHaveTextContent('before work is accepted · up to 600 s');
  expect(secrets).toHaveTextContent('fs_write, fs_apply_patch');
  expect(commands.filter(({ type }) => type === 'trustHooks')).toEqual([]);
  await user.click(screen.getByTestId('trust-hooks'));
  await waitFor(() => expect(screen.queryByTestId('trust-hooks')).toBeNull());
  expect(commands.at(-1)).toMatchObject({
    type: 'trustHooks',
    hooks: ['1'.repeat(64), '2'.repeat(64)],
    trusted: true,
  });
  expect(within(tests as HTMLElement).getByText('Trusted')).toBeVisible();
  await user.click(screen.getByTestId('untrust-hooks'));
  await waitFor(() => expect(screen.queryByTestId('trust-hooks')).not.toBeNull());
  await user.click(screen.getByTestId('hooks-close'));
  expect(screen.getByTestId('hooks-open')).toHaveTextContent('2 commands need your trust');
});

test('where the sidebar is a column of icons, commands that wait are told there, until they are trusted', async () => {
  const { bridge } = recordingBridge('hooks');
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  showIn(app, <HooksIcon />);
  await userEvent.click(screen.getByRole('button', { name: '2 commands need your trust' }));
  await userEvent.click(await screen.findByTestId('trust-hooks'));
  await userEvent.click(await screen.findByTestId('hooks-close'));
  await waitFor(() => expect(screen.queryByTestId('hooks-icon')).toBeNull());
});

test('the commands are told in the language of the reader', async () => {
  const { user } = await project('hooks', 'zh');
  expect(screen.getByTestId('hooks-open')).toHaveTextContent('2 个命令需要你的信任');
  await user.click(screen.getByTestId('hooks-open'));
  const [tests] = await screen.findAllByTestId('hook');
  expect(tests).toHaveTextContent('接受成果之前 · 最多 600 秒');
});

async function opened(scenario: string) {
  const app = makeApp(recordingBridge(scenario).bridge);
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  showIn(app, <Rows />);
  return app;
}

test('what a command came to stands where it was run, with what it wrote', async () => {
  await opened('hooks');
  const results = screen.getAllByTestId('hook-result');
  expect(results.map((row) => row.dataset.status)).toEqual([
    'warned',
    'blocked',
    'blocked',
    'unanswered',
    'passed',
  ]);
  expect(results[1]).toHaveTextContent('no secretsdid not pass');
  expect(results[1]).toHaveTextContent('before a tool call · fs.write');
  expect(results[2]).toHaveTextContent('line 1 is no heading');
  expect(results[3]).toHaveTextContent('did not end within 600 s');
  expect(results[4]).toHaveTextContent('before work is accepted · 4.2 s');
  const judgement = screen.getByTestId('decision');
  await userEvent.click(within(judgement).getAllByRole('button')[0] as HTMLElement);
  expect(screen.getByTestId('missing-fact')).toHaveTextContent('tests has not passed');
});

test('while a command is waited for, the run says which', async () => {
  const app = await opened('hooks-wait');
  const activity = activityOf(app.store.getState().conversation);
  expect(activity).toEqual({ kind: 'hook', names: 'tests' });
});
