// What a click authorises, what is half written, and where the focus is: only a real browser lays
// out, scrolls and points.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

async function enter(page, testId) {
  await id(page, 'recent-project').click();
  await id(page, testId).waitFor();
}

const state = (page, armed) => page.locator(`.widget[data-armed=${armed}]`).first().waitFor();
const focused = (page) => page.evaluate(() => document.activeElement?.dataset.testid ?? null);

/** The header that names what is authorised, and the buttons, are in sight between the list and where one writes. */
async function whole(page) {
  const cut = await page.locator('.dock > .widget').evaluate((widget) => {
    const above = document.querySelector('.list-frame').getBoundingClientRect();
    const below = document.querySelector('.composer').getBoundingClientRect();
    const parts = [...widget.querySelectorAll(':scope > header, .widget-footer button')];
    return parts
      .filter((part) => {
        const { top, bottom } = part.getBoundingClientRect();
        return top < above.bottom - 0.5 || bottom > below.top + 0.5;
      })
      .map((part) => part.textContent);
  });
  assert.deepEqual(cut, [], 'cut off');
}

const SIZES = [
  [900, 600],
  [800, 560],
];

/** The end of what scrolls, as the wheel reaches it. */
async function readOn(page, part) {
  await part.hover();
  for (let n = 0; n < 60; n++) await page.mouse.wheel(0, 120);
}

const longPaths = SIZES.flatMap(([width, height]) => [
  {
    name: `a path of thousands of letters is read to its end before a yes, at ${width}x${height}`,
    fake: 'long-path',
    width,
    height,
    async run(page) {
      await enter(page, 'widget-submit');
      await whole(page);
      const right = await page.locator('.widget').evaluate((widget) => {
        const edge = widget.getBoundingClientRect().right;
        const buttons = [...widget.querySelectorAll('button')];
        return buttons.filter((b) => b.getBoundingClientRect().right > edge).length;
      });
      assert.equal(right, 0, 'buttons beside the widget');
      await page.waitForTimeout(900);
      await id(page, 'widget-submit').click();
      await page.getByText('The name above goes on.').waitFor();
      await readOn(page, page.locator('.widget > header'));
      await readOn(page, page.locator('.granted'));
      await state(page, 'ready');
      await whole(page);
      await id(page, 'widget-submit').click();
      await page.getByText('Allowed once').waitFor();
    },
  },
  {
    name: `a path that was not read to its end can be declined, at ${width}x${height}`,
    fake: 'long-path',
    width,
    height,
    async run(page) {
      await enter(page, 'widget-submit');
      await page.waitForTimeout(800);
      await page.keyboard.press('Escape');
      await id(page, 'widget-declined').waitFor();
    },
  },
]);

const opened = SIZES.map(([width, height]) => ({
  name: `two hundred thousand lines are opened, read to their end and allowed, at ${width}x${height}`,
  fake: 'cut-huge',
  width,
  height,
  async run(page) {
    await enter(page, 'show-all');
    await whole(page);
    const began = Date.now();
    await id(page, 'show-all').click();
    await id(page, 'whole-diff').waitFor();
    assert.ok(Date.now() - began < 5_000, `opened in ${Date.now() - began} ms`);
    const hasFocus = () => document.activeElement?.matches('.decision-body');
    assert.ok(await page.evaluate(hasFocus), 'keys do not scroll what was opened');
    const gap = await page
      .locator('.diff-cell[data-line=del]')
      .first()
      .evaluate((row) => {
        const of = (part) => {
          const range = document.createRange();
          range.selectNodeContents(row.querySelector(part));
          return range.getBoundingClientRect();
        };
        return of('.text').left - of('.sign').right;
      });
    assert.ok(gap >= 3, `the sign is ${gap} px from the text`);
    await whole(page);
    const rows = () => page.locator('.diff-row').count();
    assert.ok((await rows()) < 200, `${await rows()} rows`);
    assert.equal(await id(page, 'widget-submit').isDisabled(), true);
    const body = page.locator('.decision-body');
    for (const key of ['PageDown', 'PageDown', 'PageUp']) await page.keyboard.press(key);
    assert.equal(await id(page, 'widget-submit').isDisabled(), true);
    await body.press('End');
    await page.getByText('a new line 199999').waitFor();
    assert.ok((await rows()) < 200, `${await rows()} rows`);
    await whole(page);
    await page.waitForTimeout(900);
    await page.locator('[data-testid=widget-submit]:enabled').click();
    const said = page.getByText('Allowed once, after all of it was opened');
    await said.waitFor();
    // What was opened is closed again: it would be a row of millions of pixels in the list.
    const { y, height: tall } = await said.boundingBox();
    assert.ok(y > 0 && y + tall < height, `the answer is at ${y}`);
  },
}));

