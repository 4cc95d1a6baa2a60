import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { goodReport } from '../bridge/fake/data';
import type { ProjectView } from '../bridge/wire';
import { configure, inspect } from '../state/actions';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Root } from './app';
import { joinPath } from './new-project';

async function open(scenario: string) {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  showIn(app, <Root />);
  await screen.findByTestId('start-screen');
  return { app, commands, user: userEvent.setup() };
}

test('on the first start the demo is the first thing to do, beside the models of this computer', async () => {
  const { user, commands } = await open('empty');
  expect(await screen.findByTestId('play-demo')).toHaveAttribute('data-kind', 'primary');
  const card = screen.getByTestId('start-model');
  await user.click(await within(card).findByTestId('use-ollama'));
  expect(commands).toMatchObject([{ type: 'configure', patch: { model: { provider: 'ollama' } } }]);
  // What was found is chosen: it is asked for real, and told in words.
  await user.click(await within(card).findByTestId('test-connection'));
  expect(await within(card).findByTestId('model-test-result')).toHaveTextContent('Answers');
});

test('whoever has worked here finds their projects first, and the demo no more in front', async () => {
  await open('start');
  await screen.findAllByTestId('recent-project');
  expect(screen.queryByTestId('start-model')).toBeNull();
  expect(screen.getByTestId('play-demo')).toHaveAttribute('data-kind', 'plain');
});

test('a name that is no setting is told with the way to the settings and to their file', async () => {
  const { user } = await open('misnamed-settings');
  await screen.findByText(/“approval\.write”/);
  await user.click(screen.getByText('Open settings'));
  await screen.findByTestId('settings-screen');
  expect(screen.getByTestId('failure')).toHaveTextContent('settings.json');
  expect(screen.getByTestId('settings-file')).toHaveTextContent('/data/crewagent/settings.json');
});

test('each start says what cannot be read of the settings, and that the strictest value holds', async () => {
  const { app, user } = await open('broken-settings');
  const bar = await screen.findByText(/approval\.writes/);
  expect(bar.closest('.failure-bar')).toHaveTextContent('the strictest value is used');
  await configure(app, { appearance: { language: 'zh' } });
  await waitFor(() =>
    expect(document.querySelector('.failure-bar')).toHaveTextContent('取最严格的值'),
  );
  await user.click(screen.getByText('知道了'));
  expect(await app.bridge.query({ type: 'settings' })).toMatchObject({
    value: { settings: { approval: { writes: 'ask' } }, problems: [{ code: 'SETTING_INVALID' }] },
  });
  await configure(app, { approval: { writes: 'auto' } });
  expect(app.store.getState().settings?.problems).toEqual([]);
});

test('a project whose folder is gone can be found again or forgotten', async () => {
  const { user, commands } = await open('start');
  const rows = await screen.findAllByTestId('recent-project');
  expect(rows.map((row) => row.dataset.missing ?? 'false')).toEqual(['false', 'false', 'true']);
  await user.click(screen.getByTestId('forget-project'));
  await waitFor(() => expect(screen.getAllByTestId('recent-project')).toHaveLength(2));
  expect(commands).toEqual([{ type: 'forgetProject', projectId: 'p-gone' }]);
});

test('a project whose folder went while the window was open is offered to be found', async () => {
  const { bridge } = recordingBridge('start');
  const gone = new Set<string>();
  const app = makeApp({
    ...bridge,
    async submit(command) {
      if (command.type !== 'openProject') return bridge.submit(command);
      gone.add(command.path);
      return { ok: false, failure: { code: 'PROJECT_ROOT_INVALID', message: 'it is not there' } };
    },
    async query(query) {
      const answered = await bridge.query(query);
      if (query.type !== 'projects' || !answered.ok) return answered;
      const seen = (p: ProjectView) => ({ ...p, exists: p.exists && !gone.has(p.location) });
      const value = (answered.value as ProjectView[]).map(seen);
      return { ...answered, value: value as typeof answered.value };
    },
  });
  showIn(app, <Root />);
  const rows = await screen.findAllByTestId('recent-project');
  await userEvent.setup().click(rows[0] as HTMLElement);
  expect(await screen.findByTestId('failure')).toHaveTextContent('PROJECT_ROOT_INVALID');
  await waitFor(() => expect(screen.getAllByTestId('locate-project')).toHaveLength(2));
});

