// Servers that offer tools: setting them up, trusting them, and what is asked about their calls.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

const SMALL = { width: 900, height: 600 };

/** The card of a server in the settings, or what is asked about it in a project. */
const card = (page, name) => page.locator(`[data-testid=server][data-name=${name}]`);
const asked = (page, name) => page.locator(`[data-testid=asked-server][data-name=${name}]`);

const enter = async (page) => {
  await id(page, 'recent-project').click();
  await id(page, 'workspace').waitFor();
};

/** The section of the settings, from the start page or out of a project. */
const section = async (page) => {
  await id(page, 'settings-servers').click();
  await id(page, 'servers').waitFor();
};
const settings = async (page) => {
  await id(page, 'connect-model').click();
  await section(page);
  await id(page, 'server').waitFor();
};
const inProject = async (page) => {
  await enter(page);
  await id(page, 'rail-settings').click();
  await section(page);
  await id(page, 'server-trust').waitFor();
};

const at = (name) => async (page) => {
  await inProject(page);
  await card(page, name).evaluate((node) => node.scrollIntoView({ block: 'start' }));
};

const unfolded = (name) => async (page) => {
  await at(name)(page);
  await card(page, name).getByTestId('server-tools').getByRole('button').first().click();
  await card(page, name).getByTestId('server-tool').first().waitFor();
};

/** The prompts and resources of a server, unfolded. */
const offers = async (page) => {
  await at('files')(page);
  const files = card(page, 'files');
  for (const [fold, item] of [
    ['server-prompts', 'server-prompt'],
    ['server-resources', 'server-resource'],
  ]) {
    await files.getByTestId(fold).getByRole('button').first().click();
    await files.getByTestId(item).first().waitFor();
  }
  await files.getByTestId('server-prompts').evaluate((node) => node.scrollIntoView());
};

/** Writes the beginning of a call, for which a list is offered. */
const called = (words) => async (page) => {
  await enter(page);
  await id(page, 'composer-input').pressSequentially(words);
  await id(page, 'offered-calls').waitFor();
};

const progress = async (page) => {
  await enter(page);
  await id(page, 'progress').waitFor();
};

const tested = async (page) => {
  await at('browser')(page);
  await card(page, 'browser').getByTestId('test-server').click();
  await card(page, 'browser').getByTestId('stop-server-test').waitFor();
};

const form = async (page) => {
  await settings(page);
  await id(page, 'add-server').click();
  await id(page, 'server-form').waitFor();
};

const filled = async (page) => {
  await form(page);
  await id(page, 'server-name').fill('files');
  await id(page, 'server-command').fill('npx');
  await id(page, 'server-args').fill('-y\n@modelcontextprotocol/server-filesystem\n@project');
  await id(page, 'add-server-value').click();
  await id(page, 'server-value-name').fill('FILES_KEY');
  await id(page, 'server-value-text').fill('a secret');
  await id(page, 'server-save').click();
  await page.getByTestId('server-form').getByTestId('failure').waitFor();
  await id(page, 'failure').scrollIntoViewIfNeeded();
};

const edited = async (page) => {
  await at('issues')(page);
  await card(page, 'issues').getByTestId('edit-server').click();
  await id(page, 'server-url').fill('https://other.example.org/mcp');
  await id(page, 'server-elsewhere').waitFor();
};

const imported = async (page) => {
  await settings(page);
  await id(page, 'import-servers').click();
  await id(page, 'import-servers-dialog').waitFor();
};

const notice = async (page) => {
  await enter(page);
  await id(page, 'servers-notice').waitFor();
};

const looked = async (page) => {
  await notice(page);
  await id(page, 'servers-look').click();
  await id(page, 'asked-server').waitFor();
};

const question = (testId) => async (page) => {
  await enter(page);
  await page.locator(`[data-testid=dock] [data-testid=${testId}]`).waitFor();
};

/** The calls, one of them opened. */
const calls = async (page) => {
  await enter(page);
  await page.locator('[data-tool=mcp__issues__search_issues] > button').click();
  await id(page, 'server-result').waitFor();
};

const newRun = async (page) => {
  await enter(page);
  await id(page, 'new-run').click();
  await page.locator('.run-form [data-testid=servers-notice]').waitFor();
};

const off = async (page) => {
  await inProject(page);
  await id(page, 'mcp-enabled').click();
  await page.locator('#settings-servers .caution').waitFor();
  await id(page, 'mcp-enabled').scrollIntoViewIfNeeded();
};

