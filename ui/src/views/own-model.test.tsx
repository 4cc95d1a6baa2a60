import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { loadEverything } from '../state/load';
import { enterProject } from '../state/projects';
import { inCurrent, makeApp, recordingBridge, showIn } from '../test/render';
import { Root } from './app';
import { ItemRow } from './message-row';

async function open(scenario: string) {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  showIn(app, <Root />);
  await screen.findByTestId('start-screen');
  await loadEverything(app);
  await enterProject(app, 'p-notes', 'c-current');
  await screen.findByTestId('composer-input');
  return { app, commands, user: userEvent.setup() };
}

test('the end of a demo offers to go on with the model that is set up', async () => {
  const { user, commands } = await open('demo-end');
  const end = await screen.findByTestId('demo-end');
  expect(screen.getByTestId('composer-input')).toHaveAttribute(
    'placeholder',
    expect.stringContaining('demo has been played'),
  );
  await user.click(within(end).getByRole('button', { name: 'Go on with qwen3:14b' }));
  await waitFor(() => expect(screen.queryByTestId('demo-end')).toBeNull());
  expect(commands).toEqual([inCurrent({ type: 'useModel' })]);
  expect(screen.getByTestId('model-row')).not.toHaveTextContent('Demo model');
});

test('without a model the end of a demo leads to its settings', async () => {
  const { app, user, commands } = await open('demo-end');
  const view = app.store.getState().settings;
  if (!view) throw new Error('no settings');
  const model = { ...view.settings.model, baseUrl: '' };
  app.store.setState({ settings: { ...view, settings: { ...view.settings, model } } });
  await user.click(await screen.findByRole('button', { name: 'Go on with my own model' }));
  await waitFor(() => expect(screen.getByTestId('model-base-url')).toHaveFocus());
  expect(commands).toEqual([]);
});

test('a refused key leads to its field, and not to a retry that must fail', async () => {
  const { app, user } = await open('no-key');
  await waitFor(() =>
    expect(screen.getByTestId('phase-badge')).toHaveTextContent('Stopped: model error'),
  );
  const item = app.store.getState().conversation.items.at(-1);
  if (!item) throw new Error('no notice');
  // The list itself shows nothing where nothing has a size.
  showIn(app, <ItemRow item={item} headed />);
  const notice = screen.getByTestId('notice-model_error');
  expect(within(notice).getAllByText(/refused the key|No usable answer/)).toHaveLength(1);
  expect(within(notice).queryByTestId('retry')).toBeNull();
  // Once something was changed, asking again may help.
  app.store.setState({ modelChangedAt: '2100-01-02T00:00:00.000Z' });
  await within(notice).findByTestId('retry');
  await user.click(within(notice).getByTestId('model-settings'));
  await waitFor(() => expect(screen.getByTestId('api-key')).toHaveFocus());
});

test('a package that runs need names them, and goes with them when the person says so', async () => {
  const { user, commands } = await open('completed');
  await user.click(screen.getByTestId('rail-packages'));
  const menu = await screen.findByRole('button', { name: 'Actions for create-story-micro' });
  await user.click(menu);
  await user.click(await screen.findByTestId('package-remove'));
  await user.click(await screen.findByTestId('remove-package'));
  const runs = await screen.findByTestId('using-runs');
  expect(within(runs).getAllByRole('listitem').length).toBeGreaterThan(1);
  expect(runs).toHaveTextContent('Review a story');
  expect(runs).toHaveTextContent('release-notes');
  await user.click(screen.getByTestId('remove-with-runs'));
  await waitFor(() => expect(screen.queryByTestId('remove-dialog')).toBeNull());
  const deleted = commands.filter((c) => c.type === 'deleteConversation');
  expect(deleted.map((c) => c.conversationId).sort()).toEqual(['c-current', 'c-failed']);
  expect(commands.filter((c) => c.type === 'removePackage')).toHaveLength(2);
});
