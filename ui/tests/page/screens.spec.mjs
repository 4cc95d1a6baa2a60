// Every screen in both themes and languages, checked with axe, with a picture of each in
// tests/artifacts/page.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { axeProblems, loadAxe, OF_COLOURS, RULES, STRONG } from './axe.mjs';
import { illegible } from './hovered.mjs';
import { englishIn } from './languages.mjs';
import { screens } from './screens.mjs';
import { expect, test } from './test.mjs';

const pictures = join(dirname(fileURLToPath(import.meta.url)), '../../../tests/artifacts/page');
/** The second theme is only for the screens marked `all`. */
const LOOKS = [
  { lang: 'en', themes: ['light', 'dark'] },
  { lang: 'zh', themes: ['dark', 'light'] },
];

for (const screen of screens) {
  for (const { lang, themes } of LOOKS) {
    test(`${screen.name}-${lang}`, async ({ open }) => {
      const { fake, width, height } = screen;
      const [first, second] = themes;
      const page = await open({ fake, theme: first, lang, width, height });
      const picture = (theme) => join(pictures, `${screen.name}-${theme}-${lang}.png`);
      try {
        await screen.go(page);
        await page.evaluate(() => document.fonts.ready);
      } finally {
        await page.screenshot({ path: picture(first) });
      }
      await loadAxe(page);
      expect.soft(await axeProblems(page, RULES), 'axe').toEqual([]);
      expect.soft(await illegible(page), 'words under the pointer').toEqual([]);
      if (lang === 'zh') expect.soft(await englishIn(page), 'English').toEqual([]);
      if (screen.strong) expect.soft(await axeProblems(page, STRONG), 'contrast').toEqual([]);
      if (!screen.all) return;
      // The window follows the system's theme; nothing but the colours is another then.
      await page.mouse.move(0, 0);
      await page.emulateMedia({ colorScheme: second });
      await page.locator(`:root[data-theme=${second}]`).waitFor();
      await page.screenshot({ path: picture(second) });
      expect.soft(await axeProblems(page, OF_COLOURS), `axe, ${second}`).toEqual([]);
      if (screen.strong) {
        expect.soft(await axeProblems(page, STRONG), `contrast, ${second}`).toEqual([]);
      }
      expect.soft(await illegible(page), `words under the pointer, ${second}`).toEqual([]);
    });
  }
}
