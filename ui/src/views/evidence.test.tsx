import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Bridge } from '../bridge';
import type { RuntimeSnapshot } from '../bridge/wire';
import type { Lang } from '../i18n';
import { openConversation } from '../state/opening';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Inspector } from './inspector';

async function opened(scenario: string, lang: Lang = 'en', change = (bridge: Bridge) => bridge) {
  const app = makeApp(change(recordingBridge(scenario).bridge));
  app.store.setState({ inspectorTab: 'evidence' });
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const { unmount } = showIn(app, <Inspector />, lang);
  await waitFor(() => expect(app.store.getState().snapshot).not.toBeNull());
  await waitFor(() => expect(app.store.getState().evidence).not.toBeNull());
  return { app, user: userEvent.setup(), unmount };
}

/** What the closed rows say, without their times. */
const wordsOf = (testId: string) =>
  screen.getAllByTestId(testId).map((row) => row.querySelector('.words')?.textContent);

/** Opens a row, as by a click or by Enter. */
async function open(user: ReturnType<typeof userEvent.setup>, testId: string, at: number) {
  const row = screen.getAllByTestId(testId)[at] as HTMLElement;
  await user.click(within(row).getAllByRole('button')[0] as Element);
  return row;
}

/** What an opened row tells, by name. */
const told = (row: HTMLElement) =>
  Object.fromEntries(
    [...row.querySelectorAll('.proof > div')].map((line) => [
      line.querySelector('dt')?.textContent,
      line.querySelector('dd')?.textContent,
    ]),
  );

afterEach(() => vi.unstubAllGlobals());

test('what is open is said in words', async () => {
  await opened('decision');
  const open = screen.getAllByTestId('obligation').map((row) => row.textContent);
  expect(open).toEqual([
    'checklist.mdpromised by “Write the story”, not there yet',
    'story.mdnot as it should be',
    'release-notes.mdwritten, not checked yet',
    'sign-offtodo, not finished yet',
  ]);
});

test('the newest facts stand first, and say what they prove of what', async () => {
  await opened('decision');
  expect(wordsOf('fact').slice(0, 9)).toEqual([
    'everything written beforechecked, as it should be',
    'story.mddoes not contain what it has to',
    'You confirmed',
    'story.mdchanged by someone else',
    'sign-offtodo added',
    'checklist.mdA call failedTools may not touch this place.',
    'notes.mdmoved to @project/docs/notes.md',
    'story.mdread back, the same',
    'story.mdwritten',
  ]);
});

test('facts are said in the language of the reader', async () => {
  await opened('decision', 'zh');
  expect(screen.getByTestId('evidence')).toHaveTextContent('缺少所需内容');
  expect(screen.getByTestId('evidence')).toHaveTextContent('“Write the story”应产出，尚不存在');
});

test('of many facts fifty are shown, and more on demand', async () => {
  const { user } = await opened('decision');
  expect(screen.getAllByTestId('fact')).toHaveLength(50);
  await user.click(screen.getByRole('button', { name: 'Show 11 more' }));
  expect(screen.getAllByTestId('fact')).toHaveLength(61);
  expect(screen.queryByTestId('more-facts')).toBeNull();
});

test('an opened fact tells its whole path, what was looked for, by which call, and when', async () => {
  const { user } = await opened('decision');
  const row = await open(user, 'fact', 1);
  expect(told(row)).toMatchObject({
    File: '@project/artifacts/create-story/story.md',
    Checked: 'whether it contains what it has to',
    'Looked for': 'As a colleague in support',
    Outcome: 'failed',
    'Stands for': 'artifacts/create-story/story.md',
    Call: 'fs.read',
    When: expect.stringContaining('2026'),
    'SHA-256': '4e07408562be…',
  });
  const refused = told(await open(user, 'fact', 5));
  expect(refused.Outcome).toBe('Tools may not touch this place. (E_SANDBOX_VIOLATION)');
});

test('a fact is opened and closed by keys', async () => {
  const { user } = await opened('decision');
  const row = screen.getAllByTestId('fact')[1] as HTMLElement;
  const button = within(row).getByRole('button');
  button.focus();
  await user.keyboard('{Enter}');
  expect(button).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard(' ');
  expect(row.querySelector('.proof')).toBeNull();
});

