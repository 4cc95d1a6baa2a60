import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { inspect, installInspected, newRun } from '../state/actions';
import { makeApp, recordingBridge, showIn } from '../test/render';
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

const shownPackage = () =>
  screen.getByTestId<HTMLSelectElement>('run-package').selectedOptions[0]?.textContent;

test('who comes from a package may still choose another one', async () => {
  const { app, user } = await inTheProject();
  const [first, second] = app.store.getState().packages ?? [];
  if (!first || !second) throw new Error('there are two packages');
  act(() => newRun(app, second.packageId));
  await screen.findByTestId('run-package');
  expect(shownPackage()).toBe(`${second.name} ${second.version}`);
  await user.selectOptions(screen.getByTestId('run-package'), first.packageId);
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
