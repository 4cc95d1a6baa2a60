// The built page in Chromium: every screen in both themes and languages, checked with axe, with a
// picture of each in tests/artifacts/page. `node tests/page/run.mjs [part of a name]`.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium } from 'playwright-core';
import { checks } from './checks.mjs';
import { illegible } from './hovered.mjs';
import { englishIn } from './languages.mjs';
import { screens } from './screens.mjs';
import { serve } from './server.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '../../dist');
const pictures = join(here, '../../../tests/artifacts/page');
const wanted = process.argv[2] ?? '';
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LOOKS = [
  { theme: 'light', lang: 'en' },
  { theme: 'dark', lang: 'zh' },
];
/** Only for the screens marked `all`. */
const MORE_LOOKS = [
  { theme: 'dark', lang: 'en' },
  { theme: 'light', lang: 'zh' },
];

const say = (text) => process.stdout.write(`${text}\n`);

function browserPath() {
  const places = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const found = places.find((path) => path && existsSync(path));
  if (!found) throw new Error('Chromium was not found. Install it, or name it in CHROMIUM.');
  return found;
}

/** A fresh page that remembers what went wrong in it. */
export async function openPage(browser, url, { width = 1200, height = 800, lang = 'en' } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: lang === 'zh' ? 'zh-CN' : 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text().slice(0, 300)}`);
  });
  page.setDefaultTimeout(10_000);
  await page.goto(url);
  return { page, problems, close: () => context.close() };
}

async function axeProblems(page) {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  return violations.flatMap((v) =>
    v.nodes.map(
      (n) =>
        `axe ${v.id}: ${n.target.join(' ')}\n      ${n.failureSummary?.replace(/\n\s*/g, ' ')}`,
    ),
  );
}

async function look(browser, url, screen, { theme, lang }) {
  const address = `${url}?fake=${screen.fake}&theme=${theme}&lang=${lang}`;
  const { width, height } = screen;
  const { page, problems, close } = await openPage(browser, address, { lang, width, height });
  const name = `${screen.name}-${theme}-${lang}`;
  try {
    await screen.go(page);
    await page.evaluate(() => document.fonts.ready);
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    problems.push(...(await axeProblems(page)), ...(await illegible(page)));
    if (lang === 'zh') problems.push(...(await englishIn(page)));
  } catch (error) {
    problems.push(error.message.slice(0, 600));
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }
  await close();
  say(`${problems.length ? 'FAIL' : 'ok  '} ${name}`);
  return problems.map((problem) => `${name}: ${problem}`);
}

async function main() {
  if (!existsSync(join(dist, 'index.html')))
    throw new Error('ui/dist is missing. Run: npm run build');
  mkdirSync(pictures, { recursive: true });
  const server = await serve(dist);
  const browser = await chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox'] });
  const problems = [];
  try {
    const looks = screens
      .filter((screen) => screen.name.includes(wanted))
      .flatMap((screen) => {
        const all = screen.all ? [...LOOKS, ...MORE_LOOKS] : LOOKS;
        return all.map((look) => ({ screen, look }));
      })
      .values();
    // Much of a screen's time is waiting: two go on at once, each in a context of its own.
    const worker = async () => {
      for (const next of looks)
        problems.push(...(await look(browser, server.url, next.screen, next.look)));
    };
    await Promise.all([worker(), worker()]);
    for (const check of checks.filter((c) => c.name.includes(wanted))) {
      const {
        page,
        problems: inPage,
        close,
      } = await openPage(browser, `${server.url}?fake=${check.fake}&lang=en`, check);
      try {
        await check.run(page);
      } catch (error) {
        inPage.push(error.message);
      }
      await close();
      say(`${inPage.length ? 'FAIL' : 'ok  '} ${check.name}`);
      problems.push(...inPage.map((problem) => `${check.name}: ${problem}`));
    }
  } finally {
    await browser.close();
    await server.close();
  }
  if (problems.length === 0) return;
  say(`\n${problems.length} problems:\n  ${problems.join('\n  ')}`);
  process.exitCode = 1;
}

await main();