test('a folder that is not the missing project is not opened as something else', async () => {
  const { user, commands } = await open('start');
  await user.click(await screen.findByTestId('locate-project'));
  const dialog = await screen.findByTestId('project-mismatch');
  expect(dialog).toHaveTextContent('audit-2025');
  expect(dialog).toHaveTextContent('/projects');
  const rebind = { type: 'rebindProject', projectId: 'p-gone', path: '/projects' };
  expect(commands).toEqual([{ ...rebind, adopt: false }]);
  await user.click(screen.getByTestId('project-use-it'));
  await screen.findByTestId('workspace');
  expect(commands.at(-1)).toEqual({ ...rebind, adopt: true });
});

test.each([
  ['copy', 'project-is-copy'],
  ['moved', 'project-is-moved'],
])('a copied project is opened as what the person says it is: %s', async (copied, button) => {
  const { user, commands } = await open('copied');
  await user.click(await screen.findByTestId('open-project'));
  const dialog = await screen.findByTestId('project-copied');
  expect(dialog).toHaveTextContent('/projects/notes copy');
  expect(dialog).toHaveTextContent('/projects/release-notes');
  await user.click(screen.getByTestId(button));
  await screen.findByTestId('workspace');
  expect(commands.at(-1)).toEqual({
    type: 'openCopiedProject',
    path: '/projects/notes copy',
    copied,
  });
  expect(screen.queryByTestId('project-copied')).toBeNull();
});

test.each([
  ['en', 'not found there now'],
  ['zh', '现在在那里找不到它'],
])(
  'a project that is not where it was is asked about before its runs come along: %s',
  async (lang, words) => {
    const { user, commands } = await open('moved');
    await user.click(await screen.findByTestId(`lang-${lang}`));
    await user.click(await screen.findByTestId('open-project'));
    const dialog = await screen.findByTestId('project-copied');
    expect(dialog).toHaveTextContent(words);
    expect(dialog).toHaveTextContent('/volumes/usb/audit-2025');
    await user.click(screen.getByTestId('project-is-moved'));
    await screen.findByTestId('workspace');
    expect(commands.at(-1)).toEqual({
      type: 'openCopiedProject',
      path: '/projects/audit moved',
      copied: 'moved',
    });
  },
);

const installsStory = {
  type: 'installPackage',
  path: '/downloads/story.bmad',
  contentHash: goodReport.contentHash,
};

test('packages that were opened outside are shown one after the other', async () => {
  const { user, commands } = await open('opened');
  await screen.findByTestId('permission-sheet');
  expect(screen.getByTestId('package-dialog')).toHaveTextContent('create-story');
  await waitFor(() => expect(screen.getByTestId('install')).toBeEnabled(), { timeout: 5_000 });
  await user.click(screen.getByTestId('install'));
  await screen.findByTestId('install-blocked');
  expect(screen.getByTestId('saved')).toHaveTextContent('Installed create-story');
  expect(commands).toEqual([installsStory]);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByTestId('package-dialog')).toBeNull());
});

test('the start says of the model only what is known', async () => {
  const { user } = await open('start');
  const tile = await screen.findByTestId('connect-model');
  await waitFor(() => expect(tile).toHaveTextContent('Set up: qwen3:14b · not tested'));
  await user.click(tile);
  await user.click(await screen.findByTestId('test-connection'));
  await screen.findByTestId('model-test-result');
  await user.click(screen.getByTestId('settings-back'));
  const again = await screen.findByTestId('connect-model');
  expect(again).toHaveTextContent('qwen3:14b works · calls tools · 41k');
});

test('a new project is the chosen folder and the name, and both are asked for', async () => {
  const { user, commands } = await open('start');
  await user.click(screen.getByTestId('new-project'));
  await user.click(await screen.findByTestId('create-project'));
  expect(screen.getAllByRole('alert')).toHaveLength(2);
  await user.type(screen.getByTestId('project-name'), 'a/b');
  expect(screen.getByTestId('project-name')).toHaveAccessibleDescription(/cannot hold/);
  await user.clear(screen.getByTestId('project-name'));
  await user.type(screen.getByTestId('project-name'), 'notes');
  await user.click(screen.getByTestId('choose-folder'));
  await user.click(screen.getByTestId('create-project'));
  await screen.findByTestId('workspace');
  expect(commands).toEqual([{ type: 'openProject', path: '/projects/notes', create: true }]);
});

