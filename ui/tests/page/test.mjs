// What every test of the page uses: `open` shows a scenario of the fake bridge in a page of its own
// and fails the test when an error was thrown or printed there.
import { test as base, expect } from '@playwright/test';

export { expect };

const LOCALES = { en: 'en-GB', zh: 'zh-CN' };

function newContext(browser, lang) {
  return browser.newContext({
    locale: LOCALES[lang],
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
}

/** Remembers what goes wrong in a page. */
function watch(page) {
  const problems = [];
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text().slice(0, 300)}`);
  });
  return problems;
}

export const test = base.extend({
  // One context for each worker and language: a new one would fetch and compile everything again.
  // The page keeps things only in its tab (session storage), and each test has a tab of its own.
  contexts: [
    async ({ browser }, use) => {
      const contexts = new Map();
      await use(async (lang) => {
        if (!contexts.has(lang)) contexts.set(lang, await newContext(browser, lang));
        return contexts.get(lang);
      });
      for (const context of contexts.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  open: async ({ contexts }, use) => {
    const opened = [];
    await use(async ({ fake, theme, lang = 'en', width = 1200, height = 800 }) => {
      const context = await contexts(lang);
      const page = await context.newPage();
      opened.push({ page, problems: watch(page) });
      page.setDefaultTimeout(10_000);
      await page.setViewportSize({ width, height });
      const query = new URLSearchParams({ fake, lang, ...(theme && { theme }) });
      await page.goto(`${process.env.PAGE}?${query}`);
      return page;
    });
    const problems = opened.flatMap((each) => each.problems);
    await Promise.all(opened.map(({ page }) => page.close()));
    expect(problems).toEqual([]);
  },
});
