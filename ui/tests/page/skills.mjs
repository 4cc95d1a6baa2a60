// Skills: those there are, what is told before one is at work, and how one is ended.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

const SMALL = { width: 900, height: 600 };

const row = (page, name) => page.locator(`[data-testid=skill-row][data-name=${name}]`);
const chip = (page, name) => page.locator(`[data-testid=skill-chip][data-name=${name}]`);

const enter = async (page) => {
  await id(page, 'recent-project').click();
  await id(page, 'skills-button').waitFor();
};

const opened = async (page) => {
  await enter(page);
  await id(page, 'skills-button').click();
  await page.locator('.skills-menu').locator('li, [data-testid=skills-none]').first().waitFor();
};

const none = async (page) => {
  await enter(page);
  await id(page, 'skills-button').click();
  await id(page, 'skills-none').waitFor();
};

const told = (name) => async (page) => {
  await enter(page);
  await chip(page, name).getByTestId('skill-more').click();
  await id(page, 'skill-told').waitFor();
};

/** The section of the settings, out of a project. */
const section = async (page) => {
  await enter(page);
  await id(page, 'rail-settings').click();
  await id(page, 'settings-skills').click();
  await page
    .locator('#settings-skills :is([data-testid=skill], .empty, .failure)')
    .first()
    .waitFor();
  await page.locator('#settings-skills').evaluate((node) => node.scrollIntoView());
};

const end = async (page) => {
  await section(page);
  await id(page, 'unusable-skills').evaluate((node) => node.scrollIntoView({ block: 'end' }));
};

const off = async (page) => {
  await section(page);
  await id(page, 'skills-enabled').click();
  await page.locator('#settings-skills .caution').waitFor();
  await page.locator('#settings-skills').evaluate((node) => node.scrollIntoView());
};

const calls = async (page) => {
  await enter(page);
  for (const fold of await page.getByTestId('calls').getByRole('button').all()) await fold.click();
  await page.locator('[data-tool="skill.read"]').first().waitFor();
};

/** The skills of a package, in the dialog that shows it before it is installed. */
const packaged = async (page) => {
  await id(page, 'import-package').click();
  await id(page, 'package-skills').scrollIntoViewIfNeeded();
};

export const skillScreens = [
  { name: 'skills-open', all: true, fake: 'skills', go: opened },
  { name: 'skills-open-small', all: true, fake: 'skills', ...SMALL, go: opened },
  { name: 'skills-open-at-work', all: true, fake: 'skills-at-work', go: opened },
  { name: 'skills-open-working', all: true, fake: 'skills-working', ...SMALL, go: opened },
  { name: 'skills-open-many', fake: 'skills-many', ...SMALL, go: opened },
  { name: 'skills-open-none', all: true, fake: 'skills-none', ...SMALL, go: none },
  { name: 'skills-open-unusable', fake: 'skills-unusable', ...SMALL, go: none },
  {
    name: 'skills-refused',
    fake: 'skills-refused',
    ...SMALL,
    go: async (page) => {
      await opened(page);
      await row(page, 'pdf').getByTestId('skill-activate').click();
      await id(page, 'failure').waitFor();
    },
  },
  { name: 'skills-at-work', all: true, fake: 'skills-at-work', go: enter },
  { name: 'skills-at-work-small', all: true, fake: 'skills-at-work', ...SMALL, go: enter },
  { name: 'skills-working', all: true, fake: 'skills-working', go: enter },
  { name: 'skills-told', all: true, fake: 'skills-at-work', go: told('house-style') },
  { name: 'skills-told-small', fake: 'skills-at-work', ...SMALL, go: told('pdf') },
  { name: 'skills-calls', all: true, fake: 'skills-working', height: 1000, go: calls },
  { name: 'skills-settings', all: true, fake: 'skills', go: section },
  { name: 'skills-settings-small', all: true, fake: 'skills', ...SMALL, go: section },
  { name: 'skills-settings-end', all: true, fake: 'skills', go: end },
  { name: 'skills-settings-none', all: true, fake: 'skills-none', go: section },
  { name: 'skills-settings-unread', fake: 'skills-unread', go: section },
  { name: 'skills-settings-off', fake: 'skills', go: off },
  { name: 'skills-package', all: true, fake: 'start', go: packaged },
  { name: 'skills-package-small', fake: 'start', ...SMALL, go: packaged },
];

