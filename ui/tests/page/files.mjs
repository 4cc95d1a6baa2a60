// Files of the project: dragged to where one writes, and open beside it.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

async function enter(page) {
  await id(page, 'recent-project').click();
  await id(page, 'completed-label').waitFor();
}

/** A file of the project with code in it, opened from the panel. */
export async function code(page) {
  await enter(page);
  await id(page, 'rail-files').click();
  await page.getByTestId('folder-row').filter({ hasText: 'src' }).click();
  await page.getByTestId('file-row').filter({ hasText: 'save.ts' }).click();
  await page.locator('.tok-keyword').first().waitFor();
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
      await page.getByTestId('change').filter({ hasText: 'README.md' }).last().click();
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
  {
    name: 'a long line of which nothing can be seen is shown by signs, to its end',
    fake: 'completed',
    async run(page) {
      await code(page);
      await page.getByTestId('file-row').filter({ hasText: 'unseen.json' }).click();
      await id(page, 'whole-diff').waitFor();
      await page.locator('.file-body').focus();
      await page.keyboard.press('End');
      const isAtEnd = () =>
        page.waitForFunction(() => {
          const box = document.querySelector('.file-body');
          return box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
        });
      await isAtEnd();
      await page.locator('.diff-row mark').last().waitFor();
      // It stays there.
      await page.waitForTimeout(300);
      await isAtEnd();
    },
  },
  {
    name: 'what is copied of a file is what is in it, and no sign',
    fake: 'completed',
    async run(page) {
      await code(page);
      await page.evaluate(() => {
        addEventListener('copy', (event) => {
          window.copied = event.clipboardData.getData('text/plain');
        });
      });
      await id(page, 'code').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+c');
      const copied = await page.evaluate(() => window.copied);
      assert.match(copied, /^import \{ open \}/);
      assert.ok(copied.includes('ripe \u202e\u2066// and nothing else\u2069\u2066\n'));
      assert.ok(copied.endsWith('null;\n}\n'));
      // It is read: nothing that is pressed changes it.
      await page.keyboard.press('Delete');
      await page.keyboard.type('x');
      await page.locator('.cm-line').filter({ hasText: 'import { open }' }).waitFor();
    },
  },
  {
    name: 'the keys of a file that is read: search, the search is closed, the file is closed',
    fake: 'completed',
    async run(page) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await code(page);
      // From where one writes, too.
      await id(page, 'composer-input').click();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('plants');
      await id(page, 'find-count').getByText('1 of 3').waitFor();
      await page.keyboard.press('Enter');
      await id(page, 'find-count').getByText('2 of 3').waitFor();
      await page.locator('.cm-searchMatch-selected').filter({ hasText: 'plants' }).waitFor();
      await page.keyboard.press('Escape');
      await id(page, 'find-words').waitFor({ state: 'detached' });
      assert.equal(await id(page, 'file-viewer').isVisible(), true);
      await page.keyboard.press('Escape');
      await id(page, 'file-viewer').waitFor({ state: 'detached' });
    },
  },
];
