// Every screen in both themes and languages, checked with axe, with a picture of each in
// tests/artifacts/page.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { illegible } from './hovered.mjs';
import { englishIn } from './languages.mjs';
import { screens } from './screens.mjs';
import { expect, test } from './test.mjs';

const pictures = join(dirname(fileURLToPath(import.meta.url)), '../../../tests/artifacts/page');
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

/** axe runs in the page itself: @axe-core/playwright opens a second page for each report. */
async function axeProblems(page) {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (tags) => {
    const report = await window.axe.run({ runOnly: tags, resultTypes: ['violations'] });
    return report.violations;
  }, TAGS);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}

for (const screen of screens) {
  for (const { theme, lang } of screen.all ? [...LOOKS, ...MORE_LOOKS] : LOOKS) {
    const name = `${screen.name}-${theme}-${lang}`;
    test(name, async ({ open }) => {
      const { fake, width, height } = screen;
      const page = await open({ fake, theme, lang, width, height });
      try {
        await screen.go(page);
        await page.evaluate(() => document.fonts.ready);
      } finally {
        await page.screenshot({ path: join(pictures, `${name}.png`) });
      }
      expect.soft(await axeProblems(page), 'axe').toEqual([]);
      expect.soft(await illegible(page), 'words under the pointer').toEqual([]);
      if (lang === 'zh') expect.soft(await englishIn(page), 'English').toEqual([]);
    });
  }
}
