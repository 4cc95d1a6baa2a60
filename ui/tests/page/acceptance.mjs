// What the runtime did not accept, and where a person goes from there.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

async function enter(page, testId) {
  await id(page, 'recent-project').click();
  await id(page, testId).waitFor();
}

const focused = (page) => page.evaluate(() => document.activeElement?.dataset.testid ?? null);

/** Goes to the button as a hand does, and presses. Playwright's own click scrolls the list away from its
 * end when it finds the button still moving. */
async function pressAccept(page) {
  const { x, y } = await id(page, 'decision-accept').boundingBox();
  await page.mouse.move(x + 4, y - 40);
  await page.mouse.move(x + 20, y + 12, { steps: 4 });
  await page.mouse.down();
  await page.mouse.up();
}

export const acceptance = [
  {
    name: 'words are accepted by a click that was meant, and not by the one before it',
    fake: 'decision',
    async run(page) {
      await enter(page, 'decision-accept');
      await pressAccept(page);
      await id(page, 'too-early').waitFor();
      await page.locator('.decision[data-armed=ready]').waitFor();
      await pressAccept(page);
      await id(page, 'decision-overruled').waitFor();
      assert.equal(await page.getByTestId('decision-accept').count(), 0);
      assert.equal(await focused(page), 'composer-input');
      // The words stand at the end, as a message.
      await page.locator('.by-assistant').getByText('written and checked').waitFor();
    },
  },
  {
    name: 'with the keyboard alone the model is told what is missing',
    fake: 'decision-failed',
    async run(page) {
      await enter(page, 'decision-tell');
      await id(page, 'decision-tell').focus();
      await page.keyboard.press('Enter');
      assert.equal(await focused(page), 'composer-input');
      await page.keyboard.type('Write it into docs/ instead.');
      await page.keyboard.press('Enter');
      await page.getByText('Write it into docs/ instead.').waitFor();
      await id(page, 'decision-tell').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a fact leads to its call, also from the drawer of a small window',
    fake: 'decision',
    width: 900,
    height: 600,
    async run(page) {
      await enter(page, 'decision-accept');
      await id(page, 'inspector-toggle').click();
      await id(page, 'tab-evidence').click();
      const facts = page.getByTestId('fact');
      await facts.last().getByRole('button').first().click();
      await facts.last().getByTestId('show-item').click();
      await id(page, 'inspector-drawer').waitFor({ state: 'detached' });
      const row = page.locator('.list-row[data-found=true]');
      await row.waitFor();
      assert.equal(await row.locator('.call-body').count(), 1, 'the call is not open');
    },
  },
  {
    name: 'a judgement that a model goes on from takes one line, however narrow the window is',
    fake: 'decision-continue',
    width: 800,
    height: 560,
    async run(page) {
      await enter(page, 'decision');
      const { height } = await id(page, 'decision').boundingBox();
      assert.ok(height < 40, `it is ${height} pixels high`);
    },
  },
];