/** The dialog in which somebody signs in, before its page is opened. */
const signsIn = async (page) => {
  await at('calendar')(page);
  await card(page, 'calendar').getByTestId('sign-in').click();
  await id(page, 'sign-in-dialog').waitFor();
};

/** The page, opened: nobody is there to show it. */
const opens = async (page) => {
  const shown = page.context().waitForEvent('page');
  await id(page, 'sign-in-open').focus();
  await page.keyboard.press('Enter');
  const popup = await shown;
  await popup.close();
  return popup.url();
};

const waitsInBrowser = async (page) => {
  await page.context().route('https://accounts.example.org/**', (route) => route.abort());
  await signsIn(page);
  await opens(page);
  await page.getByTestId('sign-in-waits').getByText(/./).waitFor();
};

/** All of it with the strongest contrast, as the settings say. */
const strong = async (page) => {
  await inProject(page);
  await id(page, 'settings-appearance').click();
  await id(page, 'contrast-high').click();
  await page.locator(':root[data-contrast=high]').waitFor();
  await id(page, 'settings-servers').click();
  await card(page, 'weather').evaluate((node) => node.scrollIntoView({ block: 'end' }));
};

const TALL = { width: 1200, height: 1500 };

export const serverScreens = [
  { name: 'servers', all: true, fake: 'servers', go: inProject },
  { name: 'servers-all', all: true, fake: 'servers', ...TALL, go: inProject },
  { name: 'servers-small', all: true, fake: 'servers', ...SMALL, go: inProject },
  { name: 'servers-no-project', fake: 'servers', ...SMALL, go: settings },
  {
    name: 'servers-none',
    all: true,
    fake: 'servers-none',
    go: async (page) => {
      await id(page, 'connect-model').click();
      await section(page);
    },
  },
  { name: 'servers-tools', all: true, fake: 'servers', go: unfolded('files') },
  { name: 'servers-tools-small', fake: 'servers', ...SMALL, go: unfolded('issues') },
  { name: 'servers-offers', all: true, fake: 'servers', go: offers },
  { name: 'servers-offers-small', all: true, fake: 'servers', ...SMALL, go: offers },
  {
    name: 'servers-offers-asked',
    fake: 'servers',
    ...SMALL,
    go: async (page) => {
      await looked(page);
      await asked(page, 'issues').getByTestId('server-prompts').getByRole('button').click();
      await id(page, 'server-prompt').scrollIntoViewIfNeeded();
    },
  },
  { name: 'servers-call', all: true, fake: 'servers-calls', go: called('/') },
  { name: 'servers-call-small', all: true, fake: 'servers-calls', ...SMALL, go: called('/mcp') },
  { name: 'servers-call-own', fake: 'agent', ...SMALL, go: called('/') },
  { name: 'servers-progress', all: true, fake: 'servers-progress', go: progress },
  { name: 'servers-progress-small', all: true, fake: 'servers-progress', ...SMALL, go: progress },
  { name: 'servers-tested', all: true, fake: 'servers', go: tested },
  { name: 'servers-failed', all: true, fake: 'servers', ...SMALL, go: at('weather') },
  {
    name: 'servers-remove',
    fake: 'servers',
    go: async (page) => {
      await at('notes')(page);
      await card(page, 'notes').getByTestId('remove-server').click();
      await id(page, 'remove-server-dialog').waitFor();
    },
  },
  { name: 'servers-sign-in', all: true, fake: 'servers-sign-in', go: at('calendar') },
  {
    name: 'servers-sign-in-asked',
    all: true,
    fake: 'servers-sign-in',
    ...SMALL,
    go: async (page) => {
      await looked(page);
      await asked(page, 'calendar').getByTestId('sign-in').scrollIntoViewIfNeeded();
    },
  },
  { name: 'servers-sign-in-page', all: true, fake: 'servers-sign-in', go: signsIn },
  {
    name: 'servers-sign-in-address',
    all: true,
    fake: 'servers-sign-in',
    ...SMALL,
    go: async (page) => {
      await signsIn(page);
      await id(page, 'sign-in-address').getByRole('button').click();
    },
  },
  { name: 'servers-sign-in-waits', all: true, fake: 'servers-sign-in-waits', go: waitsInBrowser },
  {
    name: 'servers-sign-in-waits-small',
    fake: 'servers-sign-in-waits',
    ...SMALL,
    go: waitsInBrowser,
  },
  {
    name: 'servers-sign-in-failed',
    all: true,
    fake: 'servers-sign-in-failed',
    go: async (page) => {
      await waitsInBrowser(page);
      await page.locator('[data-code=MCP_SIGN_IN_FAILED]').waitFor();
    },
  },
  { name: 'servers-signed-in', all: true, fake: 'servers-signed-in', go: at('calendar') },
  { name: 'servers-form', all: true, fake: 'servers', go: form },
  { name: 'servers-form-small', all: true, fake: 'servers', ...SMALL, go: filled },
  { name: 'servers-edit', all: true, fake: 'servers', go: edited },
  { name: 'servers-import', all: true, fake: 'servers', go: imported },
  { name: 'servers-import-small', fake: 'servers', ...SMALL, go: imported },
  {
    name: 'servers-import-failed',
    fake: 'servers-file-broken',
    go: async (page) => {
      await settings(page);
      await id(page, 'import-servers').click();
      await id(page, 'servers').getByTestId('failure').last().scrollIntoViewIfNeeded();
    },
  },
  { name: 'servers-off', fake: 'servers', go: off },
  { name: 'servers-notice', all: true, fake: 'servers', go: notice },
  { name: 'servers-notice-small', fake: 'servers', ...SMALL, go: notice },
  { name: 'servers-new-run', all: true, fake: 'servers', go: newRun },
  { name: 'servers-ask', all: true, fake: 'servers', go: looked },
  { name: 'servers-ask-small', all: true, fake: 'servers', ...SMALL, go: looked },
  { name: 'servers-calls', all: true, fake: 'servers-calls', height: 1000, go: calls },
  { name: 'servers-calls-small', fake: 'servers-calls', ...SMALL, go: calls },
  {
    name: 'servers-approval',
    all: true,
    fake: 'servers-approval',
    go: question('widget-confirmation'),
  },
  {
    name: 'servers-approval-small',
    all: true,
    fake: 'servers-approval',
    ...SMALL,
    go: question('widget-confirmation'),
  },
  {
    name: 'servers-approval-cut',
    fake: 'servers-approval-cut',
    go: question('widget-confirmation'),
  },
  { name: 'servers-question', all: true, fake: 'servers-question', go: question('widget-form') },
  {
    name: 'servers-question-small',
    all: true,
    fake: 'servers-question',
    ...SMALL,
    go: question('widget-form'),
  },
  { name: 'servers-contrast', all: true, strong: true, fake: 'servers', go: strong },
];

