import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { packages } from '../bridge/fake/data';
import type { Command, PackageView } from '../bridge/wire';
import type { Lang } from '../i18n';
import { loadEverything } from '../state/load';
import { enterProject } from '../state/projects';
import { inCurrent, makeApp, recordingBridge, showIn } from '../test/render';
import { Root } from './app';

// Dialogs are slow to come in a browser that is none.
vi.setConfig({ testTimeout: 30_000 });

const story = packages[0]?.packageId ?? '';
const MIA = { mode: 'agent', packageId: story, agentId: 'sm' } as const;

async function opened(scenario: string, lang: Lang = 'en') {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  showIn(app, <Root />, lang);
  await screen.findByTestId('start-screen');
  await loadEverything(app);
  await enterProject(app, 'p-notes');
  await screen.findByTestId('talk-switch');
  const said = () => commands.filter(({ type }) => type !== 'keepDraft');
  return { app, said, user: userEvent.setup() };
}

const box = () => screen.getByTestId('composer-input');
const partner = () => screen.getByTestId('talk-switch');
const sayIn = (conversationId: string, text: string): Command => ({
  type: 'session',
  conversationId,
  command: { type: 'say', text },
});

async function pick(user: { click: (one: Element) => Promise<void> }, name: string) {
  const items = await screen.findAllByTestId('talk-picker-item');
  const item = items.find((one) => one.textContent?.includes(name));
  if (!item) throw new Error(`${name} is not offered`);
  await user.click(item);
  await waitFor(() => expect(screen.queryByTestId('talk-picker')).toBeNull());
}

test('the header says with whom one talks, and lets somebody else be chosen', async () => {
  const { user, said } = await opened('completed');
  expect(partner()).toHaveTextContent('Create a story');
  await user.click(partner());
  const items = await screen.findAllByTestId('talk-picker-item');
  expect(items.map((one) => one.textContent)).toEqual([
    'The runCreate a story',
    'Chatwith the model alone',
    '🧭MiaScrum Master',
    '🛠️TheoDeveloper',
    '👋AdaGuide',
  ]);
  expect(within(items[0] as HTMLElement).getByLabelText('chosen now')).toBeInTheDocument();
  expect(screen.getByTestId('talk-picker')).toHaveTextContent('create-story-micro 1.1.0');
  await pick(user, 'Mia');
  await waitFor(() => expect(partner()).toHaveTextContent('Mia'));
  expect(said()).toEqual([inCurrent({ type: 'talk', with: MIA })]);
  expect(await screen.findByTestId('commands')).toBeVisible();
  expect(box()).toHaveAttribute('placeholder', expect.stringMatching(/^Write to Mia/));
  // The run waits meanwhile, and its steps are still there.
  expect(screen.getByRole('progressbar', { name: 'Progress' })).toBeInTheDocument();
  await user.click(partner());
  await pick(user, 'The run');
  await waitFor(() => expect(partner()).toHaveTextContent('Create a story'));
  expect(screen.queryByTestId('commands')).toBeNull();
});

test('to choose whom one talks with already says nothing to the program', async () => {
  const { user, said } = await opened('chat');
  await user.click(partner());
  await pick(user, 'Chat');
  expect(said()).toEqual([]);
});

test('an agent is found by name, title or package', async () => {
  const { app, user } = await opened('chat');
  const many = Array.from({ length: 12 }, (_, n): PackageView => {
    const [first] = packages as [PackageView];
    const agents = [{ id: 'a', name: `Agent ${n}`, title: `Title ${n}`, icon: '·', menu: [] }];
    return { ...first, packageId: `p-${n}`, name: `package-${n}`, agents };
  });
  act(() => app.store.setState({ packages: many }));
  await user.click(partner());
  await user.type(await screen.findByTestId('talk-picker-input'), 'title 7');
  await waitFor(() => expect(screen.getAllByTestId('talk-picker-item')).toHaveLength(1));
  await user.clear(screen.getByTestId('talk-picker-input'));
  await user.type(screen.getByTestId('talk-picker-input'), 'package-11');
  await waitFor(() => expect(screen.getAllByTestId('talk-picker-item')).toHaveLength(1));
  expect(screen.getByTestId('talk-picker-item')).toHaveTextContent('Agent 11');
  await user.type(screen.getByTestId('talk-picker-input'), ' nobody');
  expect(await screen.findByText('Nobody found by that name')).toBeVisible();
});

test('while somebody works nobody else can be chosen, and it is said why', async () => {
  const { user } = await opened('chat-working');
  expect(partner()).toHaveAttribute('aria-disabled', 'true');
  expect(partner()).toHaveAccessibleDescription(/^Somebody is at work\./);
  await user.click(partner());
  expect(screen.queryByTestId('talk-picker')).toBeNull();
});

