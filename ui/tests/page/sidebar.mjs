// The sidebar beside its lists of runs: the menu of models at its foot, and the files below the runs.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

const SMALL = { width: 900, height: 600 };

async function enter(page) {
  await id(page, 'recent-project').click();
  await id(page, 'completed-label').waitFor();
}

/** The menu, with what was found on this computer. */
async function models(page) {
  await enter(page);
  await id(page, 'model-row').click();
  await page.getByTestId('model-choice').filter({ hasText: 'llama3.3' }).waitFor();
}

async function files(page) {
  await enter(page);
  if (await id(page, 'sidebar-icons').isVisible()) {
    await id(page, 'rail-files').click();
    await id(page, 'sidebar-drawer').waitFor();
  } else {
    await id(page, 'rail-files').click();
  }
  await page.getByTestId('file-row').filter({ hasText: 'README.md' }).waitFor();
}

export const sidebarScreens = [
  { name: 'model-menu', all: true, fake: 'completed', go: models },
  {
    name: 'model-menu-tested',
    all: true,
    fake: 'completed',
    go: async (page) => {
      await models(page);
      await id(page, 'model-menu-test').click();
      await id(page, 'model-menu-told').getByText(/\S/).first().waitFor();
      await page.locator('.tested').waitFor();
    },
  },
  {
    name: 'model-menu-demo',
    fake: 'demo-end',
    ...SMALL,
    go: async (page) => {
      await id(page, 'recent-project').click();
      await id(page, 'demo-end').waitFor();
      await id(page, 'rail-works').click();
      await id(page, 'model-row').click();
      await page.getByTestId('model-choice').filter({ hasText: 'llama3.3' }).waitFor();
    },
  },
  { name: 'files-small', all: true, fake: 'completed', ...SMALL, go: files },
];

const focused = (page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? null);

const height = async (locator) => Math.round((await locator.boundingBox()).height);