const wrapped = SIZES.map(([width, height]) => ({
  name: `lines that take several rows are read to their end before a yes, at ${width}x${height}`,
  fake: 'cut-wide',
  width,
  height,
  async run(page) {
    await enter(page, 'show-all');
    await id(page, 'show-all').click();
    await id(page, 'whole-diff').waitFor();
    await page.keyboard.press('End');
    await page.locator('[data-testid=widget-submit]:enabled').waitFor();
    const below = await page.locator('.decision-body').evaluate((body) => {
      const last = [...body.querySelectorAll('.diff-row')].at(-1);
      const isLast = last.textContent.endsWith(' 2499');
      return isLast
        ? last.getBoundingClientRect().bottom - body.getBoundingClientRect().bottom
        : last.textContent;
    });
    assert.ok(below <= 2, `the last line is not in sight: ${below}`);
  },
}));

/** A second click at the same pixel, as soon as a hand can. */
async function clickTwice(page) {
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(150);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(100);
}

const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

const covered = [
  {
    what: 'a dialog',
    open: async (page) => {
      await id(page, 'conversation-header-menu').click();
      await id(page, 'conversation-delete').click();
      await id(page, 'delete-dialog').waitFor();
    },
    closed: (page) => id(page, 'delete-dialog').waitFor({ state: 'detached' }),
  },
  {
    what: 'a menu',
    open: async (page) => {
      await id(page, 'conversation-header-menu').click();
      await page.getByRole('menu').waitFor();
    },
    closed: (page) => page.getByRole('menu').waitFor({ state: 'detached' }),
  },
].map(({ what, open, closed }) => ({
  name: `a double click on what ${what} lies over closes it and authorises nothing`,
  fake: 'approval',
  width: 1000,
  height: 620,
  async run(page) {
    await enter(page, 'widget-submit');
    await state(page, 'ready');
    await open(page);
    const [x, y] = middle(await id(page, 'widget-submit').boundingBox());
    await page.mouse.move(x - 40, y);
    await page.waitForTimeout(900);
    await page.mouse.move(x, y, { steps: 4 });
    await clickTwice(page);
    await closed(page);
    await page.waitForTimeout(800);
    await clickTwice(page);
    assert.equal(await id(page, 'widget-confirmation').getAttribute('data-answered'), 'false');
    await page.mouse.move(x - 9, y);
    await page.mouse.down();
    await page.mouse.up();
    await id(page, 'widget-submitted').waitFor();
  },
}));

const inSight = SIZES.flatMap(([width, height]) =>
  ['long-diff', 'approval', 'confirmation', 'rewind', 'plan_review'].map((fake) => ({
    name: `what ${fake} is about and its buttons are in sight at ${width}x${height}`,
    fake,
    width,
    height,
    async run(page) {
      await enter(page, 'widget-submit');
      await state(page, 'ready');
      await whole(page);
    },
  })),
);

