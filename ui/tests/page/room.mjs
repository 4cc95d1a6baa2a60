// How the window uses its room: dialogs, lists of choices, the log, wide screens, and the end of a conversation.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

async function enter(page, testId) {
  await id(page, 'recent-project').click();
  await id(page, testId).waitFor();
}

const boxOf = (page, selector) => page.locator(selector).first().boundingBox();

const ready = (page) => page.locator('.widget:is([data-armed=ready],[data-armed=armed])').waitFor();

/** Reads further up, far from the end. */
async function readAbove(page) {
  await page.locator('.list').hover();
  for (let turn = 0; turn < 4; turn++) await page.mouse.wheel(0, -2000);
  await id(page, 'jump-latest').waitFor();
  // The browser may still be scrolling by what the wheel said.
  let before = -1;
  for (let still = 0; still < 3; ) {
    const now = await page.locator('.list').evaluate((list) => list.scrollTop);
    still = now === before ? still + 1 : 0;
    before = now;
    await page.waitForTimeout(50);
  }
}

const atEnd = (page) => id(page, 'jump-latest').waitFor({ state: 'detached' });

const dialogs = [
  [900, 600],
  [801, 561],
].map(([width, height]) => ({
  name: `a dialog stands in the middle, on whole pixels and within the window, at ${width}x${height}`,
  fake: 'tool',
  width,
  height,
  async run(page) {
    await enter(page, 'stop');
    await id(page, 'conversation-header-menu').click();
    await id(page, 'conversation-delete').click();
    await id(page, 'delete-dialog').waitFor();
    const small = await boxOf(page, '.dialog');
    assert.ok(Math.abs(small.x * 2 + small.width - width) <= 2, `across: ${JSON.stringify(small)}`);
    assert.ok(Math.abs(small.y * 2 + small.height - height) <= 2, `down: ${JSON.stringify(small)}`);
    const moved = await page
      .locator('.dialog')
      .evaluate((box) => [getComputedStyle(box).translate, getComputedStyle(box).transform]);
    assert.deepEqual(moved, ['none', 'none']);
    assert.ok(small.height < height / 2, 'it is as high as what it says');
  },
}));

const choices = [
  {
    name: 'a list of choices in a question is chosen from with the keys, and Esc closes only the list',
    fake: 'form',
    width: 900,
    height: 600,
    async run(page) {
      await enter(page, 'widget-form');
      await ready(page);
      const trigger = id(page, 'field-audience');
      await trigger.scrollIntoViewIfNeeded();
      await trigger.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('listbox').waitFor();
      const popup = await boxOf(page, '.choices');
      assert.ok(popup.y >= 0 && popup.y + popup.height <= 600, JSON.stringify(popup));
      const armed = await page.locator('.widget').getAttribute('data-armed');
      assert.ok(armed === 'ready' || armed === 'armed', `its own list made the question ${armed}`);
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'hidden' });
      assert.equal(await id(page, 'widget-form').getAttribute('data-answered'), 'false');
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: 'support' }).waitFor();
      await page.keyboard.press('Home');
      await page.keyboard.type('su');
      await page.keyboard.press('Enter');
      await page.getByRole('listbox').waitFor({ state: 'hidden' });
      assert.match(await trigger.innerText(), /support/);
      await trigger.click();
      await page.getByRole('option', { name: 'sales' }).click();
      await page.getByRole('listbox').waitFor({ state: 'hidden' });
      assert.match(await trigger.innerText(), /sales/);
      await page.locator('[data-testid=field-audience]:focus').waitFor();
    },
  },
  {
    name: 'a list of choices that lies over a question keeps it from being answered',
    fake: 'approval',
    async run(page) {
      await enter(page, 'widget-submit');
      await page.keyboard.press('Control+l');
      await ready(page);
      await id(page, 'log-level').click();
      await page.locator('.widget[data-armed=hidden]').waitFor();
      await page.keyboard.press('Escape');
      await ready(page);
    },
  },
];

const SMALL = { width: 900, height: 600 };

