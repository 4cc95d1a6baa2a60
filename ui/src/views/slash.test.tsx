import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Lang } from '../i18n';
import { loadSettings } from '../state/load';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { inCurrent, makeApp, recordingBridge, showIn } from '../test/render';
import { Conversation } from './conversation';

async function opened(fake = 'servers', lang: Lang = 'en') {
  const { bridge, commands } = recordingBridge(fake);
  const reads = vi.spyOn(bridge, 'query');
  const app = makeApp(bridge);
  await loadSettings(app);
  await enterProject(app, 'p-notes');
  openConversation(app, 'c-current');
  showIn(app, <Conversation />, lang);
  const box = await screen.findByTestId('composer-input');
  await waitFor(() => expect(app.store.getState().servers).not.toBeNull());
  const said = () => commands.filter(({ type }) => type === 'session');
  const readings = () => reads.mock.calls.filter(([query]) => query.type === 'servers').length;
  return { app, said, readings, box, user: userEvent.setup() };
}

test('the servers are read again when a call begins to be written, and not with each key', async () => {
  const { user, box, readings } = await opened();
  const before = readings();
  await user.type(box, 'Hello');
  expect(readings()).toBe(before);
  await user.clear(box);
  await user.type(box, '/sum');
  await waitFor(() => expect(readings()).toBe(before + 1));
  // That of a server that has changed since it was trusted is none of them.
  await user.clear(box);
  await user.type(box, '/mcp');
  expect(screen.getAllByRole('option')).toHaveLength(3);
});

test('a prompt is sent as it was written', async () => {
  const { user, box, said } = await opened();
  await user.type(box, '/summ{Enter}docs/notes.md{Enter}');
  const text = '/mcp__files__summarise docs/notes.md';
  await waitFor(() => expect(said()).toEqual([inCurrent({ type: 'say', text })]));
  expect(box).toHaveValue('');
});

test.each([
  ['/mcp__files__compare before=a.md', 'needs other words'],
  ['/mcp__issues__triage', 'no such prompt'],
])('%s is refused with what to do, and stays in the field', async (text, why) => {
  const { user, box, app } = await opened();
  await user.type(box, `${text} {Enter}`);
  await waitFor(() => expect(box).toHaveValue(text));
  expect(app.store.getState().failure).not.toBeNull();
  expect(document.body).toHaveTextContent(why);
});
