import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Bridge } from '../bridge';
import type { LogRow, Noticed, WatchTarget } from '../bridge/wire';
import { choose, makeApp, recordingBridge, showIn } from '../test/render';
import { Root } from './app';

// The list draws what is in sight, and jsdom has no sight: give it some.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800);
  return () => vi.restoreAllMocks();
});

const row = (message: string, more: Partial<LogRow> = {}): LogRow => ({
  at: '2026-01-01T00:00:00.000Z',
  level: 'info',
  kind: 'log',
  source: 'host::runner',
  message,
  fields: {},
  ...more,
});

/** A window in its workspace, what it follows, and the way to tell it something. */
async function workspace() {
  const { bridge } = recordingBridge('completed');
  const followed = new Map<string, (words: Noticed[]) => void>();
  const left: WatchTarget[] = [];
  const telling: Bridge = {
    ...bridge,
    notice(target, onNoticed) {
      followed.set(target.type, onNoticed);
      return () => {
        left.push(target);
        followed.delete(target.type);
      };
    },
  };
  const app = makeApp(telling);
  showIn(app, <Root />);
  const user = userEvent.setup();
  const [project] = await screen.findAllByTestId('recent-project');
  if (project) await user.click(within(project).queryByRole('button') ?? project);
  await screen.findByTestId('workspace');
  const tell = (type: WatchTarget['type'], words: Noticed) => followed.get(type)?.([words]);
  return { app, user, followed, left, tell };
}

test('Ctrl+L opens the log of the open run and closes it, and only then it is followed', async () => {
  const { user, followed, left, tell } = await workspace();
  expect(followed.has('log')).toBe(false);
  await user.keyboard('{Control>}l{/Control}');
  await screen.findByTestId('log-drawer');
  expect(followed.has('log')).toBe(true);
  const rows = [
    row('started'),
    row('@project/x → E_SANDBOX_VIOLATION', { kind: 'tool', level: 'warn', source: 'fs.write' }),
  ];
  tell('log', { type: 'log', rows, dropped: 5 });
  expect(await screen.findByTestId('log-count')).toHaveTextContent('2 of 2 lines');
  expect(screen.getByTestId('log-dropped')).toHaveTextContent('5 lines');

  await choose(user, 'log-level', 'Warnings and above');
  expect(screen.getByTestId('log-count')).toHaveTextContent('1 of 2 lines');
  await user.type(screen.getByTestId('log-filter'), 'nowhere');
  expect(screen.getByTestId('log-count')).toHaveTextContent('0 of 2 lines');
  await screen.findByText('No lines match');

  await user.click(screen.getByTestId('log-clear'));
  expect(screen.getByTestId('log-count')).toHaveTextContent('0 of 0 lines');
  expect(screen.queryByTestId('log-dropped')).toBeNull();
  await user.keyboard('{Control>}l{/Control}');
  await waitFor(() => expect(screen.queryByTestId('log-drawer')).toBeNull());
  expect(left.some((target) => target.type === 'log')).toBe(true);
});

test('a settings file with a bad field is told at once, and stands on the settings page', async () => {
  const { app, tell } = await workspace();
  const problem = { code: 'SETTING_INVALID', message: 'engine.maxTurns is 0' } as const;
  tell('app', { type: 'settings', problems: [problem] });
  await waitFor(() => expect(app.store.getState().failure).toEqual(problem));
  // Once it is corrected nothing is told any more.
  const { settings } = app.store.getState();
  if (settings) app.store.setState({ settings: { ...settings, problems: [problem] } });
  tell('app', { type: 'settings', problems: [] });
  await waitFor(() => expect(app.store.getState().failure).toBeNull());
});

test('changed files are read again, and a project that is left is not followed any more', async () => {
  const { app, user, followed, left, tell } = await workspace();
  const query = vi.spyOn(app.bridge, 'query');
  const { projectId } = app.store.getState();
  tell('project', {
    type: 'files',
    projectId: projectId ?? '',
    paths: ['@project/a.md'],
    more: false,
  });
  await waitFor(() =>
    expect(query.mock.calls.map(([asked]) => asked.type)).toEqual(
      expect.arrayContaining(['projects', 'conversations']),
    ),
  );
  await user.click(screen.getByTestId('project-menu'));
  await user.click(await screen.findByTestId('rail-start'));
  await screen.findByTestId('start-screen');
  await waitFor(() => expect(followed.has('project')).toBe(false));
  expect(left).toContainEqual({ type: 'project', projectId });
});