test('a folder is joined the way it is written', () => {
  expect(joinPath('/home', 'x')).toBe('/home/x');
  expect(joinPath('/home/', 'x')).toBe('/home/x');
  expect(joinPath('C:\\work', 'x')).toBe('C:\\work\\x');
  expect(joinPath('C:\\', 'x')).toBe('C:\\x');
});

test('a package shows what it may do before it is installed', async () => {
  const { app, user, commands } = await open('start');
  await inspect(app, '/downloads/story.bmad');
  const sheet = await screen.findByTestId('permission-sheet');
  expect(sheet).toHaveTextContent('Says it writes to: artifacts/create-story/only declared');
  expect(sheet).toHaveTextContent('May use tools of these servers: tickets');
  expect(commands).toEqual([]);
  await waitFor(() => expect(screen.getByTestId('install')).toBeEnabled(), { timeout: 5_000 });
  await user.click(screen.getByTestId('install'));
  await waitFor(() => expect(screen.queryByTestId('package-dialog')).toBeNull());
  expect(commands).toEqual([installsStory]);
});

test('a package that is another one by the time of the click is not installed', async () => {
  const { app, user } = await open('start');
  await inspect(app, '/downloads/exchanged.bmad');
  await waitFor(() => expect(screen.getByTestId('install')).toBeEnabled(), { timeout: 5_000 });
  await user.click(await screen.findByTestId('install'));
  const failure = await screen.findByTestId('failure');
  expect(failure).toHaveTextContent('The package is no longer the one you were shown.');
  expect(screen.getByTestId('package-dialog')).toBeInTheDocument();
});

test('errors in a package name file, place and remedy, and prevent the install', async () => {
  const { app } = await open('start');
  await inspect(app, '/downloads/broken.bmad');
  const finding = await screen.findByTestId('finding-missing-file');
  expect(finding).toHaveTextContent('workflows/create-story/workflow.graph.json');
  expect(finding).toHaveTextContent('/nodes/2/file');
  expect(finding).toHaveTextContent('steps/step-03.md is not in the package');
  expect(within(finding).getByText('steps/step-03.md').tagName).toBe('CODE');
  expect(finding).toHaveTextContent('Add the file, or correct the path');
  expect(screen.getByTestId('finding-schema')).toHaveTextContent('The property persona is missing');
  expect(screen.queryByTestId('install')).toBeNull();
  expect(screen.getByTestId('install-blocked')).toHaveTextContent(
    '2 errors prevent the install. Copy them for the author.',
  );
});

test('findings, remedies and wider permissions are said in the language of the window', async () => {
  const { app, user } = await open('start');
  await user.click(await screen.findByTestId('lang-zh'));
  await screen.findByText('最近的项目');
  await inspect(app, '/downloads/story.bmad');
  const warning = await screen.findByTestId('finding-unreachable-node');
  expect(warning).toHaveTextContent('从入口没有路径到达节点 archive');
  expect(warning).toHaveTextContent('请添加一条到它的边，或删除它。');
  const dialog = screen.getByTestId('package-dialog');
  expect(dialog).toHaveTextContent('Theo 现在可以使用服务器 tickets 的工具');
  expect(dialog).not.toHaveTextContent('may now use');
  await inspect(app, '/downloads/broken.bmad');
  const error = await screen.findByTestId('finding-schema');
  expect(error).toHaveTextContent('缺少属性 persona');
  expect(error).toHaveTextContent('请添加属性 persona。');
});

test('a failure that belongs to no field is shown in words, and can be dismissed', async () => {
  const { app, user } = await open('start');
  app.store.setState({ failure: { code: 'STORE_WRITE_FAILED', message: 'The disk is full.' } });
  const box = await screen.findByTestId('failure');
  expect(box).toHaveTextContent('The disk is full.');
  expect(box).toHaveTextContent('Check free space');
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByTestId('failure')).toBeNull());
});

test('language and theme change the whole page at once', async () => {
  const { user } = await open('start');
  await user.click(await screen.findByTestId('lang-zh'));
  await screen.findByText('最近的项目');
  expect(document.documentElement.lang).toBe('zh-CN');
  await user.click(screen.getByTestId('theme-dark'));
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
});
