// Pictures to be looked at, in tests/artifacts/pictures: every screen in both languages, both themes
// and both sizes that the window is made for. Only for `PICTURES=1 npm run test:page -- pictures`.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { screens } from './screens.mjs';
import { test } from './test.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../tests/artifacts/pictures');
const SIZES = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
];

for (const { name, fake, go } of process.env.PICTURES ? screens : []) {
  for (const size of SIZES) {
    for (const lang of ['en', 'zh']) {
      test(`picture ${name}-${size.width}-${lang}`, async ({ open }) => {
        const page = await open({ fake, lang, ...size });
        const picture = (theme) => join(folder, `${name}-${size.width}-${theme}-${lang}.png`);
        try {
          await go(page);
          await page.evaluate(() => document.fonts.ready);
        } finally {
          await page.screenshot({ path: picture('light') });
        }
        await page.mouse.move(0, 0);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator(':root[data-theme=dark]').waitFor();
        await page.screenshot({ path: picture('dark') });
      });
    }
  }
}