export const sidebarChecks = [
  {
    name: 'another model is chosen in the menu by the mouse, and tested there',
    fake: 'completed',
    async run(page) {
      await models(page);
      await page.getByTestId('model-choice').filter({ hasText: 'llama3.3' }).click();
      await id(page, 'model-menu-now').getByText('llama3.3:70b').waitFor();
      await page.getByTestId('model-choice').and(page.locator('[aria-checked=true]')).waitFor();
      await id(page, 'model-menu-test').click();
      await id(page, 'model-menu-now').getByText('llama3.3:70b works').waitFor();
      await page.mouse.click(640, 200);
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await id(page, 'model-row').getByText('llama3.3:70b').waitFor();
      await id(page, 'model-row').getByText('tools').waitFor();
    },
  },
  {
    name: 'another model is chosen by the keys alone, and Esc leads back to the button',
    fake: 'completed',
    async run(page) {
      await enter(page);
      // As Tab comes there, from what stands before it.
      await id(page, 'rail-settings').focus();
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'model-row');
      await page.keyboard.press('Enter');
      await page.getByTestId('model-choice').filter({ hasText: 'llama3.3' }).waitFor();
      const highlighted = () => page.locator('[data-testid=model-choice][data-highlighted]');
      await highlighted().filter({ hasText: 'qwen3' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await highlighted().filter({ hasText: 'gpt-4.1' }).waitFor();
      await page.keyboard.press('Enter');
      await id(page, 'model-menu-now').getByText('gpt-4.1').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await page.locator('[data-testid=model-row]:focus').waitFor();
      await page.keyboard.press('Enter');
      await id(page, 'model-menu-settings').waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.locator('[data-testid=model-name]:focus').waitFor();
    },
  },
  {
    name: 'another model that was found is chosen by the keys, and the focus stays on it',
    fake: 'completed',
    async run(page) {
      await enter(page);
      await id(page, 'model-row').focus();
      await page.keyboard.press('Enter');
      const found = page.getByTestId('model-choice').filter({ hasText: 'llama3.3' });
      await found.waitFor();
      await page.locator('[data-testid=model-choice][data-highlighted]').waitFor();
      const order = () => page.getByTestId('model-choice').allTextContents();
      const before = await order();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await id(page, 'model-menu-now').getByText('llama3.3:70b').waitFor();
      const chosen = () => found.and(page.locator('[aria-checked=true]:focus'));
      await chosen().waitFor();
      assert.deepEqual(await order(), before, 'each stays where it stood');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await chosen().waitFor();
    },
  },
  {
    name: 'the files stand below the runs, are made higher with mouse and keys, and stay so',
    fake: 'completed',
    async run(page) {
      await enter(page);
      assert.equal(await page.getByTestId('files-panel').count(), 0, 'folded at first');
      await id(page, 'rail-files').click();
      await page.getByTestId('file-row').filter({ hasText: 'README.md' }).waitFor();
      assert.ok(await id(page, 'run-row').isVisible(), 'the runs stay');
      const section = page.locator('.files-section');
      const before = await height(section);
      const edge = section.getByTestId('splitter');
      const { x, y } = await edge.boundingBox();
      await page.mouse.move(x + 60, y + 3);
      await page.mouse.down();
      await page.mouse.move(x + 60, y - 57, { steps: 5 });
      await page.mouse.up();
      assert.equal(await height(section), before + 60);
      await edge.focus();
      await page.keyboard.press('ArrowDown');
      assert.equal(await height(section), before + 44);
      await page.keyboard.press('End');
      const [high, all] = [await height(section), await height(page.getByTestId('sidebar'))];
      assert.ok(high <= all * 0.43, `${high} of ${all}`);
      assert.ok(await id(page, 'run-row').isVisible(), 'however high it was made');
      const told = async () => Number(await edge.getAttribute('aria-valuenow'));
      assert.equal(await told(), high, 'as high as it is told');
      assert.equal(Number(await edge.getAttribute('aria-valuemax')), high);
      await page.keyboard.press('ArrowDown');
      assert.equal(await height(section), high - 16, 'the first press is seen');
      assert.equal(await told(), high - 16);
      const size = page.viewportSize();
      await page.setViewportSize({ ...size, height: 600 });
      // In a lower window too, once it was measured.
      const measured = (isLower) =>
        page.waitForFunction(
          ([high, lower]) => {
            const part = document.querySelector('.files-section');
            const now = Number(part.querySelector('.splitter').getAttribute('aria-valuenow'));
            return now === part.offsetHeight && now < high === lower;
          },
          [high - 16, isLower],
        );
      await measured(true);
      await page.setViewportSize(size);
      await measured(false);
      await page.keyboard.press('End');
      assert.equal(await height(section), high);
      await page.waitForTimeout(600);
      await page.reload();
      await page.getByTestId('file-row').filter({ hasText: 'README.md' }).waitFor();
      assert.equal(await height(section), high, 'after a reload');
      await id(page, 'rail-files').click();
      await id(page, 'files-panel').waitFor({ state: 'detached' });
      await page.waitForTimeout(600);
      await page.reload();
      await id(page, 'run-row').waitFor();
      assert.equal(await page.getByTestId('files-panel').count(), 0, 'and folded');
    },
  },
  {
    name: 'the palette unfolds the files, also where the sidebar lies over the rest',
    fake: 'completed',
    async run(page) {
      await enter(page);
      const ask = async () => {
        await page.keyboard.press('Control+k');
        await page.locator('[data-testid=palette-input]:focus').waitFor();
        await page.keyboard.type('files');
        await page.keyboard.press('Enter');
        await page.getByTestId('file-row').filter({ hasText: 'README.md' }).waitFor();
      };
      await ask();
      assert.ok(await id(page, 'run-row').isVisible());
      await page.setViewportSize(SMALL);
      await id(page, 'sidebar-icons').waitFor();
      await ask();
      await id(page, 'sidebar-drawer').waitFor();
      await page.keyboard.press('Escape');
      await id(page, 'sidebar-drawer').waitFor({ state: 'detached' });
    },
  },
];
