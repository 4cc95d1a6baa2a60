import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { SessionCommand } from '../bridge/wire';
import { loadEverything, loadSettings } from '../state/load';
import { enterProject } from '../state/projects';
import { makeApp, recordingBridge, showIn } from '../test/render';
import { Root } from './app';
import { SkillsSection } from './skills';
import { SkillsAtWork } from './skills-at-work';

// Dialogs are slow to come in a browser that is none.
vi.setConfig({ testTimeout: 30_000 });

async function opened(scenario = 'skills') {
  const { bridge, commands } = recordingBridge(scenario);
  const app = makeApp(bridge);
  showIn(app, <Root />);
  await screen.findByTestId('start-screen');
  await loadEverything(app);
  await enterProject(app, 'p-notes');
  await screen.findByTestId('talk-switch');
  const told = () =>
    commands.flatMap((it): SessionCommand[] => (it.type === 'session' ? [it.command] : []));
  return { app, told, user: userEvent.setup() };
}

async function menu(scenario?: string) {
  const it = await opened(scenario);
  await it.user.click(screen.getByTestId('skills-button'));
  await screen.findByTestId('skills-popover');
  return it;
}

const row = async (name: string) => {
  const found = (await screen.findAllByTestId('skill-row')).find((it) => it.dataset.name === name);
  if (!found) throw new Error(`There is no skill ${name}.`);
  return within(found);
};
const chips = () => screen.queryAllByTestId('skill-chip').map((it) => it.dataset.name);
const chip = (name: string) => {
  const found = screen.getAllByTestId('skill-chip').find((it) => it.dataset.name === name);
  if (!found) throw new Error(`${name} is not at work.`);
  return within(found);
};

test('each skill says what it is for, where it lies, and what is to be known before', async () => {
  await menu();
  const pdf = (await row('pdf')).getByTestId('skill-activate');
  expect(pdf).toHaveAccessibleName('Activate the skill pdf');
  expect(pdf).toHaveAccessibleDescription(/~\/\.claude\/skills\/pdf/);
  expect(pdf).toHaveAccessibleDescription(/Reads PDF files.*Its scripts are not run here/);
  expect((await row('deploy')).getByText('Only you activate it')).toBeVisible();
  expect((await row('house-style')).getByText(/Something is wrong with it/)).toBeVisible();
  expect((await row('house-style')).getByText(/⟨U\+202E⟩/)).toBeVisible();
  expect((await row('story-voice')).getByText('@pkg/assets/story-voice')).toBeVisible();
  expect((await row('story-voice')).getByText('For analyst, writer only')).toBeVisible();
  expect((await row('changelog')).queryByTestId('skill-scripts')).toBeNull();
});

test('a press activates one, and two in a row activate it once', async () => {
  const { app, user, told } = await menu();
  await user.dblClick((await row('pdf')).getByTestId('skill-activate'));
  await waitFor(() => expect(chips()).toEqual(['pdf']));
  expect(told()).toEqual([{ type: 'activateSkill', name: 'pdf' }]);
  await waitFor(() => expect(screen.queryByTestId('skills-popover')).toBeNull());
  expect(app.store.getState().conversation.items.at(-1)?.body).toMatchObject({
    kind: 'skill_began',
  });
  await waitFor(() => expect(screen.getByTestId('composer-input')).toHaveFocus());
  expect(screen.getByTestId('skills-button')).toHaveAccessibleName('Skills: 1 is at work');
});

test('one at work is marked and ended where it is listed, and the list stays', async () => {
  const { user, told } = await menu('skills-at-work');
  const pdf = await row('pdf');
  expect(pdf.getByText('At work')).toBeVisible();
  expect(pdf.queryByTestId('skill-activate')).toBeNull();
  await user.click(pdf.getByRole('button', { name: 'End the skill pdf' }));
  await waitFor(() => expect(chips()).toEqual(['changelog', 'house-style']));
  expect((await row('pdf')).getByTestId('skill-activate')).toHaveFocus();
  expect(told()).toEqual([{ type: 'endSkill', name: 'pdf' }]);
});

test('a refusal is shown where failures are, and the list is closed', async () => {
  const { user } = await menu('skills-refused');
  await user.click((await row('pdf')).getByTestId('skill-activate'));
  expect(await screen.findByTestId('failure')).toHaveTextContent(
    '5 skills are at work, and no more can be',
  );
  await waitFor(() => expect(screen.queryByTestId('skills-popover')).toBeNull());
  expect(chips()).toEqual([]);
});

test('while somebody works nothing begins and nothing ends, and it is said why', async () => {
  const { user, told } = await menu('skills-working');
  expect(await screen.findByTestId('skills-later')).toHaveTextContent(/^Somebody is at work\./);
  const take = (await row('changelog')).getByTestId('skill-activate');
  expect(take).toHaveAttribute('aria-disabled', 'true');
  await user.click(take);
  await user.click((await row('pdf')).getByTestId('skill-end'));
  const end = chip('pdf').getByTestId('skill-chip-end');
  expect(end).toHaveAttribute('title', expect.stringMatching(/^Somebody is at work\./));
  await user.click(end);
  expect(told()).toEqual([]);
});

test('where there are none, it is said where to put them', async () => {
  await menu('skills-none');
  expect(await screen.findByTestId('skills-none')).toHaveTextContent('.agents/skills');
  expect(screen.queryByTestId('skills-unusable')).toBeNull();
});

test('folders that cannot be used are one line that leads to the settings', async () => {
  const { app, user } = await menu('skills-unusable');
  expect(await screen.findByTestId('skills-none')).toBeVisible();
  await user.click(screen.getByText(/^2 folders cannot be used/));
  expect(await screen.findAllByTestId('unusable-skill')).toHaveLength(2);
  await waitFor(() => expect(app.store.getState().settingsSection).toBeNull());
});

