// What a model or a file says to mislead the reader, or to bring the window down.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

/** Elements in a page that is read on from one screen to the next; it must not grow with what is said. */
const MOST_ELEMENTS = 40_000;

/** Scrolls to the beginning in steps of one screen, and looks at each. */
async function readAll(page, look) {
  const list = page.locator('.list');
  for (let screens = 0; screens < 400; screens += 1) {
    await look();
    const top = await list.evaluate((it) => {
      it.scrollTop -= it.clientHeight * 4;
      return it.scrollTop;
    });
    // The rows that came into sight are drawn and measured.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    if (top <= 0) return;
  }
}

export const hostileChecks = [
  {
    name: 'a conversation of hostile texts opens, is read to its beginning and runs none of them',
    fake: 'flood',
    async run(page) {
      const asked = [];
      page.on('request', (request) => {
        if (/evil/.test(request.url())) asked.push(request.url());
      });
      await id(page, 'recent-project').click();
      await page.getByText('It ends here.').waitFor();
      await id(page, 'composer-input').fill('I can still write.');
      let most = 0;
      await readAll(page, async () => {
        most = Math.max(most, await page.evaluate(() => document.querySelectorAll('*').length));
      });
      assert.ok(most < MOST_ELEMENTS, `${most} elements at once`);
      const found = await page.evaluate(() => ({
        hacked: document.body.dataset.hacked,
        foreign: document.querySelectorAll(
          '.list :is(script, iframe, style, img, [onclick], [onerror])',
        ).length,
        links: [...document.querySelectorAll('.list a')].map((a) => a.getAttribute('href')),
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        shown: getComputedStyle(document.body).display,
      }));
      assert.deepEqual(
        { ...found, links: found.links.filter((href) => /script:/.test(href ?? '')) },
        { hacked: undefined, foreign: 0, links: [], wide: 0, shown: found.shown },
      );
      assert.notEqual(found.shown, 'none');
      assert.deepEqual(asked, []);
      assert.equal(await id(page, 'composer-input').inputValue(), 'I can still write.');
    },
  },
  {
    name: 'signs that turn or hide words are shown as signs',
    fake: 'flood',
    async run(page) {
      await id(page, 'recent-project').click();
      await page.getByText('It ends here.').waitFor();
      await page.locator('.list').evaluate((it) => {
        it.scrollTop = 0;
      });
      const first = page.getByTestId('message-assistant').first();
      await page.waitForFunction(() => /gnp/.test(document.querySelector('.list').textContent));
      const text = await first.textContent();
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b\u0000\u0007\u001b]/);
    },
  },
];
