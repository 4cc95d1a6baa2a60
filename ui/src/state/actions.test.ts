import { expect, test, vi } from 'vitest';
import { inCurrent, recordingBridge } from '../test/render';
import { acceptAnyway, resume, say } from './actions';
import { openConversation, showEarlier } from './opening';
import { enterProject, playDemo } from './projects';
import { isLatestResumable } from './select';
import { makeApp } from './store';

test('entering a project opens its newest run', async () => {
  const app = makeApp(recordingBridge('completed').bridge);
  await enterProject(app, 'p-notes');
  await vi.waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  expect(app.store.getState()).toMatchObject({ screen: 'workspace', conversationId: 'c-current' });
});

test('words are shown at once, and once only when the runtime has recorded them', async () => {
  const app = makeApp(recordingBridge('completed').bridge);
  openConversation(app, 'c-current');
  await vi.waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const sending = say(app, 'One more thing');
  expect(app.store.getState().echo).toBe('One more thing');
  expect(await sending).toBe(true);
  const { echo, conversation } = app.store.getState();
  expect(echo).toBeNull();
  const said = conversation.items.filter(
    (i) => i.body.type === 'message' && i.body.text === 'One more thing',
  );
  expect(said).toHaveLength(1);
});

test('words that are refused are not shown as said', async () => {
  const { bridge } = recordingBridge('completed');
  const failure = { code: 'NOT_NOW' as const, message: 'The run is working.' };
  const app = makeApp({ ...bridge, submit: async () => ({ ok: false, failure }) });
  openConversation(app, 'c-current');
  expect(await say(app, 'hello')).toBe(false);
  expect(app.store.getState()).toMatchObject({ echo: null, failure });
});

test('frames of a conversation that was left do not reach the one that is open', async () => {
  const app = makeApp(recordingBridge('completed').bridge);
  openConversation(app, 'c-done');
  openConversation(app, 'c-failed');
  await vi.waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const kinds = app.store
    .getState()
    .conversation.items.map((i) => (i.body.type === 'notice' ? i.body.kind : ''));
  expect(kinds).toContain('model_error');
  expect(kinds).not.toContain('completed');
});

test('earlier pages are read one by one until there is none', async () => {
  const app = makeApp(recordingBridge('paged').bridge);
  openConversation(app, 'c-current');
  await vi.waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const shown = () => app.store.getState().conversation;
  expect(shown().items).toHaveLength(100);
  // Asking twice at once is asking once.
  await Promise.all([showEarlier(app), showEarlier(app)]);
  expect(shown().items).toHaveLength(200);
  await showEarlier(app);
  await showEarlier(app);
  expect(shown().items).toHaveLength(350);
  expect(shown().earlier).toBeNull();
  await showEarlier(app);
  const places = shown().items.map((item) => item.seq);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('a page that comes after the person went elsewhere is not shown there', async () => {
  const app = makeApp(recordingBridge('paged').bridge);
  openConversation(app, 'c-current');
  await vi.waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const reading = showEarlier(app);
  openConversation(app, 'c-done');
  await reading;
  await vi.waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  expect(app.store.getState().conversation.items.length).toBeLessThan(100);
});

test('only the latest notice offers to resume, and not while the run works', async () => {
  const { bridge, commands } = recordingBridge('interrupted');
  const app = makeApp(bridge);
  openConversation(app, 'c-current');
  await vi.waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  const last = app.store.getState().conversation.items.at(-1)?.id ?? '';
  expect(isLatestResumable(app.store.getState().conversation, last)).toBe(true);
  await resume(app);
  expect(commands).toEqual([inCurrent({ type: 'resume' })]);
  expect(isLatestResumable(app.store.getState().conversation, last)).toBe(false);
});

test('the demo opens its own project and conversation', async () => {
  const app = makeApp(recordingBridge('empty').bridge);
  await playDemo(app);
  expect(app.store.getState()).toMatchObject({
    screen: 'workspace',
    projectId: 'p-notes',
    conversationId: 'c-demo',
  });
});

test('the list is read again when what a run waits for is another, though it waits as before', async () => {
  const app = makeApp(recordingBridge('decision').bridge);
  await enterProject(app, 'p-notes');
  const judged = () =>
    app.store
      .getState()
      .conversation.items.findLast(({ body }) => body.type === 'decision' && body.rejected);
  await vi.waitFor(() => expect(judged()).toBeDefined());
  const query = vi.spyOn(app.bridge, 'query');
  await acceptAnyway(app, judged()?.id ?? '');
  await vi.waitFor(() =>
    expect(query.mock.calls.map(([asked]) => asked.type)).toContain('conversations'),
  );
});