const focused = (page) => page.evaluate(() => document.activeElement?.dataset.testid ?? null);
const value = (page) => id(page, 'composer-input').inputValue();
const hasFocus = (page, testId) => page.locator(`[data-testid=${testId}]:focus`).waitFor();

export const serverChecks = [
  {
    name: 'servers: one is added, tested, trusted and removed by the keys alone, and none is lost',
    fake: 'servers',
    ...SMALL,
    async run(page) {
      await inProject(page);
      await id(page, 'add-server').focus();
      await page.keyboard.press('Enter');
      await hasFocus(page, 'server-name');
      await page.keyboard.type('tide');
      await id(page, 'server-command').focus();
      await page.keyboard.type('tide-server');
      await page.keyboard.press('Enter');
      await id(page, 'server-form').waitFor({ state: 'detached' });
      const tide = card(page, 'tide');
      await tide.waitFor();
      await hasFocus(page, 'add-server');
      await tide.getByTestId('test-server').focus();
      await page.keyboard.press('Enter');
      await tide.getByTestId('server-tool').waitFor();
      assert.equal(await focused(page), 'test-server');
      await tide.getByTestId('trust-server').focus();
      await page.keyboard.press('Enter');
      await tide.getByTestId('untrust-server').waitFor();
      // The same button takes it back.
      assert.equal(await focused(page), 'untrust-server');
      await tide.getByTestId('remove-server').focus();
      await page.keyboard.press('Enter');
      await id(page, 'remove-server-dialog').waitFor();
      await id(page, 'remove-server-confirm').focus();
      await page.keyboard.press('Enter');
      await tide.waitFor({ state: 'detached' });
      await hasFocus(page, 'add-server');
    },
  },
  {
    name: 'servers: what is read again moves nothing, and a test that was stopped leaves the focus',
    fake: 'servers',
    async run(page) {
      await tested(page);
      const browser = card(page, 'browser');
      const before = await browser.boundingBox();
      await browser.getByTestId('stop-server-test').focus();
      // Read at least twice.
      await page.waitForTimeout(4500);
      assert.deepEqual(await browser.boundingBox(), before);
      assert.equal(await focused(page), 'stop-server-test');
      await page.keyboard.press('Enter');
      await page.locator('[data-name=browser][data-state=idle]').waitFor();
      assert.equal(await focused(page), 'test-server');
    },
  },
  {
    name: 'servers: what waits is looked at, started, trusted, and not told of again when it is put off',
    fake: 'servers',
    ...SMALL,
    async run(page) {
      await looked(page);
      assert.match(await id(page, 'servers-dialog').innerText(), /Servers for/);
      const notes = asked(page, 'notes');
      assert.equal(await notes.getByTestId('trust-server').count(), 0);
      await notes.getByTestId('test-server').focus();
      await page.keyboard.press('Enter');
      await notes.getByTestId('server-tool').waitFor();
      assert.equal(await focused(page), 'trust-server');
      await page.keyboard.press('Enter');
      await notes.getByTestId('untrust-server').waitFor();
      await id(page, 'servers-later').click();
      await id(page, 'servers-notice').waitFor({ state: 'detached' });
      await id(page, 'new-run').click();
      await page.locator('.run-form').waitFor();
      await page.waitForTimeout(300);
      assert.equal(await page.getByTestId('servers-notice').count(), 0);
    },
  },
  {
    name: 'servers: somebody signs in by the keys alone, and out again, and the focus is never lost',
    fake: 'servers-sign-in',
    ...SMALL,
    async run(page) {
      await page.context().route('https://accounts.example.org/**', (route) => route.abort());
      await inProject(page);
      const calendar = card(page, 'calendar');
      await calendar.getByTestId('sign-in').focus();
      await page.keyboard.press('Enter');
      await id(page, 'sign-in-dialog').waitFor();
      assert.equal(await id(page, 'sign-in-host').innerText(), 'accounts.example.org');
      await page.keyboard.press('Escape');
      await id(page, 'sign-in-dialog').waitFor({ state: 'detached' });
      await hasFocus(page, 'sign-in');
      await page.locator('[data-testid=sign-in]:not([data-busy])').waitFor();
      await page.keyboard.press('Enter');
      await id(page, 'sign-in-dialog').waitFor();
      assert.match(await opens(page), /^(https:\/\/accounts\.example\.org\/|chrome-error|about)/);
      // The same button opens it again.
      await hasFocus(page, 'sign-in-open');
      await id(page, 'sign-in-dialog').waitFor({ state: 'detached' });
      await calendar.getByTestId('server-tool').first().waitFor();
      await hasFocus(page, 'test-server');
      await calendar.getByTestId('sign-out').focus();
      await page.keyboard.press('Enter');
      await calendar.getByTestId('signed-in').waitFor({ state: 'detached' });
      await hasFocus(page, 'test-server');
      await page.keyboard.press('Enter');
      await calendar.getByTestId('sign-in').waitFor();
    },
  },
  {
    name: 'servers: somebody signs in where they are asked about a server, and that dialog stays',
    fake: 'servers-sign-in',
    ...SMALL,
    async run(page) {
      await page.context().route('https://accounts.example.org/**', (route) => route.abort());
      await looked(page);
      const calendar = asked(page, 'calendar');
      await calendar.getByTestId('sign-in').click();
      await id(page, 'sign-in-dialog').waitFor();
      await id(page, 'sign-in-cancel').click();
      await id(page, 'sign-in-dialog').waitFor({ state: 'detached' });
      await hasFocus(page, 'sign-in');
      await page.locator('[data-testid=sign-in]:not([data-busy])').waitFor();
      await page.keyboard.press('Enter');
      await id(page, 'sign-in-dialog').waitFor();
      await page.keyboard.press('Escape');
      await id(page, 'sign-in-dialog').waitFor({ state: 'detached' });
      assert.equal(await page.getByTestId('servers-dialog').count(), 1);
      await page.locator('[data-testid=sign-in]:not([data-busy])').waitFor();
      await page.keyboard.press('Enter');
      await opens(page);
      await calendar.getByTestId('server-tool').first().waitFor();
      await hasFocus(page, 'trust-server');
    },
  },
  {
    name: 'servers: nothing is wider than the window, and each part can be reached, at twice the zoom',
    fake: 'servers',
    width: 600,
    height: 400,
    async run(page) {
      await page.setViewportSize({ width: 900, height: 600 });
      await inProject(page);
      await page.setViewportSize({ width: 600, height: 400 });
      const sideways = await page.evaluate(() => {
        const box = document.querySelector('#settings-servers');
        return box.scrollWidth - box.clientWidth;
      });
      assert.equal(sideways, 0);
    },
  },
  {
    name: 'servers: the arguments of a call are read before it can be allowed, and Esc declines it',
    fake: 'servers-approval',
    async run(page) {
      await question('widget-confirmation')(page);
      const text = await id(page, 'call-arguments').innerText();
      assert.match(text, /^Arguments/);
      assert.match(text, /"path": "docs\/release-notes.md"/);
      assert.match(text, /U\+200B/);
      await page.locator('.widget:is([data-armed=ready],[data-armed=armed])').waitFor();
      // The first press of a key only says that somebody has read it.
      await page.keyboard.press('Escape');
      await id(page, 'too-early').waitFor();
      await page.keyboard.press('Escape');
      await id(page, 'widget-declined').waitFor();
      assert.match(await id(page, 'widget-declined').innerText(), /nothing was called/);
    },
  },
  {
    name: 'servers: a prompt is called by the keys, and a list that is too long scrolls to the chosen one',
    fake: 'servers-calls',
    ...SMALL,
    async run(page) {
      await called('/')(page);
      // The last one, by the way round.
      await page.keyboard.press('ArrowUp');
      const last = page.getByTestId('offered-calls').getByRole('option').last();
      assert.equal(await last.getAttribute('aria-selected'), 'true');
      const [list, row] = [await id(page, 'offered-calls').boundingBox(), await last.boundingBox()];
      assert.ok(list.y >= 0, 'the list is higher than the window');
      assert.ok(row.y + row.height <= list.y + list.height + 1, 'the chosen one is out of sight');
      await page.keyboard.type('compare');
      await page.keyboard.press('Tab');
      assert.equal(await value(page), '/mcp__files__compare before=');
      await hasFocus(page, 'composer-input');
      await page.keyboard.type('a.md after="b c.md"');
      await page.keyboard.press('Enter');
      await page.getByText('/mcp__files__compare before=a.md after="b c.md"').waitFor();
      assert.equal(await value(page), '');
    },
  },
  {
    name: 'servers: a prompt is taken with the mouse, and what is missing stays to be written',
    fake: 'servers-calls',
    async run(page) {
      await called('/')(page);
      await page.getByRole('option', { name: 'Summarise a file' }).click();
      assert.equal(await value(page), '/mcp__files__summarise ');
      await hasFocus(page, 'composer-input');
      await page.keyboard.press('Enter');
      await id(page, 'failure').waitFor();
      assert.match(await id(page, 'failure').innerText(), /\/mcp__files__summarise path=…/);
      assert.equal(await value(page), '/mcp__files__summarise');
      await hasFocus(page, 'composer-input');
      await page.keyboard.type(' docs/notes.md');
      await page.keyboard.press('Enter');
      await page.getByText('/mcp__files__summarise docs/notes.md').waitFor();
      await id(page, 'stop').waitFor();
    },
  },
  {
    name: 'servers: Esc closes what is offered before it stops anything, and the menu is asked for in one go',
    fake: 'agent',
    ...SMALL,
    async run(page) {
      await called('/me')(page);
      await page.keyboard.press('Escape');
      await id(page, 'offered-calls').waitFor({ state: 'detached' });
      assert.equal(await value(page), '/me');
      await page.keyboard.type('nu');
      await page.keyboard.press('Enter');
      await id(page, 'menu-rows').waitFor();
    },
  },
  {
    name: 'servers: prompts and resources unfold by the keys, and nothing is wider than the window',
    fake: 'servers',
    ...SMALL,
    async run(page) {
      await at('files')(page);
      const fold = card(page, 'files').getByTestId('server-prompts').getByRole('button').first();
      await fold.focus();
      await page.keyboard.press('Enter');
      assert.equal(await fold.getAttribute('aria-expanded'), 'true');
      await card(page, 'files').getByTestId('prompt-argument').first().waitFor();
      await card(page, 'files').getByTestId('server-resources').getByRole('button').first().focus();
      await page.keyboard.press('Enter');
      await card(page, 'files').getByTestId('server-resource').first().waitFor();
      const sideways = await page.evaluate(() => {
        const box = document.querySelector('#settings-servers');
        return box.scrollWidth - box.clientWidth;
      });
      assert.equal(sideways, 0);
    },
  },
];
