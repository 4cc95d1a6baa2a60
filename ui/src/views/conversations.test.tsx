import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fileNameOf } from '../state/conversations';
import { enterProject } from '../state/projects';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { DataSection } from './settings-data';
import { Workspace } from './workspace';

afterEach(() => void vi.useRealTimers());

// Menus and dialogs are slow to come in a browser that is none.
vi.setConfig({ testTimeout: 30_000 });

async function open(scenario = 'completed') {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  showIn(app, <Workspace />);
  await enterProject(app, 'p-notes');
  await waitFor(() => expect(screen.getAllByTestId('run-row')).toHaveLength(3));
  return { app, commands, user: userEvent.setup() };
}

function menuOf(title: string): HTMLElement {
  const menus = screen.getAllByTestId('conversation-menu');
  const found = menus.find((menu) => menu.getAttribute('aria-label') === `Actions for ${title}`);
  if (!found) throw new Error(`no menu of ${title}`);
  return found;
}

test('a run that is not at its end says at which step it is', async () => {
  const { app } = await open('form');
  const rowOf = (title: string) =>
    screen.getAllByTestId('run-row').find((row) => row.textContent?.startsWith(title));
  expect(rowOf('Create a story')).toHaveTextContent('Write the story2 of 5');
  // The inspector counts the same, in the same words.
  expect(within(rowOf('Create a story') as HTMLElement).getByText('2 of 5')).toHaveAttribute(
    'title',
    '2 of 5 steps',
  );
  expect(rowOf('Hello, branch')).not.toHaveTextContent('of 5');
  // What the title says is not said again.
  expect(rowOf('Hello, branch')?.textContent).toMatch(/Completed$/);
  expect(rowOf('Review a story')?.textContent).toMatch(/Stopped$/);
  // Of a workflow whose steps are not known, its name.
  const { conversations } = app.store.getState();
  const renamed = conversations?.map((it) =>
    it.title === 'Hello, branch' ? { ...it, title: 'My first' } : it,
  );
  act(() => app.store.setState({ conversations: renamed }));
  expect(rowOf('My first')).toHaveTextContent('Completed · Hello, branch');
});

test('how many steps are done is not said where the step is not known', async () => {
  const { app } = await open('form');
  expect(screen.getByText('2 of 5')).toBeVisible();
  act(() => app.store.setState({ packages: [] }));
  expect(screen.queryByText('2 of 5')).toBeNull();
});

test('a run is read ahead while the pointer rests on it, and not on the way over it', async () => {
  const { app, user } = await open('form');
  const [passed, rested] = screen
    .getAllByTestId('run-row')
    .filter((row) => row.getAttribute('aria-current') === null);
  if (!passed || !rested) throw new Error('there are two more runs');
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  await user.hover(passed);
  await user.hover(rested);
  vi.advanceTimersByTime(100);
  const ahead = app.ahead?.conversationId;
  expect(
    app.store.getState().conversations?.find((c) => c.conversationId === ahead)?.runs[0]?.runId,
  ).toBe(rested.dataset.runId);
  // The keys come to it by the focus.
  act(() => passed.focus());
  vi.advanceTimersByTime(100);
  expect(app.ahead?.conversationId).not.toBe(ahead);
});

/** Very many runs of the open project that wait; `newer` ones come before them. */
async function openMany() {
  const { app, user, commands } = await open('form');
  const [waits] = app.store.getState().active ?? [];
  if (!waits) throw new Error('no run waits');
  const runs = (of: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...waits,
      conversationId: `c-${of}-${n}`,
      title: `${of} ${n}`,
    }));
  const show = (newer = 0) =>
    act(() => app.store.setState({ active: [...runs('Newer', newer), ...runs('Run', 120)] }));
  show();
  const waiting = () =>
    screen.getAllByTestId('run-row').filter((row) => /(Run|Newer) \d/.test(row.textContent ?? ''));
  return { app, user, commands, show, waiting };
}

