import { expect, test } from 'vitest';
import type { Query } from '../bridge/wire';
import { inCurrent, makeApp, recordingBridge } from '../test/render';
import { go } from './actions';
import { enterProject } from './projects';
import {
  activateSkill,
  endSkill,
  goToSkills,
  loadSkills,
  skillsAtWork,
  skillsHere,
} from './skills';

async function opened(scenario = 'skills') {
  const { bridge, commands } = recordingBridge(scenario);
  const asked: Query[] = [];
  const { query } = bridge;
  bridge.query = (what) => {
    asked.push(what);
    return query(what);
  };
  const app = makeApp(bridge);
  await enterProject(app, 'p-notes');
  // The first frame comes a moment later.
  await new Promise((done) => setTimeout(done, 5));
  const view = () => app.store.getState();
  const names = () => skillsAtWork(view()).map(({ name }) => name);
  const last = () => asked.findLast(({ type }) => type === 'skills');
  return { app, commands, view, names, last };
}

test('they are asked for with the package of who works, and in the settings without', async () => {
  const { app, view, last } = await opened();
  await loadSkills(app);
  const packageId = view().conversation.status?.run?.packageId;
  expect(packageId).toBeTruthy();
  expect(last()).toEqual({ type: 'skills', projectId: 'p-notes', packageId });
  goToSkills(app);
  expect(view().settingsSection).toBe('skills');
  // What was read of another place is not shown here.
  expect(skillsHere(view())).toBeNull();
  await loadSkills(app);
  expect(last()).toEqual({ type: 'skills', projectId: 'p-notes', packageId: null });
  expect(skillsHere(view())).toMatchObject({ ok: true });
  go(app, 'start');
  go(app, 'settings');
  await loadSkills(app);
  expect(last()).toEqual({ type: 'skills', projectId: null, packageId: null });
});

test('an answer about a place that was left is not taken', async () => {
  const { app, view } = await opened();
  const read = loadSkills(app);
  go(app, 'settings');
  await read;
  expect(view().skills).toBeNull();
});

test('one begins and ends, one after the other, and is submitted once', async () => {
  const { app, commands, names, view } = await opened();
  commands.length = 0;
  const results = await Promise.all([activateSkill(app, 'pdf'), activateSkill(app, 'pdf')]);
  expect(results).toEqual([true, false]);
  expect(names()).toEqual(['pdf']);
  expect(await endSkill(app, 'pdf')).toBe(true);
  expect(names()).toEqual([]);
  expect(commands).toEqual([
    inCurrent({ type: 'activateSkill', name: 'pdf' }),
    inCurrent({ type: 'endSkill', name: 'pdf' }),
  ]);
  expect(view().busy.size).toBe(0);
});

test('what is refused is shown, and nothing is at work then', async () => {
  const { app, names, view } = await opened('skills-refused');
  expect(await activateSkill(app, 'pdf')).toBe(false);
  expect(view().failure).toMatchObject({ code: 'NOT_NOW' });
  expect(names()).toEqual([]);
  expect(await endSkill(app, 'pdf')).toBe(false);
  expect(view().failure).toMatchObject({ code: 'SKILL_NOT_FOUND' });
});

test('while somebody works the program refuses both', async () => {
  const { app, names, view } = await opened('skills-working');
  expect(await endSkill(app, 'pdf')).toBe(false);
  expect(view().failure).toMatchObject({ code: 'RUN_BUSY' });
  expect(names()).toEqual(['pdf']);
});
