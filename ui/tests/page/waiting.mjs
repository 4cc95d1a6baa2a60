// Very many runs that wait, of several projects: the first of them, and more on demand.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

const LARGE = { width: 1280, height: 800 };
const SMALL = { width: 900, height: 600 };

/** How many of them are shown at first, and with each press. */
const AT_ONCE = 50;

const list = async (page) => {
  await id(page, 'recent-project').click();
  if (page.viewportSize().width < 1000) {
    await id(page, 'sidebar-icons').waitFor();
    await id(page, 'rail-works').click();
    await id(page, 'sidebar-drawer').waitFor();
  }
  await id(page, 'runs-need-you').waitFor();
};

/** The rows of a group, which stand between its title and the next one. */
const rowsOf = (page, group) =>
  page.getByTestId(`runs-${group}`).evaluate((title) => {
    const rows = [];
    for (let row = title.nextElementSibling; row; row = row.nextElementSibling) {
      if (row.matches('.runs-group')) break;
      const button = row.querySelector('.row');
      if (button) rows.push(button.dataset.runId);
    }
    return rows;
  });

/** True while all of what has the focus can be seen, with nothing over it. */
const isFocusInSight = (page) =>
  page.evaluate(() => {
    const { left, top, bottom } = document.activeElement.getBoundingClientRect();
    const seen = [top + 3, bottom - 3].map((y) => document.elementFromPoint(left + 20, y));
    return seen.every((node) => document.activeElement.contains(node));
  });

/** Asks for more of a group with the mouse or a key: the focus is on the first row that came then. */
async function more(page, group, press) {
  const before = await rowsOf(page, group);
  await press(page.getByTestId(`more-${group}`));
  await page.waitForFunction((was) => {
    const run = document.activeElement.dataset.runId;
    return run !== undefined && !was.includes(run);
  }, before);
  const after = await rowsOf(page, group);
  assert.ok(after.length > before.length, `${after.length} after ${before.length}`);
  const stay = after.filter((run) => before.includes(run));
  assert.deepEqual(stay, before, 'those that were there stay');
  const focused = await page.evaluate(() => document.activeElement.dataset.runId);
  const first = after.find((run) => !before.includes(run));
  assert.equal(focused, first);
  assert.ok(await isFocusInSight(page), 'the row that has the focus is in sight');
  return first;
}

const byMouse = async (button) => {
  await button.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await button.boundingBox();
  await button.page().mouse.click(x + width / 2, y + height / 2);
};

/** As Tab comes there, from the row before it. */
const byKeys = async (button) => {
  const { keyboard } = button.page();
  await button.evaluate((node) => {
    const row = node.closest('li').previousElementSibling;
    [...row.querySelectorAll('button')].at(-1).focus();
  });
  await keyboard.press('Tab');
  assert.ok(await button.evaluate((node) => node === document.activeElement));
  await keyboard.press('Enter');
};

/** The start page shows fewer, for the projects stand below them. */
const start = async (page) => {
  await id(page, 'runs-need-you').waitFor();
  assert.equal((await rowsOf(page, 'need-you')).length, 8);
};

const screen = (name, size, go) => ({ name, all: true, fake: 'many-waiting', ...size, go });

export const waitingScreens = [
  screen('many-waiting-start', LARGE, start),
  screen('many-waiting-start-small', SMALL, async (page) => {
    await start(page);
    await more(page, 'need-you', byMouse);
  }),
  screen('many-waiting', LARGE, async (page) => {
    await list(page);
    await page.getByTestId('more-need-you').scrollIntoViewIfNeeded();
  }),
  screen('many-waiting-mouse', LARGE, async (page) => {
    await list(page);
    await more(page, 'need-you', byMouse);
  }),
  screen('many-waiting-keys', LARGE, async (page) => {
    await list(page);
    await more(page, 'working', byKeys);
  }),
  screen('many-waiting-small', SMALL, async (page) => {
    await list(page);
    await page.getByTestId('more-need-you').scrollIntoViewIfNeeded();
  }),
  screen('many-waiting-small-mouse', SMALL, async (page) => {
    await list(page);
    await more(page, 'working', byMouse);
  }),
  screen('many-waiting-small-keys', SMALL, async (page) => {
    await list(page);
    await more(page, 'need-you', byKeys);
  }),
];

/** All of them are asked for, one press after the other; then there is nothing to press. */
const all = (press) => async (page) => {
  await list(page);
  assert.equal((await rowsOf(page, 'need-you')).length, AT_ONCE);
  await more(page, 'need-you', press);
  await more(page, 'need-you', press);
  assert.equal(await page.getByTestId('more-need-you').count(), 0);
  assert.equal(await page.getByTestId('more-working').count(), 1, 'the other group is as it was');
  assert.equal((await rowsOf(page, 'working')).length, AT_ONCE);
  const [run] = (await rowsOf(page, 'need-you')).slice(-1);
  await page.locator(`[data-run-id=${run}]`).click();
  await page.locator(`[data-run-id=${run}][aria-current=true]`).waitFor();
};

export const waitingChecks = [
  {
    name: 'many-waiting: very many runs that wait are shown with the mouse, and the last is opened',
    fake: 'many-waiting',
    ...LARGE,
    run: all(byMouse),
  },
  {
    name: 'many-waiting: very many runs that wait are shown with the keys, and Enter opens where one is',
    fake: 'many-waiting',
    ...LARGE,
    async run(page) {
      await all(byKeys)(page);
      await page.reload();
      await page.getByTestId('more-need-you').waitFor();
      const run = await more(page, 'need-you', byKeys);
      await page.keyboard.press('Enter');
      await page.locator(`[data-run-id=${run}][aria-current=true]`).waitFor();
    },
  },
];