export const decisions = [
  ...opened,
  ...wrapped,
  ...inSight,
  ...longPaths,
  ...covered,
  {
    name: 'a name that is written to read as another shows how it is written',
    fake: 'turned-names',
    async run(page) {
      await enter(page, 'widget-submit');
      const title = await page.locator('.widget > header h2').innerText();
      assert.match(title, /@project\/docs\/⟨U\+202E⟩gpj\.yrammus⟨U\+202C⟩\.sh/);
      const diff = await page.locator('.widget .diff').innerText();
      assert.match(diff, /⟨U\+2066⟩only⟨U\+2069⟩ ⟨U\+202E⟩ then⟨U\+200B⟩/);
      assert.match(diff, /two {2}spaces/);
    },
  },
  {
    name: 'a question that comes to where the last one was answered is not answered with it',
    fake: 'two',
    width: 1920,
    height: 1080,
    async run(page) {
      await enter(page, 'widget-submit');
      await id(page, 'dock-count').getByText('1 of 2').waitFor();
      await state(page, 'ready');
      const [x, y] = middle(await id(page, 'widget-submit').boundingBox());
      await page.mouse.move(x, y, { steps: 5 });
      await clickTwice(page);
      await page.getByText('Question 2').last().waitFor();
      await state(page, 'ready');
      await clickTwice(page);
      assert.equal(await id(page, 'widget-confirmation').getAttribute('data-answered'), 'false');
      assert.equal(await page.getByTestId('widget-submitted').count(), 1);
      const below = await page.evaluate(
        ([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.dataset.testid,
        [x, y],
      );
      assert.equal(below, 'widget-submit', 'the second question did not come to that place');
    },
  },
  {
    name: 'ten clicks in one place answer nothing; a look and a move do',
    fake: 'approval',
    async run(page) {
      await enter(page, 'widget-submit');
      const { x, y, width, height } = await id(page, 'widget-submit').boundingBox();
      await page.mouse.move(x + width / 2, y + height / 2);
      for (let n = 0; n < 10; n++) await page.mouse.click(x + width / 2, y + height / 2);
      await id(page, 'too-early').waitFor();
      await state(page, 'ready');
      await page.mouse.click(x + width / 2, y + height / 2);
      assert.equal(await id(page, 'widget-confirmation').getAttribute('data-answered'), 'false');
      await page.mouse.move(x + width / 2 + 9, y + height / 2);
      await page.mouse.click(x + width / 2 + 9, y + height / 2);
      await id(page, 'widget-submitted').waitFor();
    },
  },
  {
    name: 'a form with names that every object answers to is shown, refused and answered',
    fake: 'odd-names',
    async run(page) {
      await enter(page, 'widget-form');
      await state(page, 'ready');
      await id(page, 'widget-submit').click();
      await page.getByText('Please fill in this field.').waitFor();
      await id(page, 'field-title').fill('Notes');
      await id(page, 'field-constructor').fill('Mia');
      await id(page, 'widget-submit').click();
      await id(page, 'widget-submitted').waitFor();
      await page.reload();
      await id(page, 'widget-form').waitFor();
    },
  },
  {
    name: 'of a form taller than the window the top and the button are in sight, and it scrolls',
    fake: 'form',
    width: 900,
    height: 480,
    async run(page) {
      await enter(page, 'widget-form');
      await whole(page);
      const body = page.locator('.dock .decision-body');
      assert.equal(await body.evaluate((box) => box.scrollTop), 0);
      assert.ok(await body.evaluate((box) => box.scrollHeight > box.clientHeight));
      await id(page, 'field-urgent').scrollIntoViewIfNeeded();
      await whole(page);
    },
  },
  {
    name: 'a half-filled form and a half-written message survive scrolling, switching and a reload',
    fake: 'form',
    async run(page) {
      const check = async (when) => {
        assert.equal(await id(page, 'field-title').inputValue(), 'Notes', when);
        assert.equal(await id(page, 'composer-input').inputValue(), 'Half a sen', when);
      };
      await enter(page, 'widget-form');
      await id(page, 'field-title').fill('Notes');
      await id(page, 'composer-input').fill('Half a sen');
      await page.locator('.list').evaluate((list) => list.scrollTo(0, 0));
      await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
      await id(page, 'widget-form').waitFor();
      await check('scrolled away');
      const rows = page.getByTestId('run-row');
      await rows.nth(1).click();
      await id(page, 'widget-form').waitFor({ state: 'detached' });
      await rows.nth(0).click();
      await id(page, 'widget-form').waitFor();
      await check('another run');
      await page.reload();
      await id(page, 'widget-form').waitFor();
      await check('a reload');
      // Where one left off one writes on.
      await id(page, 'composer-input').focus();
      await page.reload();
      await page.locator('[data-testid=composer-input]:focus').waitFor();
      await page.keyboard.type('tence');
      assert.equal(await id(page, 'composer-input').inputValue(), 'Half a sentence');
    },
  },
  {
    name: 'an Esc that closes a menu or a dialog does not stop the run; the next one does',
    fake: 'tool',
    async run(page) {
      await enter(page, 'stop');
      await page.waitForTimeout(900);
      await id(page, 'conversation-header-menu').click();
      await page.getByRole('menu').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await id(page, 'conversation-header-menu').click();
      await id(page, 'conversation-delete').click();
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.ok(await id(page, 'stop').isVisible(), 'the run was stopped by a key meant elsewhere');
      await page.keyboard.press('Escape');
      await id(page, 'notice-stopped').waitFor();
    },
  },
  {
    name: 'a tool card that was opened is open after scrolling away and back',
    fake: 'long',
    async run(page) {
      await id(page, 'recent-project').click();
      await page.getByText('Answer 9999').waitFor();
      await page.locator('[data-testid=calls] > button').last().click();
      await page.locator('[data-testid=call-card] > button').last().click();
      await page.locator('.call-body').waitFor();
      await page.locator('.list').evaluate((list) => list.scrollTo(0, 0));
      await page.locator('.call-body').waitFor({ state: 'detached' });
      await page.locator('.list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
      await page.locator('.call-body').waitFor();
    },
  },
  {
    name: 'the composer has the focus whenever it is the person’s turn and nothing else has it',
    fake: 'selection',
    async run(page) {
      await enter(page, 'widget-selection');
      assert.equal(await focused(page), 'composer-input', 'a run was opened');
      await id(page, 'conversation-header-menu').click();
      await page.getByRole('menu').waitFor();
      await page.mouse.click(640, 300);
      await page.getByRole('menu').waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'composer-input', 'a menu was closed');
      await id(page, 'widget-option-tickets').click();
      await state(page, 'ready');
      await id(page, 'widget-submit').click();
      await id(page, 'widget-submitted').waitFor();
      assert.equal(await focused(page), 'composer-input', 'a question was answered');
      await id(page, 'project-menu').click();
      await id(page, 'rail-start').click();
      await id(page, 'play-demo').click();
      await id(page, 'composer-input').waitFor();
      await page.keyboard.type('At once');
      assert.equal(
        await id(page, 'composer-input').inputValue(),
        'At once',
        'the demo was started',
      );
    },
  },
  {
    name: 'Esc and Ctrl+Enter are printed and work while the composer is empty, and only then',
    fake: 'approval',
    async run(page) {
      await enter(page, 'widget-submit');
      const keys = page.getByText('Esc: do not allow · Ctrl+Enter: allow once');
      await keys.waitFor();
      await page.keyboard.type('Wait');
      await keys.waitFor({ state: 'detached' });
      await state(page, 'ready');
      await page.keyboard.press('Escape');
      assert.equal(await id(page, 'widget-confirmation').getAttribute('data-answered'), 'false');
      for (let n = 0; n < 4; n++) await page.keyboard.press('Backspace');
      await keys.waitFor();
      await page.keyboard.press('Control+Enter');
      await id(page, 'widget-submitted').waitFor();
      await page.getByText('Allowed once').waitFor();
    },
  },
  ...SIZES.map(([width, height]) => ({
    name: `what went wrong lies over nothing that can be pressed, at ${width}x${height}`,
    fake: 'running',
    width,
    height,
    async run(page) {
      await enter(page, 'stop');
      await id(page, 'conversation-header-menu').click();
      await id(page, 'conversation-delete').click();
      await id(page, 'delete-confirm').click();
      await page.locator('.failure-bar').waitFor();
      const hidden = await page.evaluate(() =>
        [...document.querySelectorAll('.conversation :is(button, textarea)')]
          .filter((part) => {
            const { x, y, width, height } = part.getBoundingClientRect();
            const top = document.elementFromPoint(x + width / 2, y + height / 2);
            return top?.closest('.failure-bar') && !part.closest('.failure-bar');
          })
          .map((part) => part.dataset.testid),
      );
      assert.deepEqual(hidden, [], 'below what went wrong');
    },
  })),
  {
    name: 'in a narrow window the inspector lies over the conversation, and Esc closes it',
    fake: 'completed',
    width: 900,
    height: 600,
    async run(page) {
      await enter(page, 'completed-label');
      await id(page, 'inspector-toggle').focus();
      await page.keyboard.press('Enter');
      await id(page, 'inspector-drawer').waitFor();
      const inside = () => document.activeElement?.closest('.drawer') !== null;
      assert.ok(await page.evaluate(inside), 'the focus did not follow');
      await page.keyboard.press('Escape');
      await id(page, 'inspector-drawer').waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'inspector-toggle');
    },
  },
];