test('the whole hash is copied', async () => {
  const { user } = await opened('decision');
  const writeText = vi.spyOn(navigator.clipboard, 'writeText');
  const row = await open(user, 'fact', 1);
  await user.click(within(row).getByTestId('copy-hash'));
  expect(writeText).toHaveBeenCalledWith(
    '4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce',
  );
  expect(within(row).getByTestId('copy-hash')).toHaveAccessibleName('Copied');
});

test('a fact leads to its call where the conversation shows it, and to nothing elsewhere', async () => {
  const { app, user } = await opened('decision');
  const confirmed = await open(user, 'fact', 2);
  expect(within(confirmed).queryByTestId('show-item')).toBeNull();
  const failed = await open(user, 'fact', 1);
  app.store.setState({ drawerOpen: true });
  await user.click(within(failed).getByTestId('show-item'));
  const { jump, conversation, drawerOpen } = app.store.getState();
  expect(jump?.id).toMatch(/^call-/);
  expect(conversation.index.has(jump?.id ?? '')).toBe(true);
  expect(drawerOpen).toBe(false);
});

test('of one file all that is known is shown, and then everything again', async () => {
  const { user } = await opened('decision');
  const row = await open(user, 'fact', 8);
  await user.click(within(row).getByTestId('only-file'));
  expect(wordsOf('fact')).toEqual([
    'story.mddoes not contain what it has to',
    'story.mdchanged by someone else',
    'story.mdread back, the same',
    'story.mdwritten',
  ]);
  await user.click(screen.getByTestId('every-fact'));
  expect(screen.getAllByTestId('fact')).toHaveLength(50);
});

test('every judgement is told in plain words, the newest first, the rest on demand', async () => {
  await opened('evidence');
  expect(wordsOf('judgement')).toEqual([
    expect.stringMatching(/^Not acceptedNot done: nothing shows that @project.*checklist\.md/),
    expect.stringMatching(/^Told to go onNot done yet/),
    'AcceptedWaiting for you.',
    'AcceptedWaiting for you.',
  ]);
  expect(screen.getByTestId('evidence-judged')).toHaveTextContent('Judgements16');
  expect(screen.getByTestId('evidence-judged')).toHaveTextContent(
    '12 earlier ones are listed in a terminal by:',
  );
});

test('the command that lists the earlier ones is of this run, and can be copied', async () => {
  const { user } = await opened('evidence');
  const command = 'crewagent runs show r-3 --decisions';
  expect(screen.getByTestId('earlier-command')).toHaveTextContent(command);
  await user.click(screen.getByTestId('copy-command'));
  expect(await navigator.clipboard.readText()).toBe(command);
});

test('an opened judgement tells what was missing, what was asked for next, and leads to itself', async () => {
  const { app, user } = await opened('evidence');
  const row = await open(user, 'judgement', 0);
  expect(within(row).getAllByTestId('missing-fact')).toHaveLength(4);
  expect(within(row).getByTestId('next-actions')).toHaveTextContent('fs_glob');
  expect(told(row)).toMatchObject({ Work: 'files changed' });
  await user.click(within(row).getByTestId('show-item'));
  expect(app.store.getState().jump?.id).toBe('m-incomplete');
});

test('words that the person let stand say so, and alarm nobody', async () => {
  await opened('decision-overruled');
  expect(wordsOf('judgement')[0]).toMatch(/^Not accepted · you let it stand/);
  expect(screen.getByTestId('judgement')).not.toHaveAttribute('data-tone');
});

test('a judgement of a status that only a newer program knows is told as that', async () => {
  await opened('decision-unknown');
  expect(wordsOf('judgement')).toEqual([
    'Judged by a newer versionThe reviewer has not looked at the story yet.',
  ]);
});

test('what the person allowed, refused, confirmed and chose is told, the newest first', async () => {
  await opened('evidence');
  expect(wordsOf('answer')).toEqual([
    'Go back to “Gather the idea”Confirmed',
    'Delete config.yamlNot allowed, nothing changed: “Keep it, and only take the old key out.”',
    'Change release-notes.mdAllowed for this folder · +2 −1 lines',
    'Who is to read the story first?Somebody in sales',
  ]);
});

