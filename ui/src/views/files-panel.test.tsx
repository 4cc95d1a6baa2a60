import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Lang } from '../i18n';
import { set } from '../state/ask';
import { openConversation } from '../state/opening';
import { enterProject } from '../state/projects';
import { FILES_HEIGHT } from '../state/store';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Conversation } from './conversation';
import { FilesSection } from './files-panel';

/** The files of a run's project beside its conversation. */
async function opened(lang: Lang = 'en') {
  const { bridge } = recordingBridge('completed');
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  await openConversation(app, 'c-current');
  set(app, { filesOpen: true });
  showIn(
    app,
    <>
      <FilesSection />
      <Conversation />
    </>,
    lang,
  );
  const panel = within(screen.getByTestId('files-panel'));
  await waitFor(() => expect(panel.getAllByTestId('file-row').length).toBeGreaterThan(0));
  return { app, panel, user: userEvent.setup() };
}

type Panel = Awaited<ReturnType<typeof opened>>['panel'];
const folder = (panel: Panel, name: string) => panel.getByRole('button', { name });
const names = (panel: Panel) =>
  panel.getAllByTestId(/^(file|folder)-row$/).map((row) => row.querySelector('.name')?.textContent);

test('the folders of a project come first, and open where they stand', async () => {
  const { panel, user } = await opened();
  expect(names(panel)).toEqual(['artifacts', 'docs', 'notes', 'src', 'README.md', 'notes.md']);
  await user.click(folder(panel, 'artifacts'));
  await user.click(await panel.findByRole('button', { name: 'create-story' }));
  await panel.findByText('story.md');
  expect(names(panel).slice(0, 4)).toEqual([
    'artifacts',
    'create-story',
    'checklist.md',
    'story.md',
  ]);
  await user.click(folder(panel, 'artifacts'));
  expect(panel.queryByText('story.md')).toBeNull();
});

test('a file says what the run did to it, and opens', async () => {
  const { app, panel, user } = await opened();
  const row = panel.getByText('README.md').closest('button') as HTMLElement;
  await waitFor(() => expect(row).toHaveTextContent('changed'));
  await user.click(row);
  expect(app.store.getState().file?.path).toBe('@project/README.md');
  expect(row).toHaveAttribute('aria-current', 'true');
});

test('a file is mentioned behind what the person wrote, once for each press', async () => {
  const { app, panel, user } = await opened();
  const composer = screen.getByTestId('composer-input');
  await user.type(composer, 'Look at');
  const mention = panel.getByRole('button', { name: 'Mention README.md in your message' });
  await user.click(mention);
  expect(composer).toHaveValue('Look at @README.md ');
  expect(composer).toHaveFocus();
  // A file that lies over the conversation goes.
  await user.click(panel.getByText('README.md'));
  expect(app.store.getState().file).not.toBeNull();
  await user.click(mention);
  expect(app.store.getState().file).toBeNull();
  expect(composer).toHaveValue('Look at @README.md @README.md ');
});

test('a file is dragged as its mention', async () => {
  const { panel, user } = await opened();
  await user.click(folder(panel, 'notes'));
  const row = (await panel.findByText('what sales said.md')).closest('button') as HTMLElement;
  const data = new Map<string, string>();
  const dataTransfer = {
    effectAllowed: 'none',
    setData: (type: string, text: string) => data.set(type, text),
  };
  fireEvent.dragStart(row, { dataTransfer });
  expect(data.get('text/plain')).toBe('@"notes/what sales said.md" ');
});

test('without a run there is nothing to show, in Chinese too', async () => {
  const { app } = await opened('zh');
  act(() => set(app, { conversationId: null }));
  expect(await screen.findByText('没有打开的运行')).toBeVisible();
});

test('the files are folded until somebody unfolds them, and as high as they are made', async () => {
  const { bridge } = recordingBridge('completed');
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  await openConversation(app, 'c-current');
  showIn(app, <FilesSection />);
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Files' });
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByTestId('files-panel')).toBeNull();
  await user.click(button);
  expect(button).toHaveAttribute('aria-expanded', 'true');
  await screen.findByText('README.md');
  const edge = screen.getByRole('separator', { name: 'Height of the files' });
  edge.focus();
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(app.store.getState().filesHeight).toBe(272);
  expect(edge).toHaveAttribute('aria-valuenow', '272');
  await user.keyboard('{Home}');
  expect(app.store.getState().filesHeight).toBe(FILES_HEIGHT.least);
  await user.click(button);
  expect(screen.queryByText('README.md')).toBeNull();
});

test('without a run the files say where they come from', () => {
  const { bridge } = recordingBridge('completed');
  const app = makeApp(bridge);
  set(app, { filesOpen: true });
  showIn(app, <FilesSection />);
  expect(screen.getByTestId('files-panel')).toHaveTextContent('No run is open');
});