const hasFocus = (page, testId) => page.locator(`[data-testid=${testId}]:focus`).waitFor();

export const skillChecks = [
  {
    name: 'skills: one is activated and ended by the keys alone, and where one writes has the focus',
    fake: 'skills',
    ...SMALL,
    async run(page) {
      await enter(page);
      await id(page, 'skills-button').focus();
      await page.keyboard.press('Enter');
      await row(page, 'changelog').waitFor();
      await row(page, 'changelog').getByTestId('skill-activate').focus();
      await page.keyboard.press('Enter');
      await chip(page, 'changelog').waitFor();
      await id(page, 'skills-popover').waitFor({ state: 'detached' });
      await id(page, 'notice-skill_began').waitFor();
      await hasFocus(page, 'composer-input');
      await chip(page, 'changelog').getByTestId('skill-chip-end').focus();
      await page.keyboard.press('Enter');
      await chip(page, 'changelog').waitFor({ state: 'detached' });
      await id(page, 'notice-skill_ended').waitFor();
      await hasFocus(page, 'composer-input');
    },
  },
  {
    name: 'skills: Esc closes what is open, and the button that opened it has the focus again',
    fake: 'skills-at-work',
    ...SMALL,
    async run(page) {
      await opened(page);
      await page.keyboard.press('Escape');
      await id(page, 'skills-popover').waitFor({ state: 'detached' });
      await hasFocus(page, 'skills-button');
      await chip(page, 'pdf').getByTestId('skill-more').focus();
      await page.keyboard.press('Enter');
      await id(page, 'skill-told').waitFor();
      assert.match(await id(page, 'skill-told').innerText(), /scripts\/fill_form\.py/);
      await page.keyboard.press('Escape');
      await id(page, 'skill-told').waitFor({ state: 'detached' });
      await hasFocus(page, 'skill-more');
    },
  },
  {
    name: 'skills: what is open stays within the window, and each skill can be reached in it',
    fake: 'skills-many',
    width: 600,
    height: 400,
    async run(page) {
      await page.setViewportSize(SMALL);
      await opened(page);
      await page.setViewportSize({ width: 600, height: 400 });
      const last = row(page, 'topic-24');
      await last.scrollIntoViewIfNeeded();
      const [of, in_] = [await last.boundingBox(), await id(page, 'skills-popover').boundingBox()];
      assert.ok(in_.x >= 0 && in_.y >= 0, 'it begins in the window');
      assert.ok(in_.x + in_.width <= 600 && in_.y + in_.height <= 400, 'it ends in the window');
      assert.ok(of.y >= in_.y && of.y + of.height <= in_.y + in_.height, 'its last is in sight');
      const sideways = await page.evaluate(() => {
        const list = document.querySelector('.skills-menu > ul');
        return list.scrollWidth - list.clientWidth;
      });
      assert.equal(sideways, 0);
      await id(page, 'skills-search').fill('topic 24');
      await page.waitForFunction(
        () => document.querySelectorAll('[data-testid=skill-row]').length === 1,
      );
    },
  },
  {
    name: 'skills: folders that cannot be used lead to the settings, where it is said why',
    fake: 'skills',
    async run(page) {
      await opened(page);
      await id(page, 'skills-unusable').click();
      await id(page, 'settings-screen').waitFor();
      await id(page, 'unusable-skill').waitFor();
      await page.waitForFunction(() => {
        const { top } = document.querySelector('#settings-skills').getBoundingClientRect();
        return top >= 0 && top < innerHeight / 2;
      });
      assert.equal(await id(page, 'settings-skills').getAttribute('aria-current'), 'true');
    },
  },
  {
    name: 'skills: those at work move neither the words above nor where one writes out of sight',
    fake: 'skills-at-work',
    ...SMALL,
    async run(page) {
      await enter(page);
      const field = await id(page, 'composer-input').boundingBox();
      assert.ok(field.y + field.height <= 600);
      const chips = await id(page, 'skill-chips').boundingBox();
      assert.ok(chips.y + chips.height <= field.y);
      assert.ok(chips.height < 64, `${chips.height} pixels of chips`);
    },
  },
];
