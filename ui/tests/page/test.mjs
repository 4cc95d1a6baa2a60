// What every test of the page uses: `open` shows a scenario of the fake bridge in a page of its own
// and fails the test when an error was thrown or printed there. `at` is another page than the window's.
import { test as base, expect } from '@playwright/test';

export { expect };

const LOCALES = { en: 'en-GB', zh: 'zh-CN' };

function newContext(browser, lang) {
  return browser.newContext({ locale: LOCALES[lang], timezoneId: 'UTC' });
}

/** A tab that remembers what goes wrong in it. */
async function newTab(context) {
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text().slice(0, 300)}`);
  });
  return { page, problems };
}

/** Leaves a tab as a new one: nothing runs in it, is kept there, pressed or pointed at. */
async function clear({ page, problems }) {
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    sessionStorage.clear();
    // A page that is left writes what it has not kept yet.
    Storage.prototype.setItem = () => undefined;
  });
  await page.goto('about:blank');
  return problems.splice(0);
}

export const test = base.extend({
  // One context and one tab for each worker and language: a new one would start a process and
  // fetch and compile everything again. What fails ends the worker, and its tabs with it.
  tabs: [
    async ({ browser }, use) => {
      const tabs = new Map();
      await use(async (lang) => {
        if (!tabs.has(lang)) tabs.set(lang, await newTab(await newContext(browser, lang)));
        return tabs.get(lang);
      });
      for (const { page } of tabs.values()) await page.context().close();
    },
    { scope: 'worker' },
  ],
  open: async ({ tabs }, use) => {
    const opened = new Set();
    await use(async (scenario) => {
      const { fake = 'start', theme = 'light', lang = 'en', width = 1200, height = 800 } = scenario;
      const { at = process.env.PAGE } = scenario;
      const tab = await tabs(lang);
      opened.add(tab);
      await tab.page.setViewportSize({ width, height });
      await tab.page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await tab.page.goto(`${at}?${new URLSearchParams({ fake, lang })}`);
      return tab.page;
    });
    const problems = [];
    for (const tab of opened) problems.push(...(await clear(tab)));
    expect(problems).toEqual([]);
  },
});
