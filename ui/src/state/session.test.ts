import { expect, test, vi } from 'vitest';
import { fakeBridge } from '../bridge/fake';
import { enterProject, loadProjects } from './actions';
import { rememberPlace, returnToPlace } from './session';
import { makeApp } from './store';

async function aWindow() {
  const app = makeApp(fakeBridge('completed'));
  await loadProjects(app);
  return app;
}

test('a reload leads back to the open conversation', async () => {
  const before = await aWindow();
  const stop = rememberPlace(before);
  await enterProject(before, 'p-notes', 'c-failed');
  stop();
  const after = await aWindow();
  await returnToPlace(after);
  expect(after.store.getState()).toMatchObject({
    screen: 'workspace',
    projectId: 'p-notes',
    conversationId: 'c-failed',
  });
});

test('a conversation that is gone is passed over, and a window on Start stays there', async () => {
  sessionStorage.setItem(
    'crewagent.open',
    JSON.stringify({ projectId: 'p-notes', conversationId: 'c-gone' }),
  );
  const app = await aWindow();
  await returnToPlace(app);
  expect(app.store.getState().screen).toBe('workspace');
  expect(app.store.getState().conversationId).not.toBe('c-gone');

  const stop = rememberPlace(app);
  app.store.setState({ screen: 'start' });
  app.store.setState({ screen: 'workspace' });
  app.store.setState({ screen: 'start' });
  stop();
  const again = await aWindow();
  await returnToPlace(again);
  expect(again.store.getState().screen).toBe('start');
});

test('what the window kept may be nothing or nonsense', async () => {
  const app = await aWindow();
  for (const text of ['{', '7', '{"projectId":7}', '{"projectId":"p-unknown"}']) {
    sessionStorage.setItem('crewagent.open', text);
    await returnToPlace(app);
    expect(app.store.getState().screen).toBe('start');
  }
  const broken = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('denied');
  });
  await returnToPlace(app);
  broken.mockRestore();
  expect(app.store.getState().screen).toBe('start');
});
