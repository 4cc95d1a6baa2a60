// The screens of sub-agents: at work, at their end, and what each of them did.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

const opened = async (page) => {
  await id(page, 'recent-project').click();
  await id(page, 'subagent').waitFor();
};

const card = (page, name) => page.locator(`[data-call="sub-${name}"]`);

/** Scrolls until a card is drawn, and shows it from its top. */
const toCard = (name) => async (page) => {
  await opened(page);
  await page.locator('.list').hover();
  for (let turn = 0; turn < 20 && (await card(page, name).count()) === 0; turn++) {
    await page.mouse.wheel(0, -200);
    await page.waitForTimeout(50);
  }
  await card(page, name).evaluate((node) => node.scrollIntoView({ block: 'start' }));
};

const show = (name) => async (page) => {
  await toCard(name)(page);
  await card(page, name).getByTestId('subagent-show').click();
  await id(page, 'task-bar').waitFor();
};

const SMALL = { width: 900, height: 600 };

export const subagents = [
  { name: 'subagents-work', all: true, fake: 'subagents-work', go: opened },
  {
    name: 'subagents-work-small',
    all: true,
    fake: 'subagents-work',
    ...SMALL,
    go: async (page) => {
      await toCard('edit')(page);
      await card(page, 'edit').getByTestId('subagent-unfold').click();
      await card(page, 'edit').evaluate((node) => node.scrollIntoView({ block: 'end' }));
    },
  },
  { name: 'subagents', all: true, fake: 'subagents', height: 1100, go: toCard('done') },
  { name: 'subagents-small', all: true, fake: 'subagents', ...SMALL, go: toCard('done') },
  { name: 'subagents-ended', all: true, fake: 'subagents', ...SMALL, go: toCard('verified') },
  { name: 'subagents-lost', all: true, fake: 'subagents', ...SMALL, go: toCard('lost') },
  {
    name: 'subagents-evidence',
    all: true,
    fake: 'subagents',
    ...SMALL,
    go: async (page) => {
      await opened(page);
      await id(page, 'inspector-toggle').click();
      await id(page, 'tab-evidence').click();
      await id(page, 'fact').scrollIntoViewIfNeeded();
    },
  },
  { name: 'subagent-works', all: true, fake: 'subagents-work', ...SMALL, go: show('review') },
  { name: 'subagent-over', all: true, fake: 'subagents', go: show('done') },
];

export const subagentChecks = [
  {
    name: 'with the keyboard alone a sub-agent is looked at, stopped and left again',
    fake: 'subagents-work',
    ...SMALL,
    async run(page) {
      await toCard('review')(page);
      await card(page, 'review').getByTestId('subagent-show').focus();
      await page.keyboard.press('Enter');
      // The button that was pressed is gone; the way back has the focus.
      await page.locator('[data-testid=subagent-back]:focus').waitFor();
      await page.getByText('Running fs.read').waitFor();
      await page.getByTestId('task-bar').getByTestId('subagent-stop').press('Enter');
      await id(page, 'notice-stopped').waitFor();
      await id(page, 'subagent-back').press('Enter');
      await page.locator('[data-found=true] [data-end=stopped]').waitFor();
      await page.locator('[data-testid=composer-input]:focus').waitFor();
      await id(page, 'phase-badge').and(page.locator('[data-phase=running]')).waitFor();
    },
  },
  {
    name: 'the conversation of a sub-agent fits at twice the zoom',
    fake: 'subagents-work',
    width: 600,
    height: 400,
    async run(page) {
      await show('review')(page);
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(sideways, 0);
      for (const part of ['subagent-back', 'subagent-stop', 'subagent-end']) {
        assert.ok(await id(page, part).isVisible(), part);
      }
    },
  },
];
