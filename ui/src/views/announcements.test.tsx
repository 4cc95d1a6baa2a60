import { act, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Phase } from '../bridge/wire';
import { loadActive } from '../state/list';
import { loadProjects } from '../state/load';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { useAnnouncements } from './announcements';

afterEach(() => vi.restoreAllMocks());

function Announcements() {
  useAnnouncements();
  return null;
}

/** A window in which no run is active yet, and whether somebody looks at it. */
async function aWindow(looks: boolean) {
  vi.spyOn(document, 'hasFocus').mockReturnValue(looks);
  const { bridge, commands } = recordingBridge('completed');
  const app = makeApp(bridge);
  await Promise.all([loadActive(app), loadProjects(app)]);
  showIn(app, <Announcements />);
  const [one] = app.store.getState().active ?? [];
  if (!one) throw new Error('a run is active');
  const [run] = one.runs;
  if (!run) throw new Error('it has a run');
  const stands = (phase: Phase, minute: number) => {
    const since = new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString();
    const now = { ...one, runs: [{ ...run, phase, reason: null, since }] };
    act(() => app.store.setState({ active: [now] }));
  };
  act(() => app.store.setState({ active: [] }));
  return { app, commands, stands, one };
}

test('whoever looks elsewhere is told once of a run that waits, by its title', async () => {
  const { commands, stands, one } = await aWindow(false);
  stands('running', 1);
  expect(commands).toEqual([]);
  stands('waiting-user', 2);
  stands('waiting-user', 2);
  const { conversationId, title } = one;
  expect(commands).toEqual([
    { type: 'announce', conversationId, title, text: 'Your turn · release-notes' },
  ]);
  expect(document.title).toBe('(1) CrewAgent Runtime');
});

test('whoever looks at the window is told by the window alone', async () => {
  const { commands, stands } = await aWindow(true);
  stands('running', 1);
  stands('waiting-user', 2);
  expect(commands).toEqual([]);
  expect(document.title).toBe('(1) CrewAgent Runtime');
});

test('a run that has come to its end is told of, and one that was stopped is not', async () => {
  const { app, commands } = await aWindow(false);
  const all = await app.bridge.query({
    type: 'conversations',
    projectId: null,
    limit: null,
    after: null,
  });
  if (!all.ok) throw new Error(all.failure.message);
  // Both worked; one has been completed meanwhile, the other was stopped.
  const worked = all.value.conversations
    .filter((one) => ['c-current', 'c-failed'].includes(one.conversationId))
    .map((one) => ({
      ...one,
      runs: one.runs.map((run) => ({ ...run, phase: 'running' as const, reason: null })),
    }));
  expect(worked).toHaveLength(2);
  act(() => app.store.setState({ active: worked }));
  expect(commands).toEqual([]);
  act(() => app.store.setState({ active: [] }));
  const conversationId = 'c-current';
  const told = {
    type: 'announce',
    conversationId,
    title: 'Create a story',
    text: 'Completed · release-notes',
  };
  await waitFor(() => expect(commands).toEqual([told]));
});

test('a talk that was answered is told of', async () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  const { bridge, commands } = recordingBridge('chat');
  const app = makeApp(bridge);
  await loadProjects(app);
  showIn(app, <Announcements />);
  const all = await bridge.query({
    type: 'conversations',
    projectId: null,
    limit: null,
    after: null,
  });
  if (!all.ok) throw new Error(all.failure.message);
  const talk = all.value.conversations.find((one) => one.talk?.reason === 'answered');
  if (!talk?.talk) throw new Error('a talk was answered');
  const works = { ...talk, talk: { ...talk.talk, phase: 'running' as const, reason: null } };
  act(() => app.store.setState({ active: [works] }));
  expect(commands).toEqual([]);
  act(() => app.store.setState({ active: [] }));
  const { conversationId } = talk;
  await waitFor(() =>
    expect(commands).toMatchObject([{ conversationId, text: 'Your turn · release-notes' }]),
  );
});

test('what was read first is no news', async () => {
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  const { bridge, commands } = recordingBridge('elsewhere');
  const app = makeApp(bridge);
  showIn(app, <Announcements />);
  await act(() => loadActive(app));
  expect(document.title).toMatch(/^\(\d\)/);
  expect(commands).toEqual([]);
});
