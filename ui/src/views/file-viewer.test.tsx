import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Failure, FileView } from '../bridge/wire';
import type { Lang } from '../i18n';
import { openFile, readFile } from '../state/files';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { follow } from '../state/snapshot';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Changes } from './changes';
import { Dock } from './dock';
import { FileViewer } from './file-viewer';

/** The list of changes and the file that is opened from it. */
async function opened(lang: Lang = 'en') {
  const { bridge, commands } = recordingBridge('completed');
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  await openConversation(app, 'c-current');
  const stop = follow(app, 'snapshot');
  showIn(
    app,
    <main>
      <Changes />
      <FileViewer beside={false} />
    </main>,
    lang,
  );
  await waitFor(() => expect(screen.getAllByTestId('change')).toHaveLength(5));
  stop();
  return { app, bridge, commands, user: userEvent.setup() };
}

const row = (name: string) => {
  const found = screen.getAllByTestId('change').find((it) => it.textContent?.includes(name));
  if (!found) throw new Error(`no ${name}`);
  return found;
};

test('a changed file opens with what differs, and can be read as it is', async () => {
  const { user } = await opened();
  await user.click(row('README.md'));
  expect(await screen.findByTestId('file-diff')).toHaveAttribute('aria-pressed', 'true');
  const viewer = screen.getByTestId('file-viewer');
  expect(viewer).toHaveFocus();
  expect(viewer).toHaveTextContent('changed since by someone else');
  await user.click(screen.getByTestId('file-preview'));
  expect(screen.getByRole('heading', { name: 'Garden page' })).toBeVisible();
});

test('a changed file is put back after a second look, as it was seen', async () => {
  const { user, commands, app } = await opened();
  await user.click(row('README.md'));
  await user.click(await screen.findByTestId('file-put-back'));
  const dialog = await screen.findByTestId('put-back-dialog');
  expect(dialog).toHaveTextContent('The file returns to what it was before this run.');
  expect(dialog).toHaveTextContent(
    'Someone else has changed it since. Those changes are undone, too.',
  );
  // The second of two clicks puts nothing back.
  const confirm = screen.getByTestId('put-back-confirm');
  expect(confirm).toBeDisabled();
  await user.click(confirm);
  expect(commands).toEqual([]);
  await waitFor(() => expect(confirm).toBeEnabled(), { timeout: 2000 });
  await user.click(confirm);
  await waitFor(() => expect(screen.queryByTestId('put-back-dialog')).toBeNull());
  expect(commands).toEqual([
    {
      type: 'session',
      conversationId: 'c-current',
      command: { type: 'putBack', path: '@project/README.md', sha256: 'a'.repeat(64) },
    },
  ]);
  expect(app.store.getState().conversation.items.at(-1)?.body).toMatchObject({ kind: 'put_back' });
});

test('a file that cannot be put back stays, and why is told', async () => {
  const { user, bridge } = await opened();
  const failure: Failure = { code: 'E_PRECONDITION_FAILED', message: 'It is another one by now.' };
  const submit = bridge.submit.bind(bridge);
  bridge.submit = async (command) =>
    command.type === 'session' ? { ok: false, failure } : submit(command);
  await user.click(row('README.md'));
  await user.click(await screen.findByTestId('file-put-back'));
  const confirm = await screen.findByTestId('put-back-confirm');
  await waitFor(() => expect(confirm).toBeEnabled(), { timeout: 2000 });
  await user.click(confirm);
  expect(await within(screen.getByTestId('put-back-dialog')).findByRole('alert')).toHaveTextContent(
    'It is another one by now.',
  );
});

test('what nobody knows any more cannot be put back', async () => {
  const { user } = await opened('zh');
  await user.click(row('draft.md'));
  await screen.findByTestId('file-viewer');
  expect(screen.queryByTestId('file-put-back')).toBeNull();
});

test('an opened file is shown in its folder, and opened in its program where nothing can run it', async () => {
  const { user, commands } = await opened();
  await user.click(row('README.md'));
  await user.click(await screen.findByRole('button', { name: 'Show in its folder' }));
  await user.click(screen.getByRole('button', { name: 'Open in its program' }));
  const file = { conversationId: 'c-current', path: '@project/README.md' };
  expect(commands).toEqual([
    { type: 'openOutside', ...file, openIn: 'folder' },
    { type: 'openOutside', ...file, openIn: 'program' },
  ]);
  await user.click(screen.getByTestId('file-close'));
  // What is not there can be shown nowhere.
  await user.click(row('draft.md'));
  await screen.findByText('What was in it is not known');
  expect(screen.queryByTestId('file-open-folder')).toBeNull();
});

test('a file that no program opens says so where it lies', async () => {
  const { app, user } = await opened();
  await user.click(row('README.md'));
  const failure: Failure = { code: 'NOT_OPENED', message: 'no program opened @project/README.md' };
  app.bridge.submit = async () => ({ ok: false, failure });
  await user.click(await screen.findByTestId('file-open-program'));
  const viewer = within(screen.getByTestId('file-viewer'));
  expect(await viewer.findByText(/no program opened/)).toBeVisible();
  expect(viewer.getByTestId('file-open-program')).toBeEnabled();
});

