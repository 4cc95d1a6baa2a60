// The gallery: every component in every state, in both themes and languages, with a picture of each
// group in tests/artifacts/page.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { axeProblems, loadAxe, OF_COLOURS, RULES, STRONG } from './axe.mjs';
import { illegible } from './hovered.mjs';
import { englishIn } from './languages.mjs';
import { expect, test } from './test.mjs';

const pictures = join(dirname(fileURLToPath(import.meta.url)), '../../../tests/artifacts/page');

/** What a page as a whole must keep, and one that shows each component many times cannot. */
const OF_PAGES = ['heading-order', 'landmark-unique', 'page-has-heading-one', 'region'];
/** What lies over the page. */
const OVER = '[role=dialog], [role=menu], [data-chooses]';
const OF_COMPONENTS = { type: 'tag', values: RULES };

/** What is not a matter of the language is looked at in one theme in each of them. */
const LOOKS = [
  { lang: 'en', themes: ['light', 'dark'] },
  { lang: 'zh', themes: ['dark', 'light'] },
];

/** A picture of each group, as the theme shows it. */
async function take(page, theme, lang) {
  await page.evaluate(() => scrollTo(0, 0));
  for (const group of await page.locator('.gallery-group').all()) {
    const name = await group.getAttribute('data-group');
    await group.screenshot({ path: join(pictures, `gallery-${name}-${theme}-${lang}.png`) });
  }
}

/** Opens what lies over the page, one after the other: it is seen in no section. */
async function overlays(page, theme, lang) {
  const openers = page.locator(
    ':is([data-opens], #Menu :is(.icon-btn, .face-btn), #Select .select):enabled',
  );
  const found = [];
  for (const [at, opener] of (await openers.all()).entries()) {
    await opener.click();
    const over = page.locator(OVER);
    await over.waitFor();
    await page.screenshot({ path: join(pictures, `gallery-over-${at}-${theme}-${lang}.png`) });
    found.push(...(await axeProblems(page, OF_COLOURS, { within: OVER })));
    await page.keyboard.press('Escape');
    await over.waitFor({ state: 'detached' });
  }
  return found;
}

// It is about fifty screens in one.
test.describe.configure({ timeout: 180_000 });

for (const { lang, themes } of LOOKS) {
  test(`gallery-${lang}`, async ({ open }) => {
    const [first, second] = themes;
    const page = await open({ at: process.env.GALLERY, theme: first, lang, width: 1960 });
    await page.locator('.gallery-section').last().waitFor();
    await page.evaluate(() => document.fonts.ready);
    await take(page, first, lang);
    await loadAxe(page);
    const own = await axeProblems(page, OF_COMPONENTS, { without: OF_PAGES });
    expect.soft(own, 'axe').toEqual([]);
    expect.soft(await illegible(page), 'words under the pointer').toEqual([]);
    if (lang === 'zh') expect.soft(await englishIn(page), 'English').toEqual([]);
    expect.soft(await overlays(page, first, lang), 'what lies over it').toEqual([]);
    await page.emulateMedia({ colorScheme: second });
    await page.locator(`:root[data-theme=${second}]`).waitFor();
    await take(page, second, lang);
    await page.getByTestId('contrast-high').click();
    await page.locator(':root[data-contrast=high]').waitFor();
    expect.soft(await axeProblems(page, STRONG), `contrast, ${second}`).toEqual([]);
  });
}