test('a conversation without a run is stopped, goes on, and shows no steps', async () => {
  const { user, said } = await opened('chat-working');
  expect(screen.getByTestId('phase-badge')).toHaveTextContent('Working');
  expect(screen.queryByTestId('tab-run')).toBeNull();
  expect(screen.queryByText('Progress')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Tool calls' })).toBeVisible();
  await user.click(screen.getByTestId('stop'));
  await waitFor(() => expect(screen.getByTestId('phase-badge')).toHaveTextContent('Your turn'));
  expect(box()).toBeEnabled();
  await user.type(box(), 'Go on{Enter}');
  await waitFor(() => expect(screen.getByTestId('phase-badge')).toHaveTextContent('Working'));
  expect(said()).toEqual([
    { type: 'session', conversationId: 'c-chat-working', command: { type: 'stop' } },
    sayIn('c-chat-working', 'Go on'),
  ]);
});

test('what can be stopped is the chat that works, not the run that waits beside it', async () => {
  await opened('chat-beside-run');
  expect(screen.getByTestId('phase-badge')).toHaveTextContent('Working');
  expect(screen.getByTestId('stop')).toBeVisible();
  expect(box()).toHaveAttribute('placeholder', expect.stringMatching(/^The model is answering/));
  expect(screen.getByTestId('tab-run')).toBeVisible();
});

test('a command is chosen, gets words, and goes with them', async () => {
  const { user, said } = await opened('agent');
  const [story] = screen.getAllByTestId('command') as [HTMLElement];
  expect(story).toHaveTextContent('create-story');
  expect(story).toHaveAccessibleDescription('Write a user story with me, step by step');
  await user.click(story);
  expect(screen.getByTestId('command-chip')).toHaveTextContent('create-story');
  expect(story).toHaveAttribute('aria-pressed', 'true');
  expect(box()).toHaveFocus();
  expect(screen.getByTestId('send')).toBeEnabled();
  await user.type(box(), 'About invoices{Enter}');
  await waitFor(() => expect(screen.queryByTestId('command-chip')).toBeNull());
  expect(said()).toEqual([sayIn('c-agent', 'create-story\nAbout invoices')]);
});

test('a command goes alone, and one without a trigger by its number', async () => {
  const { user, said } = await opened('agent');
  const last = screen.getAllByTestId('command').at(-1) as HTMLElement;
  expect(last).toHaveTextContent('Go through the sprint');
  await user.click(last);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(said()).toEqual([sayIn('c-agent', '4')]));
});

test('a command is left out again: by its button, by Backspace, and by another click', async () => {
  const { user, said } = await opened('agent');
  const [story] = screen.getAllByTestId('command') as [HTMLElement];
  const gone = () => expect(screen.queryByTestId('command-chip')).toBeNull();
  await user.click(story);
  await user.click(screen.getByTestId('command-remove'));
  gone();
  expect(box()).toHaveFocus();
  await user.click(story);
  await user.keyboard('{Backspace}');
  gone();
  await user.click(story);
  await user.click(story);
  gone();
  await user.keyboard('{Enter}');
  expect(said()).toEqual([]);
});

test('the menu that was asked for is shown as rows, and one of them is said by its number', async () => {
  const { app, user, said } = await opened('agent');
  await user.type(box(), '*menu{Enter}');
  const rows = await screen.findByTestId('menu-rows');
  expect(rows).toHaveAccessibleName('What Mia can do');
  expect(within(rows).getAllByTestId('menu-row')).toHaveLength(4);
  expect(app.store.getState().echo).toBeNull();
  // What is shown twice is shown once.
  expect(screen.queryByTestId('commands')).toBeNull();
  await user.click(within(rows).getAllByTestId('menu-row')[1] as HTMLElement);
  await waitFor(() => expect(screen.queryByTestId('menu-rows')).toBeNull());
  expect(said()).toEqual([sayIn('c-agent', '*menu'), sayIn('c-agent', '2')]);
  expect(box()).toHaveFocus();
});

test('words that may mean several rows come back when the choice is closed', async () => {
  const { user } = await opened('agent');
  await user.type(box(), 'create{Enter}');
  const rows = await screen.findByTestId('menu-rows');
  expect(rows).toHaveAccessibleName('Which of these do you mean?');
  expect(within(rows).getAllByTestId('menu-row')).toHaveLength(2);
  expect(box()).toHaveValue('');
  await user.click(screen.getByTestId('menu-rows-close'));
  expect(screen.queryByTestId('menu-rows')).toBeNull();
  expect(box()).toHaveValue('create');
});