test('a new file opens as it reads', async () => {
  const { user } = await opened();
  await user.click(row('story.md'));
  expect(await screen.findByRole('heading', { name: 'Export as CSV' })).toBeVisible();
  expect(row('story.md')).toHaveAttribute('aria-current', 'true');
});

/** Opens a file that holds this text. */
async function openedText(path: string, text: string) {
  const { app, bridge, ...rest } = await opened();
  const query = bridge.query;
  bridge.query = (async (asked: Parameters<typeof query>[0]) => {
    if (asked.type !== 'file') return query(asked);
    const now = { kind: 'text', text, bytes: text.length, cut: false };
    return { ok: true, value: { path, now, isDocument: true } };
  }) as typeof query;
  await act(() => openFile(app, path));
  return rest;
}

test('the source of a file has colours', async () => {
  const { user } = await opened();
  await user.click(row('story.md'));
  await user.click(await screen.findByTestId('file-source'));
  const code = await screen.findByTestId('code', {}, { timeout: 5000 });
  const headings = () => [...code.querySelectorAll('.tok-heading')].map((it) => it.textContent);
  await waitFor(() => expect(headings()).toContain(' Export as CSV'));
});

test('lines that are too long for an editor are shown all the same', async () => {
  await openedText('@project/a.json', `["${'x'.repeat(6000)}"]\n[]\n`);
  expect(await screen.findByTestId('whole-diff')).toHaveAttribute('aria-label', 'Source');
  expect(screen.queryByTestId('code')).toBeNull();
});

test.each([
  ['notes.md', 'No text (47.1 KiB)'],
  ['draft.md', 'What was in it is not known'],
])('%s has no text to show, and that is said', async (name, words) => {
  const { user } = await opened();
  await user.click(row(name));
  expect(await screen.findByText(words)).toBeVisible();
});

test('Esc closes the file and leads back to where one was', async () => {
  const { user } = await opened();
  await user.click(row('story.md'));
  await screen.findByTestId('file-source');
  await user.keyboard('{Escape}');
  expect(screen.queryByTestId('file-viewer')).toBeNull();
  expect(row('story.md')).toHaveFocus();
});

test('a file that cannot be read says why, and can be tried again', async () => {
  const { app, bridge, user } = await opened();
  const query = bridge.query;
  const failure = { code: 'STORE_READ_FAILED', message: 'the checkpoint is damaged' } as const;
  bridge.query = async () => ({ ok: false, failure });
  await openFile(app, '@project/README.md');
  expect(await screen.findByTestId('failure')).toBeVisible();
  bridge.query = query;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByTestId('file-diff')).toBeVisible();
});

test('an answer about a file that is not open any more is dropped', async () => {
  const { app, bridge } = await opened();
  const query = bridge.query;
  let answer: () => void = () => undefined;
  bridge.query = (async (asked: Parameters<typeof query>[0]) => {
    if (asked.type === 'file' && asked.path.endsWith('README.md')) {
      await new Promise<void>((done) => {
        answer = done;
      });
    }
    return query(asked);
  }) as typeof query;
  const first = openFile(app, '@project/README.md');
  await openFile(app, '@project/artifacts/create-story/story.md');
  answer();
  await first;
  await readFile(app);
  const { file } = app.store.getState();
  const shown = file?.view?.ok ? (file.view.value as FileView).path : null;
  expect(shown).toBe('@project/artifacts/create-story/story.md');
});

test('in Chinese', async () => {
  const { user } = await opened('zh');
  await user.click(row('README.md'));
  expect(await screen.findByTestId('file-diff')).toHaveTextContent('改动');
});

/** A question that can be answered, and a file that was opened since. */
async function openedAtQuestion(beside: boolean) {
  const { bridge, commands } = recordingBridge('approval');
  const app = makeApp(bridge);
  openConversation(app, 'c-current');
  await waitFor(() => expect(app.store.getState().conversation.status).not.toBeNull());
  showIn(
    app,
    <>
      <Dock />
      <FileViewer beside={beside} />
    </>,
  );
  const user = userEvent.setup();
  await waitFor(() => expect(document.querySelector('[data-armed=ready]')).not.toBeNull());
  await act(() => openFile(app, '@project/README.md'));
  return { user, commands };
}

test('a question beside a file stays in sight', async () => {
  const { user } = await openedAtQuestion(true);
  expect(screen.queryByTestId('file-waits')).toBeNull();
  expect(document.querySelector('[data-armed=ready]')).not.toBeNull();
  await user.keyboard('{Escape}');
  expect(screen.queryByTestId('file-viewer')).toBeNull();
});

test('while a file lies over a question, no key answers it', async () => {
  const { user, commands } = await openedAtQuestion(false);
  expect(screen.getByTestId('file-waits')).toBeVisible();
  expect(document.querySelector('[data-armed=ready]')).toBeNull();
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(commands).toEqual([]);
  await user.keyboard('{Escape}');
  expect(screen.queryByTestId('file-viewer')).toBeNull();
  expect(commands).toEqual([]);
});