export const roomScreens = [
  {
    name: 'choices-provider',
    all: true,
    fake: 'start',
    go: async (page) => {
      await id(page, 'connect-model').click();
      await id(page, 'local-ollama').waitFor();
      await id(page, 'model-provider').click();
      await page.getByRole('option').nth(12).waitFor();
    },
  },
  {
    name: 'choices-form',
    all: true,
    fake: 'form',
    ...SMALL,
    go: async (page) => {
      await enter(page, 'widget-form');
      await id(page, 'field-audience').scrollIntoViewIfNeeded();
      await id(page, 'field-audience').click();
      await page.getByRole('option').nth(2).waitFor();
    },
  },
  {
    name: 'skip-link',
    fake: 'completed',
    ...SMALL,
    go: async (page) => {
      await enter(page, 'completed-label');
      await id(page, 'skip-link').focus();
    },
  },
];

export const roomChecks = [
  ...dialogs,
  ...choices,
  {
    name: 'who says something while they read further up is led to the end',
    fake: 'long',
    async run(page) {
      await enter(page, 'composer-input');
      await readAbove(page);
      await id(page, 'composer-input').fill('Go on');
      await page.keyboard.press('Enter');
      await atEnd(page);
    },
  },
  {
    name: 'who answers a question while they read further up is led to what comes of it',
    fake: 'heavy',
    async run(page) {
      await enter(page, 'widget-form');
      await readAbove(page);
      await ready(page);
      await id(page, 'widget-submit').click();
      await id(page, 'widget-submitted').waitFor();
      await atEnd(page);
    },
  },
  {
    name: 'the log lies beside the sidebar, and is made higher with the mouse and with the keys',
    fake: 'log',
    async run(page) {
      await enter(page, 'completed-label');
      const before = await boxOf(page, '.sidebar');
      await page.keyboard.press('Control+l');
      await id(page, 'log-row').waitFor();
      assert.deepEqual(await boxOf(page, '.sidebar'), before, 'the log moved the sidebar');
      const height = async () => Math.round((await boxOf(page, '.log-drawer')).height);
      assert.equal(await height(), 300);
      assert.ok((await boxOf(page, '.log-drawer')).x >= before.width - 1);
      const edge = page.locator('.log-drawer [data-testid=splitter]');
      const { x, y } = await edge.boundingBox();
      await page.mouse.move(x + 200, y + 3);
      await page.mouse.down();
      await page.mouse.move(x + 200, y + 53, { steps: 5 });
      await page.mouse.up();
      assert.equal(await height(), 250);
      await edge.focus();
      await page.keyboard.press('ArrowUp');
      assert.equal(await height(), 266);
      await page.reload();
      await page.locator('.composer').waitFor();
      await page.keyboard.press('Control+l');
      await id(page, 'log-drawer').waitFor();
      assert.equal(await height(), 266, 'after a reload');
      await edge.focus();
      await page.keyboard.press('End');
      assert.ok(
        (await boxOf(page, '.list-frame')).height >= 72,
        'the conversation went out of sight',
      );
    },
  },
  {
    name: 'on a broad screen the sidebar and the inspector take more of it',
    fake: 'completed',
    width: 1920,
    height: 1000,
    async run(page) {
      await enter(page, 'completed-label');
      assert.equal(Math.round((await boxOf(page, '.sidebar')).width), 320);
      assert.equal(Math.round((await boxOf(page, '.inspector')).width), 380);
      await page.setViewportSize({ width: 1200, height: 800 });
      await page.waitForFunction(() => document.querySelector('.inspector').clientWidth < 310);
      assert.equal(Math.round((await boxOf(page, '.sidebar')).width), 248);
    },
  },
  {
    name: 'F6 goes through the parts of the window, and Shift+F6 back',
    fake: 'approval',
    async run(page) {
      await enter(page, 'widget-submit');
      const parts = ['sidebar', 'list', 'dock', 'composer', 'inspector', 'log-drawer'];
      const here = () =>
        page.evaluate(
          (names) => names.find((one) => document.activeElement?.closest(`.${one}`)),
          parts,
        );
      const way = async (key, times) => {
        const seen = [];
        for (let n = 0; n < times; n++) {
          await page.keyboard.press(key);
          seen.push(await here());
        }
        return seen;
      };
      assert.equal(await here(), 'composer');
      await page.keyboard.press('Control+l');
      await id(page, 'log-drawer').waitFor();
      await page.locator('.list').focus();
      // Past the question nobody goes; from it the next stop of the Tab key is the composer.
      assert.deepEqual(await way('F6', 5), ['dock', 'inspector', 'log-drawer', 'sidebar', 'list']);
      assert.deepEqual(await way('Shift+F6', 3), ['sidebar', 'log-drawer', 'inspector']);
      assert.equal(await id(page, 'widget-confirmation').getAttribute('data-answered'), 'false');
    },
  },
  {
    name: 'the first thing that the keyboard comes to leads past the sidebar to the conversation',
    fake: 'completed',
    async run(page) {
      await enter(page, 'completed-label');
      const first = await page.evaluate(() => {
        const all = document.querySelectorAll('#root :is(a[href], button, input, [tabindex="0"])');
        all[0].focus();
        return all[0].dataset.testid;
      });
      assert.equal(first, 'skip-link');
      assert.ok((await boxOf(page, '.skip-link')).x >= 0);
      await page.keyboard.press('Enter');
      await page.locator('.list:focus').waitFor();
      assert.equal(new URL(page.url()).hash, '');
    },
  },
  {
    name: 'a run that is renamed keeps the height of its row',
    fake: 'completed',
    async run(page) {
      await enter(page, 'completed-label');
      const height = async () => (await boxOf(page, '.conversation-row')).height;
      const before = await height();
      await id(page, 'conversation-menu').click();
      await id(page, 'conversation-rename').click();
      await id(page, 'rename-field').waitFor();
      assert.ok(Math.abs((await height()) - before) < 1, `${before} became ${await height()}`);
    },
  },
  {
    name: 'the words of the window are not marked, and those of people are',
    fake: 'completed',
    async run(page) {
      await enter(page, 'completed-label');
      const marked = (selector) =>
        page.evaluate((one) => {
          const part = document.querySelector(one);
          getSelection().selectAllChildren(part);
          return getSelection().toString().trim() !== '';
        }, selector);
      for (const part of ['.sidebar', '.conversation-header', 'h2.section-line', '.badge']) {
        assert.equal(await marked(part), false, part);
      }
      for (const part of ['.md', '.said', '.inspector h2']) {
        assert.equal(await marked(part), true, part);
      }
    },
  },
  {
    name: 'dark letters are a little stronger on Linux, and light ones are not',
    fake: 'completed',
    async run(page) {
      await enter(page, 'completed-label');
      const weight = () => page.evaluate(() => getComputedStyle(document.body).fontWeight);
      assert.equal(await weight(), '430');
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator(':root[data-theme=dark]').waitFor();
      assert.equal(await weight(), '400');
    },
  },
  {
    name: 'code in a text has the font of code, and its colours are loaded for it and not before',
    fake: 'plan_review',
    async run(page) {
      const loaded = () =>
        page.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => /code-parts/.test(name)),
        );
      await id(page, 'recent-project').waitFor();
      assert.equal(await loaded(), false);
      await enter(page, 'widget-submit');
      await page.locator('.md .code .tok-propertyName').first().waitFor();
      assert.equal(await loaded(), true);
      const font = await page
        .locator('.md .code pre code')
        .first()
        .evaluate((code) => getComputedStyle(code).fontFamily);
      assert.match(font, /JetBrains Mono/);
    },
  },
  {
    name: 'a quote stands as far from what is before it as a paragraph does',
    fake: 'completed',
    async run(page) {
      await enter(page, 'completed-label');
      const gap = await page
        .locator('.md blockquote')
        .first()
        .evaluate(
          (quote) =>
            quote.getBoundingClientRect().top -
            quote.previousElementSibling.getBoundingClientRect().bottom,
        );
      assert.ok(gap > 4, `${gap} pixels`);
    },
  },
];