test('many of them are searched', async () => {
  const { user } = await menu('skills-many');
  await row('topic-24');
  await user.type(screen.getByTestId('skills-search'), 'Topic 24');
  await waitFor(() => expect(screen.getAllByTestId('skill-row')).toHaveLength(1));
  await user.type(screen.getByTestId('skills-search'), ' nothing');
  expect(await screen.findByText('No skill found by these words')).toBeVisible();
});

test('what cannot be read says why', async () => {
  await menu('skills-unread');
  const popover = within(screen.getByTestId('skills-popover'));
  expect(await popover.findByTestId('failure')).toHaveAttribute('data-code', 'STORE_READ_FAILED');
});

test('switched off, there is no way to them in a conversation', async () => {
  const { app } = await opened();
  expect(screen.getByTestId('skills-button')).toBeVisible();
  await app.bridge.submit({ type: 'configure', patch: { tools: { skillsEnabled: false } } });
  await act(() => loadSettings(app));
  expect(screen.queryByTestId('skills-button')).toBeNull();
});

test('a skill at work says which tools are left and what does not work, and is ended by its ✕', async () => {
  const { user, told } = await opened('skills-at-work');
  await waitFor(() => expect(chips()).toEqual(['pdf', 'changelog', 'house-style']));
  const more = chip('changelog').getByTestId('skill-more');
  expect(more).toHaveAttribute(
    'title',
    expect.stringContaining('only these are left: fs_read, fs_search.'),
  );
  await user.click(chip('house-style').getByTestId('skill-more'));
  const words = await screen.findByTestId('skill-told');
  expect(words).toHaveTextContent('No tools for files, servers and sub-agents are left.');
  expect(words).toHaveTextContent('It names tools that there are none of here: Bash, WebFetch.');
  await user.keyboard('{Escape}');
  await user.click(chip('pdf').getByRole('button', { name: 'End the skill pdf' }));
  await waitFor(() => expect(chips()).toEqual(['changelog', 'house-style']));
  expect(screen.getByTestId('composer-input')).toHaveFocus();
  expect(told()).toEqual([{ type: 'endSkill', name: 'pdf' }]);
});

test('what does not work is said in the language of the reader', async () => {
  const { bridge } = recordingBridge('skills-at-work');
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  showIn(app, <SkillsAtWork />, 'zh');
  await waitFor(() => expect(chips()).toHaveLength(3));
  const user = userEvent.setup();
  await user.click(chip('pdf').getByTestId('skill-more'));
  const words = await screen.findByTestId('skill-told');
  expect(words).toHaveTextContent('scripts/fill_form.py');
  expect(words).not.toHaveTextContent('which are not run');
});

async function section(scenario = 'skills', project = true) {
  const { bridge } = recordingBridge(scenario);
  const reads = vi.spyOn(bridge, 'query');
  const app = makeApp(bridge);
  await loadSettings(app);
  if (project) await enterProject(app, 'p-notes');
  app.store.setState({ screen: 'settings', behind: project ? 'workspace' : 'start' });
  showIn(app, <SkillsSection />);
  await waitFor(() => expect(screen.queryByText('Reading the skills…')).toBeNull());
  const readings = () => reads.mock.calls.filter(([query]) => query.type === 'skills').length;
  return { app, readings, user: userEvent.setup() };
}

test('the settings list those of the project and of the home folder, and what is wrong', async () => {
  const { user, readings } = await section();
  const names = screen.getAllByTestId('skill').map((it) => it.dataset.name);
  expect(names).toEqual(['changelog', 'deploy', 'house-style', 'pdf']);
  expect(screen.getByText('In the project release-notes')).toBeVisible();
  expect(screen.getByText('In your home folder')).toBeVisible();
  expect(screen.getByText('Has scripts')).toBeVisible();
  expect(screen.getByText('Only you activate it')).toBeVisible();
  expect(screen.getByTestId('skill-warning')).toHaveTextContent('It calls itself style');
  const [first, second] = screen.getAllByTestId('unusable-skill');
  expect(first).toHaveTextContent('@project/.claude/skills/old-notes');
  expect(first).toHaveTextContent('The SKILL.md has no description');
  expect(first).toHaveTextContent('Say in description what the skill does');
  expect(second).toHaveTextContent('There is a skill of the same name');
  const before = readings();
  await user.click(screen.getByTestId('skills-again'));
  expect(readings()).toBe(before + 1);
  act(() => void window.dispatchEvent(new Event('focus')));
  await waitFor(() => expect(readings()).toBe(before + 2));
});

test('without a project those of the home folder are listed alone', async () => {
  await section('skills', false);
  const names = screen.getAllByTestId('skill').map((it) => it.dataset.name);
  expect(names).toEqual(['house-style', 'pdf']);
  expect(screen.queryByText(/In the project/)).toBeNull();
  expect(screen.getAllByTestId('unusable-skill')).toHaveLength(1);
});

test('where there are none, the settings say where to put them', async () => {
  await section('skills-none');
  expect(screen.getByTestId('skills')).toHaveTextContent('No skills yet');
  expect(screen.getByTestId('skills')).toHaveTextContent(
    'Put skills into .agents/skills of the project or of your home folder.',
  );
});

test('the settings say why they could not be read, and that they are switched off', async () => {
  const { app } = await section('skills-unread');
  expect(screen.getByTestId('failure')).toHaveAttribute('data-code', 'STORE_READ_FAILED');
  await app.bridge.submit({ type: 'configure', patch: { tools: { skillsEnabled: false } } });
  await act(() => loadSettings(app));
  expect(screen.getByText(/is switched off above/)).toBeVisible();
});
