// Whatever name or text of others the window shows, it hides nothing of itself.
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Bridge } from '../bridge';
import { fakeBridge } from '../bridge/fake';
import { go, newRun, showPackage, showPanel } from '../state/actions';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { rowsOf } from '../state/rows';
import { useView } from '../state/store';
import { openSubagent } from '../state/subagents';
import { makeApp, showIn } from '../test/render';
import { Root } from './app';
import { Inspector } from './inspector';
import { RowView } from './message-row';

/** Turns what is behind it round. */
const TURN = '\u202e';

/** What others write, by the names of the wire. */
const WRITTEN = new Set(
  'name title displayName description location label text message content planContent user_summary rejected target expected code reason failureReason todo path node icon author version summary snippet thinking source prompt findings patches changed doing expected_output allowed_paths agentId agentPath backTo resolved scope to folder tool'.split(
    ' ',
  ),
);

function turned(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return WRITTEN.has(key) ? `${value}${TURN}` : value;
  if (Array.isArray(value)) return value.map((each) => turned(each, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, each]) => [k, turned(each, k)]));
}

/** The fake bridge, with such a character in all that others wrote. */
function turning(scenario: string): Bridge {
  const bridge = fakeBridge(scenario);
  return {
    ...bridge,
    query: async (query) => {
      const answer = await bridge.query(query);
      return query.type === 'settings' || !answer.ok ? answer : (turned(answer) as typeof answer);
    },
    watch: (id, onFrames, onFailure) =>
      bridge.watch(id, (frames) => onFrames(turned(frames) as typeof frames), onFailure),
    notice: (target, onNoticed, onFailure) =>
      bridge.notice(target, (words) => onNoticed(turned(words) as typeof words), onFailure),
  };
}

/** Where a character that cannot be seen stands as it is. Fields hold what is edited. */
function hiding(): string[] {
  const found: string[] = [];
  for (const element of document.body.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      const isSaid = ['title', 'aria-label', 'placeholder'].includes(name);
      if (isSaid && value.includes(TURN)) found.push(`${element.outerHTML.slice(0, 80)} ${name}`);
    }
    for (const node of element.childNodes) {
      const isText = node.nodeType === Node.TEXT_NODE && element.tagName !== 'TEXTAREA';
      if (isText && node.nodeValue?.includes(TURN)) found.push(element.outerHTML.slice(0, 120));
    }
  }
  return found;
}

test.each([
  'form',
  'selection',
  'confirmation',
  'plan_review',
  'feedback',
  'action_selection',
  'approval',
  'answered',
  'completed',
  'decision',
  'ended',
  'tool',
  'log',
])('no name and no text of others hides anything in the window: %s', async (scenario) => {
  const app = makeApp(turning(scenario));
  showIn(app, <Root />);
  await screen.findAllByTestId('recent-project');
  expect(hiding()).toEqual([]);
  await act(() => enterProject(app, 'p-notes'));
  await screen.findAllByTestId('run-row');
  expect(document.body).toHaveTextContent('⟨U+202E⟩');
  act(() => app.store.setState({ logOpen: true }));
  expect(hiding()).toEqual([]);
  act(() => showPanel(app, 'packages'));
  expect(hiding()).toEqual([]);
  act(() => newRun(app));
  expect(hiding()).toEqual([]);
  const [pack] = app.store.getState().packages ?? [];
  await act(() => showPackage(app, pack?.packageId ?? ''));
  await screen.findByTestId('package-dialog');
  expect(hiding()).toEqual([]);
  act(() => app.store.setState({ inspection: null }));
  act(() => go(app, 'settings'));
  expect(hiding()).toEqual([]);
});

/** Every row: nothing is laid out here, so the list itself would show none. */
function Rows() {
  const items = useView((v) => v.conversation.items);
  const opened = useView((v) => v.openSteps);
  return rowsOf(items, opened).rows.map((row) => <RowView key={row.id} row={row} found={null} />);
}

test('the conversation of a sub-agent hides nothing', async () => {
  const app = makeApp(turning('subagents-work'));
  showIn(app, <Root />);
  await screen.findAllByTestId('recent-project');
  await act(() => enterProject(app, 'p-notes'));
  const status = () => app.store.getState().conversation.status;
  await waitFor(() => expect(status()).not.toBeNull());
  const [subagent] = status()?.subagents ?? [];
  if (!subagent) throw new Error('there is a sub-agent');
  act(() => openSubagent(app, subagent, { id: 'call-sub-review', seq: 1 }));
  await waitFor(() => expect(status()).not.toBeNull());
  expect(screen.getByTestId('task-bar')).toBeVisible();
  expect(document.querySelector('.conversation-header')).toHaveTextContent('⟨U+202E⟩');
  expect(hiding()).toEqual([]);
});

test('nothing of the evidence hides anything, also where it is opened', async () => {
  const app = makeApp(turning('evidence'));
  app.store.setState({ inspectorTab: 'evidence' });
  openConversation(app, 'c-current');
  showIn(app, <Inspector />);
  await screen.findAllByTestId('fact');
  await screen.findAllByTestId('judgement');
  for (const row of document.querySelectorAll('.proofs > li button[aria-expanded="false"]')) {
    act(() => (row as HTMLElement).click());
  }
  expect(document.querySelectorAll('.proof').length).toBeGreaterThan(50);
  expect(hiding()).toEqual([]);
});

test.each([
  'decision',
  'decision-failed',
  'decision-unknown',
  'ended',
  'foreign-change',
  'subagents',
  'subagents-work',
])('nothing of a judgement, a todo, a fact or a sub-agent hides anything: %s', async (scenario) => {
  const app = makeApp(turning(scenario));
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  showIn(
    app,
    <>
      <Rows />
      <Inspector />
    </>,
  );
  await waitFor(() => expect(app.store.getState().snapshot?.ok).toBe(true));
  if (scenario === 'decision') await screen.findAllByTestId('todo');
  const closed = () =>
    document.querySelectorAll<HTMLElement>(':is(.fold, .prompt) > [aria-expanded=false]');
  while (closed().length > 0) act(() => closed()[0]?.click());
  expect(hiding()).toEqual([]);
});