test('of very many runs that wait the first are shown, and more on demand', async () => {
  const { app, user, waiting } = await openMany();
  expect(screen.getByTestId('runs-need-you')).toHaveTextContent('120');
  expect(waiting()).toHaveLength(50);
  // The one that is open is among them.
  act(() => app.store.setState({ conversationId: 'c-Run-110' }));
  expect(waiting().at(-1)).toHaveTextContent('Run 110');
  await user.click(screen.getByTestId('more-need-you'));
  expect(waiting()).toHaveLength(101);
  await waitFor(() => expect(waiting()[50]).toHaveFocus());
  expect(waiting()[50]).toHaveTextContent('Run 50');
  await user.click(screen.getByTestId('more-need-you'));
  expect(waiting()).toHaveLength(120);
  expect(screen.queryByTestId('more-need-you')).toBeNull();
  await waitFor(() => expect(waiting()[100]).toHaveFocus());
});

test('who asks for more is led to the first row that was not there yet', async () => {
  const { app, user, waiting } = await openMany();
  act(() => app.store.setState({ conversationId: 'c-Run-50' }));
  expect(waiting()).toHaveLength(51);
  await user.click(screen.getByTestId('more-need-you'));
  await waitFor(() => expect(waiting()[51]).toHaveFocus());
});

test('a row whose menu or question is open stays when newer runs push it past the fiftieth', async () => {
  const { user, commands, show, waiting } = await openMany();
  await user.click(menuOf('Run 49'));
  await screen.findByTestId('conversation-delete');
  show(1);
  expect(waiting().at(-1)).toHaveTextContent('Run 49');
  await user.click(screen.getByTestId('conversation-delete'));
  const dialog = await screen.findByTestId('delete-dialog');
  show(30);
  expect(dialog).toBeVisible();
  expect(waiting()).toHaveLength(51);
  await user.click(screen.getByTestId('delete-confirm'));
  expect(commands).toEqual([{ type: 'deleteConversation', conversationId: 'c-Run-49' }]);
});

test('a row that has the focus keeps it when newer runs push it past the fiftieth', async () => {
  const { show, waiting } = await openMany();
  const last = waiting()[49] as HTMLElement;
  act(() => last.focus());
  show(1);
  expect(last).toHaveTextContent('Run 49');
  expect(last).toHaveFocus();
});

test('each way to more says of which group it is', async () => {
  const { app } = await openMany();
  const [first, ...rest] = app.store.getState().active ?? [];
  const [run] = first?.runs ?? [];
  if (!first || !run) throw new Error('no run waits');
  const works = rest.slice(0, 60).map((one) => ({
    ...one,
    conversationId: `works-${one.conversationId}`,
    runs: [{ ...run, phase: 'running' as const, reason: null }],
  }));
  act(() => app.store.setState({ active: [first, ...rest, ...works], moreConversations: 'next' }));
  for (const [testId, name] of [
    ['more-need-you', 'Show more: Needs you'],
    ['more-working', 'Show more: Working'],
    ['more-conversations', 'Show more: release-notes'],
  ] as const) {
    expect(screen.getByTestId(testId)).toHaveAccessibleName(name);
    expect(screen.getByTestId(testId)).toHaveTextContent(/^Show more$/);
  }
});

test('a title is written in place', async () => {
  const { user, commands } = await open();
  await user.click(menuOf('Hello, branch'));
  await user.click(await screen.findByTestId('conversation-rename'));
  const field = await screen.findByTestId('rename-field');
  await waitFor(() => expect(field).toHaveFocus());
  await user.clear(field);
  await user.type(field, '花园页面{Enter}');
  await screen.findByText('花园页面');
  expect(commands).toEqual([
    { type: 'renameConversation', conversationId: 'c-done', title: '花园页面' },
  ]);
});

test('a title that was begun and left with Esc stays as it was', async () => {
  const { user, commands } = await open();
  await user.click(menuOf('Hello, branch'));
  await user.click(await screen.findByTestId('conversation-rename'));
  await user.type(await screen.findByTestId('rename-field'), 'other{Escape}');
  await waitFor(() => expect(screen.queryByTestId('rename-field')).toBeNull());
  expect(commands).toEqual([]);
});

test('a deletion says what goes and what stays, and Cancel has the focus', async () => {
  const { user, commands } = await open();
  await user.click(menuOf('Create a story'));
  await user.click(await screen.findByTestId('conversation-delete'));
  const dialog = await screen.findByTestId('delete-dialog');
  expect(dialog).toHaveTextContent('project folder stay');
  await waitFor(() => expect(within(dialog).getByTestId('delete-cancel')).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByTestId('delete-dialog')).toBeNull());
  expect(commands).toEqual([]);
});