test('an opened approval tells what was shown, which calls used it, and that it was taken back', async () => {
  const { app, user } = await opened('evidence');
  const row = await open(user, 'answer', 2);
  expect(told(row)).toMatchObject({
    Change: '@project/docs/release-notes.md',
    Tool: 'fs.write',
    Folder: '@project/docs',
    'Used by': 'fs.writecall-later',
    Revoked: expect.stringContaining('2026'),
    'As shown': 'c1f0a9d27b8e…',
  });
  await user.click(within(row).getByRole('button', { name: 'fs.write' }));
  expect(app.store.getState().jump?.id).toBe('call-call-approval');
  await user.click(within(row).getByTestId('show-item'));
  expect(app.store.getState().jump?.id).toBe('w-write');
  const unused = await open(user, 'answer', 0);
  expect(told(unused)).toMatchObject({ 'Used by': 'no call' });
  const refused = await open(user, 'answer', 1);
  expect(told(refused)).not.toHaveProperty('Used by');
});

test('a part that was folded stays folded, and is not in the document', async () => {
  const { app, user, unmount } = await opened('evidence');
  await user.click(screen.getByRole('button', { name: /^Facts/ }));
  expect(screen.queryByTestId('fact')).toBeNull();
  unmount();
  showIn(app, <Inspector />);
  expect(await screen.findByRole('button', { name: /^Facts/ })).toBeInTheDocument();
  expect(screen.queryByTestId('fact')).toBeNull();
  expect(screen.getAllByTestId('judgement')).toHaveLength(4);
});

test('the parts stand in the order in which they matter', async () => {
  await opened('evidence');
  const parts = within(screen.getByTestId('evidence')).getAllByRole('heading', { level: 2 });
  expect(parts.map((part) => part.textContent)).toEqual([
    'Still open4',
    'Judgements16',
    'What you decided4',
    'Facts61',
  ]);
});

/** A run that has proved as much as a snapshot tells, and more. */
const proved = (bridge: Bridge): Bridge => ({
  ...bridge,
  query: async (query) => {
    const answer = await bridge.query(query);
    if (query.type !== 'snapshot' || !answer.ok) return answer;
    const snapshot = answer.value as RuntimeSnapshot;
    const [first] = snapshot.facts;
    const facts = Array.from({ length: 1000 }, (_, n) => ({ ...first, seq: n + 1 }));
    const value = { ...snapshot, facts, earlierFacts: 234 };
    return { ...answer, value } as typeof answer;
  },
});

test('a thousand facts are paged, and where the earlier ones stand is said at the end', async () => {
  const { user } = await opened('decision', 'en', proved);
  expect(screen.getByTestId('evidence-facts')).toHaveTextContent('Facts1,234');
  expect(screen.getAllByTestId('fact')).toHaveLength(50);
  await user.click(screen.getByTestId('more-facts'));
  expect(screen.getAllByTestId('fact')).toHaveLength(100);
  expect(screen.getByTestId('evidence-facts')).not.toHaveTextContent('runs show');
});

test('a run that has proved nothing yet says what will stand there', async () => {
  await opened('completed');
  expect(screen.getByTestId('evidence')).toHaveTextContent('Nothing yet');
  expect(screen.queryByTestId('fact')).toBeNull();
});

test('evidence that could not be read is not shown as none', async () => {
  await opened('unread-changes');
  await screen.findByTestId('failure');
  expect(screen.queryByTestId('evidence')).toBeNull();
});

test('judgements that could not be read say so, and the facts stay', async () => {
  const failing = (bridge: Bridge): Bridge => ({
    ...bridge,
    query: async (query) => {
      if (query.type !== 'evidence') return bridge.query(query);
      const failure = { code: 'STORE_READ_FAILED', message: 'The disk answered no.' } as const;
      return { ok: false, failure };
    },
  });
  await opened('evidence', 'en', failing);
  expect(screen.getByTestId('failure')).toBeInTheDocument();
  expect(screen.getAllByTestId('fact')).toHaveLength(50);
  expect(screen.queryByTestId('judgement')).toBeNull();
});
