// Files of the project: dragged to where one writes, and open beside it.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

async function enter(page) {
  await id(page, 'recent-project').click();
  await id(page, 'completed-label').waitFor();
}

export const fileChecks = [
  {
    name: 'a file that is dragged to where one writes is mentioned there, and one writes on behind it',
    fake: 'completed',
    async run(page) {
      await enter(page);
      await id(page, 'rail-files').click();
      const field = id(page, 'composer-input');
      // Right behind a word it would be no mention.
      await field.fill('Look at');
      await page.getByTestId('file-row').filter({ hasText: 'README.md' }).dragTo(field);
      const mentioned = () =>
        page.waitForFunction(() =>
          document.querySelector('[data-testid=composer-input]').value.includes('@README.md '),
        );
      await mentioned();
      await page.keyboard.type('again');
      assert.match(await field.inputValue(), /(^| )@README\.md again/);
    },
  },
  {
    name: 'where one writes grows when a file beside it takes its room',
    fake: 'completed',
    async run(page) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await enter(page);
      const field = id(page, 'composer-input');
      await field.fill(
        'Some words that fit into one line of it, as long as nothing else is open here.',
      );
      const height = async () => (await field.boundingBox()).height;
      const before = await height();
      await page.getByTestId('change').filter({ hasText: 'README.md' }).click();
      await id(page, 'file-viewer').waitFor();
      await page.waitForFunction(
        (low) => document.querySelector('[data-testid=composer-input]').clientHeight > low,
        before,
      );
      await id(page, 'file-close').click();
      await page.waitForFunction(
        (low) => document.querySelector('[data-testid=composer-input]').clientHeight <= low,
        before,
      );
    },
  },
];
