import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { GraphView } from '../bridge/wire';
import { inspect, installInspected, newRun } from '../state/actions';
import { choose, makeApp, recordingBridge, showIn } from '../test/render';
import { Root } from './app';

async function inTheProject() {
  const app = makeApp(recordingBridge('completed').bridge);
  showIn(app, <Root />);
  const user = userEvent.setup();
  const [recent] = await screen.findAllByTestId('recent-project');
  await user.click(recent as HTMLElement);
  await screen.findByTestId('workspace');
  await waitFor(() => expect(app.store.getState().conversationId).not.toBeNull());
  return { app, user };
}

const shownPackage = () => screen.getByTestId('run-package').textContent;

test('who comes from a package may still choose another one', async () => {
  const { app, user } = await inTheProject();
  const [first, second] = app.store.getState().packages ?? [];
  if (!first || !second) throw new Error('there are two packages');
  act(() => newRun(app, second.packageId));
  await screen.findByTestId('run-package');
  expect(shownPackage()).toBe(`${second.name} ${second.version}`);
  await choose(user, 'run-package', `${first.name} ${first.version}`);
  expect(shownPackage()).toBe(`${first.name} ${first.version}`);
});

test('a package that was just installed can be run right away', async () => {
  const { app, user } = await inTheProject();
  await act(async () => {
    await inspect(app, '/downloads/story.bmad');
    await installInspected(app);
  });
  await user.click(await screen.findByTestId('run-installed'));
  await screen.findByTestId('run-package');
  expect(app.store.getState().runPackage).toMatch(/^create-story-micro-/);
  expect(screen.queryByTestId('saved')).toBeNull();
});

test('the form leads back to the conversation that is open, where there is one', async () => {
  const { app, user } = await inTheProject();
  act(() => newRun(app));
  await user.click(await screen.findByTestId('run-back'));
  await screen.findByTestId('composer-input');
  act(() => app.store.setState({ startingRun: true, conversationId: null }));
  await screen.findByTestId('run-package');
  expect(screen.queryByTestId('run-back')).toBeNull();
});

test('a new run says where it works, by which model, in which steps, and what comes of it', async () => {
  const { app, user } = await inTheProject();
  act(() => newRun(app));
  const preview = await screen.findByTestId('run-preview');
  await waitFor(() => expect(preview).toHaveTextContent('Is it small enough?'));
  expect(preview).toHaveTextContent('Works in/projects/release-notes');
  expect(preview).toHaveTextContent('ModelSet up: qwen3:14b');
  expect(preview).toHaveTextContent('Possible resultsartifacts/create-story/story.md');
  expect(preview).toHaveTextContent('Check the checklistTheo · checklist.md');
  await user.click(within(await screen.findByTestId('run-may')).getByRole('button'));
  expect(preview).toHaveTextContent('Mia');
  // Some step names no agent: the person chooses.
  expect(screen.getByTestId('run-agent')).toBeInTheDocument();
});

test('where each step names its agent, there is none to choose', async () => {
  const { app } = await inTheProject();
  const { bridge } = app;
  const query = bridge.query.bind(bridge);
  const named = async (asked: Parameters<typeof query>[0]) => {
    const result = await query(asked);
    if (asked.type !== 'graph' || !result.ok) return result;
    const graph = result.value as GraphView;
    const nodes = graph.nodes.map((node) => ({ ...node, agentId: 'sm' }));
    return { ok: true as const, value: { ...graph, nodes } };
  };
  app.bridge = { ...bridge, query: named as typeof query };
  act(() => app.store.setState({ graphs: new Map() }));
  act(() => newRun(app));
  await waitFor(() => expect(screen.queryByTestId('run-agent')).toBeNull());
  expect(screen.getByTestId('run-start')).toBeEnabled();
});

test('a server without the name of a model is no model yet', async () => {
  const { app } = await inTheProject();
  act(() => newRun(app));
  await screen.findByTestId('run-package');
  expect(screen.queryByTestId('no-model')).toBeNull();
  act(() => {
    const { settings } = app.store.getState();
    if (!settings) throw new Error('the settings were read');
    const model = { ...settings.settings.model, model: '' };
    app.store.setState({ settings: { ...settings, settings: { ...settings.settings, model } } });
  });
  expect(screen.getByTestId('no-model')).toBeVisible();
});