test('a confirmed deletion takes the conversation away, and the next one opens', async () => {
  const { app, user, commands } = await open();
  await user.click(menuOf('Create a story'));
  await user.click(await screen.findByTestId('conversation-delete'));
  await user.click(await screen.findByTestId('delete-confirm'));
  await waitFor(() => expect(screen.getAllByTestId('run-row')).toHaveLength(2));
  expect(commands).toEqual([{ type: 'deleteConversation', conversationId: 'c-current' }]);
  await waitFor(() => expect(app.store.getState().conversationId).toBe('c-done'));
});

test('a conversation is saved under its title, and the person is told', async () => {
  const { user, commands } = await open();
  await user.click(menuOf('Hello, branch'));
  await user.click(await screen.findByTestId('export-md'));
  await waitFor(() => expect(commands).toHaveLength(1));
  expect(commands[0]).toEqual({
    type: 'exportConversation',
    conversationId: 'c-done',
    format: 'md',
    path: '/exports/Hello, branch.md',
    language: 'en',
  });
});

test('a run is saved so that it can be replayed', async () => {
  const { user, commands } = await open();
  await user.click(menuOf('Hello, branch'));
  await user.click(await screen.findByTestId('export-run'));
  await waitFor(() => expect(commands).toHaveLength(1));
  expect(commands[0]).toEqual({
    type: 'exportRun',
    runId: 'r-2',
    path: '/exports/Hello, branch.crewrun',
    replace: true,
  });
});

test('words are looked for after a pause, shown with marks, and lead to their item', async () => {
  const { app, user } = await open();
  act(() => app.store.setState({ searchText: '' }));
  await user.type(await screen.findByTestId('search-field'), 'story');
  const hits = await screen.findAllByTestId('search-hit');
  expect(hits[0]?.querySelector('mark')).toHaveTextContent('story');
  expect(screen.getByTestId('found-titles')).toHaveTextContent('Create a story');
  const last = screen.getAllByRole('region', { name: 'Hello, branch' }).at(-1) as HTMLElement;
  await user.click(within(last).getAllByTestId('search-hit')[0] as HTMLElement);
  expect(app.store.getState().conversationId).toBe('c-done');
  await user.type(screen.getByTestId('search-field'), '{Escape}');
  await waitFor(() => expect(screen.getAllByTestId('run-row')).toHaveLength(3));
});

test('of a conversation a few places are shown, and how many more; a click shows them all', async () => {
  const { app, user } = await open();
  act(() => app.store.setState({ searchText: 'story' }));
  const group = await screen.findByRole('region', { name: 'Hello, branch' });
  const hits = () => within(group).getAllByTestId('search-hit');
  expect(hits()).toHaveLength(3);
  const more = within(group).getByTestId('search-here');
  const left = Number(/^(\d+) more in this run$/.exec(more.textContent ?? '')?.[1]);
  expect(left).toBeGreaterThan(0);
  await user.click(more);
  await waitFor(() => expect(hits()).toHaveLength(3 + left));
  expect(hits()[3]).toHaveFocus();
  expect(within(group).queryByTestId('search-here')).toBeNull();
});

test('nothing found says where was looked', async () => {
  const { app, user } = await open();
  act(() => app.store.setState({ searchText: '' }));
  await user.type(screen.getByTestId('search-field'), '没有这个词');
  await screen.findByText('Nothing found');
});

test('the data of a project is told and deleted after a question', async () => {
  const { bridge, commands } = recordingBridge('completed');
  const app = makeApp(bridge);
  const user = userEvent.setup();
  showIn(app, <DataSection />);
  const [notes] = await screen.findAllByTestId('data-project');
  expect(notes).toHaveTextContent('3 conversations');
  await user.click(screen.getByTestId('delete-data'));
  await user.click(await screen.findByTestId('delete-data-confirm'));
  await waitFor(() => expect(notes).toHaveTextContent('0 conversations'));
  expect(commands).toEqual([{ type: 'deleteProjectData', projectId: 'p-notes' }]);
});

test('a title becomes a name that every system takes', () => {
  expect(fileNameOf(' a/b:c*?"<>|\u0007 d ')).toBe('a b c d');
  expect(fileNameOf('..')).toBe('conversation');
  expect(fileNameOf('花园 页面')).toBe('花园 页面');
  expect(fileNameOf('x'.repeat(300))).toHaveLength(80);
});
