// Talking with somebody else than a run: with an agent of a package, or with the model alone.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

const SMALL = { width: 900, height: 600 };

async function enter(page) {
  await id(page, 'recent-project').click();
  await id(page, 'talk-switch').waitFor();
}

/** The agent's commands, as many as there is room for. */
async function commands(page) {
  await enter(page);
  await page.locator('.commands:not([data-measured])').waitFor();
}

/** Says something to the agent that its menu takes. */
async function say(page, words) {
  await commands(page);
  await id(page, 'composer-input').fill(words);
  await page.keyboard.press('Enter');
  await id(page, 'menu-rows').waitFor();
}

async function picker(page) {
  await enter(page);
  await id(page, 'talk-switch').click();
  await page.locator('[data-testid=talk-picker-input]:focus').waitFor();
  await id(page, 'talk-picker-item').waitFor();
}

async function chosen(page) {
  await commands(page);
  await id(page, 'command').click();
  await id(page, 'command-chip').waitFor();
  await id(page, 'composer-input').fill('Release notes that people understand.');
}

const newRun = async (page) => {
  await enter(page);
  await id(page, 'new-run').click();
  await id(page, 'talk-to').waitFor();
};

export const modeScreens = [
  { name: 'modes-chat', all: true, fake: 'chat', go: enter },
  { name: 'modes-chat-small', all: true, fake: 'chat', ...SMALL, go: enter },
  { name: 'modes-chat-working', fake: 'chat-working', go: enter },
  { name: 'modes-chat-failed', all: true, fake: 'chat-failed', go: enter },
  { name: 'modes-beside-run', all: true, fake: 'chat-beside-run', go: enter },
  { name: 'modes-agent', all: true, fake: 'agent', go: commands },
  { name: 'modes-agent-small', fake: 'agent', ...SMALL, go: commands },
  { name: 'modes-agent-command', all: true, fake: 'agent', go: chosen },
  { name: 'modes-agent-many', all: true, fake: 'agent-many', go: commands },
  { name: 'modes-agent-many-small', fake: 'agent-many', ...SMALL, go: commands },
  {
    name: 'modes-agent-all',
    all: true,
    fake: 'agent-many',
    ...SMALL,
    go: async (page) => {
      await commands(page);
      await id(page, 'commands-more').click();
      await page.locator('.commands[data-open]').waitFor();
    },
  },
  { name: 'modes-menu', all: true, fake: 'agent', go: (page) => say(page, '*menu') },
  { name: 'modes-menu-many', fake: 'agent-many', ...SMALL, go: (page) => say(page, '*menu') },
  { name: 'modes-choice', all: true, fake: 'agent', go: (page) => say(page, 'create') },
  { name: 'modes-choice-small', fake: 'agent', ...SMALL, go: (page) => say(page, 'create') },
  { name: 'modes-picker', all: true, fake: 'agent', go: picker },
  {
    name: 'modes-picker-run',
    all: true,
    fake: 'completed',
    ...SMALL,
    go: async (page) => {
      await picker(page);
      await page.keyboard.type('mia');
      await page.getByTestId('talk-picker-item').nth(1).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'modes-begun',
    fake: 'completed',
    go: async (page) => {
      await enter(page);
      await id(page, 'new-run').click();
      await id(page, 'talk-to').click();
      await page.getByTestId('talk-picker-item').filter({ hasText: 'Mia' }).click();
      await page.locator('[data-testid=talk-switch][data-mode=agent]').waitFor();
      await id(page, 'commands').waitFor();
    },
  },
  { name: 'modes-new', all: true, fake: 'chat', go: newRun },
  { name: 'modes-new-small', fake: 'chat', ...SMALL, go: newRun },
];

const value = (page) => id(page, 'composer-input').inputValue();

export const modeChecks = [
  {
    name: 'modes: who is talked with is chosen by the keys alone, and where one writes has the focus',
    fake: 'completed',
    async run(page) {
      await enter(page);
      await id(page, 'talk-switch').focus();
      await page.keyboard.press('Enter');
      await page.locator('[data-testid=talk-picker-input]:focus').waitFor();
      await page.keyboard.type('mia');
      await page.locator('[data-testid=talk-picker-item][data-highlighted]').waitFor();
      await page.keyboard.press('Enter');
      await id(page, 'talk-picker').waitFor({ state: 'detached' });
      await id(page, 'notice-agent_chosen').waitFor();
      await page.locator('[data-testid=talk-switch][data-mode=agent]').waitFor();
      await page.locator('[data-testid=composer-input]:focus').waitFor();
      assert.ok(await id(page, 'commands').isVisible());
      // The run is still there beside it.
      await page.locator('.inspector .steps').waitFor();
    },
  },
  {
    name: 'modes: a command is chosen by the keys, gets words, and goes with them',
    fake: 'agent',
    async run(page) {
      await commands(page);
      await id(page, 'command').focus();
      await page.keyboard.press('Enter');
      await page.locator('[data-testid=composer-input]:focus').waitFor();
      assert.match(await id(page, 'command-chip').textContent(), /create-story/);
      await page.keyboard.type('About invoices');
      await page.keyboard.press('Enter');
      await id(page, 'stop').waitFor();
      await page.getByText('About invoices').waitFor();
      assert.equal(await page.getByTestId('command-chip').count(), 0);
      assert.equal(await value(page), '');
    },
  },
  {
    name: 'modes: two rows of commands are shown at most, and all of them on demand',
    fake: 'agent-many',
    ...SMALL,
    async run(page) {
      await commands(page);
      const tops = () =>
        page
          .getByTestId('command')
          .evaluateAll((all) => new Set(all.map(({ offsetTop }) => offsetTop)).size);
      assert.equal(await tops(), 2);
      const few = await page.getByTestId('command').count();
      await id(page, 'commands-more').click();
      await page.locator('.commands[data-open]').waitFor();
      assert.equal(await page.getByTestId('command').count(), 24);
      await id(page, 'commands-more').click();
      await page.setViewportSize({ width: 680, height: 600 });
      await page.waitForFunction(
        (before) => document.querySelectorAll('[data-testid=command]').length < before,
        few,
      );
      assert.equal(await tops(), 2);
    },
  },
  {
    name: 'modes: words that are not clear come back when the choice is closed',
    fake: 'agent',
    async run(page) {
      await say(page, 'create');
      assert.equal(await page.getByTestId('menu-row').count(), 2);
      assert.equal(await value(page), '');
      await page.keyboard.press('Escape');
      await id(page, 'menu-rows').waitFor({ state: 'detached' });
      await page.waitForFunction(
        () => document.querySelector('[data-testid=composer-input]').value === 'create',
      );
      await page.keyboard.press('Enter');
      await id(page, 'menu-row').click();
      await id(page, 'stop').waitFor();
      assert.equal(await page.getByTestId('menu-rows').count(), 0);
    },
  },
  {
    name: 'modes: a chat is begun with one click, and its words are written at once',
    fake: 'completed',
    async run(page) {
      await enter(page);
      await id(page, 'new-chat').click();
      await page.locator('[data-testid=talk-switch][data-mode=chat]').waitFor();
      await page.locator('[data-testid=composer-input]:focus').waitFor();
      await page.keyboard.type('Hello');
      await page.keyboard.press('Enter');
      await id(page, 'stop').click();
      await id(page, 'resume').waitFor();
      await id(page, 'resume').click();
      await id(page, 'stop').waitFor();
      assert.equal(await id(page, 'talk-switch').getAttribute('aria-disabled'), 'true');
    },
  },
];
