import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Lang } from '../i18n';
import { openConversation } from '../state/opening';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Inspector } from './inspector';

async function opened(scenario: string, lang: Lang = 'en') {
  const app = makeApp(recordingBridge(scenario).bridge);
  app.store.setState({ inspectorTab: 'evidence' });
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  showIn(app, <Inspector />, lang);
  await waitFor(() => expect(app.store.getState().snapshot).not.toBeNull());
  return { app, user: userEvent.setup() };
}

test('what is open is said in words', async () => {
  await opened('decision');
  const open = screen.getAllByTestId('obligation').map((row) => row.textContent);
  expect(open).toEqual([
    'checklist.mdpromised by “Write the story”, not there yet',
    'story.mdnot as it should be',
    'release-notes.mdwritten, not checked yet',
    'sign-offtodo, not at its end yet',
  ]);
});

test('the newest facts stand first, and say what they prove of what', async () => {
  await opened('decision');
  const facts = screen.getAllByTestId('fact').map((row) => row.textContent);
  expect(facts.slice(0, 9)).toEqual([
    'everything written beforechecked, as it should be',
    'story.mddoes not contain what it has to',
    'You confirmed',
    'story.mdchanged by someone else',
    'sign-offtodo added',
    'checklist.mdA call came to nothingTools may not touch this place.',
    'notes.mdmoved to @project/docs/notes.md',
    'story.mdread back, the same',
    'story.mdwritten',
  ]);
});

test('facts are said in the language of the reader', async () => {
  await opened('decision', 'zh');
  expect(screen.getByTestId('evidence')).toHaveTextContent('缺少所需内容');
  expect(screen.getByTestId('evidence')).toHaveTextContent('“Write the story”承诺，尚不存在');
});

test('of many facts fifty are shown, and more on demand', async () => {
  const { user } = await opened('decision');
  expect(screen.getAllByTestId('fact')).toHaveLength(50);
  await user.click(screen.getByRole('button', { name: 'Show 11 more' }));
  expect(screen.getAllByTestId('fact')).toHaveLength(61);
  expect(screen.queryByTestId('more-facts')).toBeNull();
});

test('a fact leads to its call where the conversation shows it, and to nothing elsewhere', async () => {
  const { app, user } = await opened('decision');
  const [, failed, confirmed] = screen.getAllByTestId('fact');
  expect(confirmed?.querySelector('button')).toBeNull();
  app.store.setState({ drawerOpen: true });
  await user.click(failed?.querySelector('button') as Element);
  const { jump, conversation, drawerOpen } = app.store.getState();
  expect(jump?.id).toMatch(/^call-/);
  expect(conversation.index.has(jump?.id ?? '')).toBe(true);
  expect(drawerOpen).toBe(false);
});

test('a run that has proved nothing yet says what will stand there', async () => {
  await opened('completed');
  expect(screen.getByTestId('evidence')).toHaveTextContent('What the results of tools prove');
  expect(screen.queryByTestId('fact')).toBeNull();
});

test('evidence that could not be read is not shown as none', async () => {
  await opened('unread-changes');
  await screen.findByTestId('failure');
  expect(screen.queryByTestId('evidence')).toBeNull();
});