test('what stood below words that were not clear goes along with the row that is chosen', async () => {
  const { said, user } = await opened('agent');
  await user.type(box(), 'create{Shift>}{Enter}{/Shift}About invoices{Enter}');
  const [row] = await screen.findAllByTestId('menu-row');
  const number = row?.querySelector('.no')?.textContent;
  await user.click(row as Element);
  const last = said().at(-1);
  expect(last).toMatchObject({ command: { type: 'say', text: `${number}\nAbout invoices` } });
});

test('a number that no row has leaves the choice of all', async () => {
  const { user } = await opened('agent');
  await user.type(box(), '99{Enter}');
  expect(await screen.findAllByTestId('menu-row')).toHaveLength(4);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByTestId('menu-rows')).toBeNull());
});

test('a chat is begun with one click, and its first words are written at once', async () => {
  const { app, user, said } = await opened('completed');
  await user.click(screen.getByTestId('new-chat'));
  await waitFor(() => expect(partner()).toHaveTextContent('Chat'));
  await waitFor(() => expect(box()).toHaveFocus());
  await user.type(box(), 'Hello{Enter}');
  await screen.findByTestId('stop');
  const id = app.store.getState().conversationId ?? '';
  expect(said()).toEqual([
    { type: 'beginConversation', projectId: 'p-notes', with: { mode: 'chat' }, input: null },
    sayIn(id, 'Hello'),
  ]);
});

test('beside a new run somebody is chosen to talk with', async () => {
  const { user, said } = await opened('completed');
  await user.click(screen.getByTestId('new-run'));
  await user.click(await screen.findByTestId('talk-to'));
  await pick(user, 'Mia');
  await waitFor(() => expect(partner()).toHaveTextContent('Mia'));
  expect(said()).toEqual([
    { type: 'beginConversation', projectId: 'p-notes', with: MIA, input: null },
  ]);
});

test('the palette takes what is typed right after its keys', async () => {
  const { user } = await opened('completed');
  await user.keyboard('{Control>}k{/Control}readable');
  expect(await screen.findByTestId('palette-input')).toHaveValue('readable');
});

test('the palette leads to a chat and to whom to talk to', async () => {
  const { user, said } = await opened('completed');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByTestId('palette-input'), 'talk to');
  await user.keyboard('{Enter}');
  await screen.findByTestId('talk-picker');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByTestId('talk-picker')).toBeNull());
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByTestId('palette-input'), 'new chat');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(partner()).toHaveTextContent('Chat'));
  expect(said()).toHaveLength(1);
});

test('the list says with whom one talks, and how that stands', async () => {
  await opened('agent');
  const [row] = screen.getAllByTestId('run-row') as [HTMLElement];
  // Nobody has named it yet.
  expect(row).toHaveTextContent(/^Mia/);
  expect(row).toHaveTextContent('Your turn');
  expect(within(row).getByTestId('talk-mark')).toHaveTextContent('🧭');
  expect(screen.getByTestId('runs-need-you').nextElementSibling).toContainElement(row);
});

test('in the list a run that waits while somebody else works is at work', async () => {
  await opened('chat-beside-run');
  const row = screen
    .getAllByTestId('run-row')
    .find((one) => one.textContent?.startsWith('Create a story')) as HTMLElement;
  expect(row).toHaveTextContent('Working · Chat');
  expect(row.querySelector('.run-mark')).toHaveAttribute('data-standing', 'works');
  expect(row).not.toHaveTextContent('of 5');
  expect(screen.getByTestId('runs-working').nextElementSibling).toContainElement(row);
});

test('a refusal to talk with somebody else is shown as everywhere', async () => {
  const { app, user } = await opened('completed');
  const submit = app.bridge.submit.bind(app.bridge);
  app.bridge.submit = async (command) =>
    command.type === 'session' && command.command.type === 'talk'
      ? { ok: false, failure: { code: 'RUN_BUSY', message: 'the run is at work' } }
      : submit(command);
  await user.click(partner());
  await pick(user, 'Chat');
  expect(await screen.findByTestId('failure')).toHaveTextContent('the run is at work');
  expect(partner()).toHaveTextContent('Create a story');
});

test.each([{ kind: 'started' }, { kind: 'resumed', fromSeq: 3, goesOn: true }] as const)(
  'words by which a run is $kind lead to it, where it has a conversation of its own',
  async (routed) => {
    const { app, user } = await opened('agent');
    const submit = app.bridge.submit.bind(app.bridge);
    app.bridge.submit = async (command) =>
      command.type === 'session' && command.command.type === 'say'
        ? { ok: true, value: { conversationId: 'c-current', runId: 'r-3', routed } }
        : submit(command);
    await user.type(box(), 'create-story{Enter}');
    await waitFor(() => expect(app.store.getState().conversationId).toBe('c-current'));
    expect(app.store.getState().echo).toBeNull();
  },
);
