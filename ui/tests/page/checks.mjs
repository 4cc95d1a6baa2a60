// Behaviour that only a real browser shows: scrolling, focus, keyboards, sizes.
import assert from 'node:assert/strict';
import { acceptance } from './acceptance.mjs';
import { decisions } from './decisions.mjs';
import { fileChecks } from './files.mjs';
import { graphChecks } from './graph.mjs';
import { hostileChecks } from './hostile.mjs';
import { modeChecks } from './modes.mjs';
import { roomChecks } from './room.mjs';
import { serverChecks } from './servers.mjs';
import { sidebarChecks } from './sidebar.mjs';
import { skillChecks } from './skills.mjs';
import { subagentChecks } from './subagents.mjs';
import { waitingChecks } from './waiting.mjs';
import { workspaceChecks } from './workspace.mjs';

const id = (page, testId) => page.getByTestId(testId).first();

async function enter(page, testId) {
  await id(page, 'recent-project').click();
  await id(page, testId).waitFor();
}

/** A question can be answered when it was in sight for a while. */
const ready = (page) => page.locator('.widget:is([data-armed=ready],[data-armed=armed])').waitFor();

const fromEnd = (page) =>
  page.locator('.list').evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);

/** Rows are measured after they are drawn, so the end is reached a frame later. */
async function atEnd(page, words) {
  const reached = () => {
    const list = document.querySelector('.list');
    return list && list.scrollHeight - list.clientHeight - list.scrollTop <= 2;
  };
  await page.waitForFunction(reached, null, { timeout: 3000 }).catch(async () => {
    assert.fail(`${words}: ${await fromEnd(page)} pixels to the end`);
  });
}

export const checks = [
  ...decisions,
  ...acceptance,
  ...subagentChecks,
  ...fileChecks,
  ...workspaceChecks,
  ...sidebarChecks,
  ...modeChecks,
  ...waitingChecks,
  ...graphChecks,
  ...hostileChecks,
  ...roomChecks,
  ...serverChecks,
  ...skillChecks,
  {
    name: 'Ctrl+A marks the text of a field and never the window',
    fake: 'long',
    async run(page) {
      await enter(page, 'composer-input');
      const marked = () => page.evaluate(() => getSelection().toString());
      await page.locator('.list').click({ position: { x: 2, y: 2 } });
      await page.keyboard.press('Control+a');
      assert.equal(await marked(), '');
      await id(page, 'composer-input').fill('our words');
      await page.keyboard.press('Control+a');
      const field = await id(page, 'composer-input').evaluate((input) =>
        input.value.slice(input.selectionStart, input.selectionEnd),
      );
      assert.equal(field, 'our words');
    },
  },
  {
    name: 'a conversation of 10,000 items opens at its end with few nodes',
    fake: 'long',
    async run(page) {
      await id(page, 'recent-project').click();
      await page.getByText('Answer 9999').waitFor();
      const nodes = await page
        .locator('.list')
        .evaluate((list) => list.querySelectorAll('*').length);
      assert.ok(nodes < 1500, `${nodes} nodes in the list`);
      await atEnd(page, 'it did not open at its end');
    },
  },
  {
    name: 'scrolling up shows the way back, and the button leads to the end',
    fake: 'long',
    async run(page) {
      await id(page, 'recent-project').click();
      await page.getByText('Answer 9999').waitFor();
      await page.locator('.list').hover();
      await page.mouse.wheel(0, -3000);
      await id(page, 'jump-latest').click();
      await id(page, 'jump-latest').waitFor({ state: 'detached' });
      await atEnd(page, 'the button did not lead to the end');
    },
  },
  {
    name: 'scrolling to the top brings the page before, and what is read stays where it is',
    fake: 'paged',
    async run(page) {
      await id(page, 'recent-project').click();
      await page.getByText('Answer 347').waitFor();
      await atEnd(page, 'it did not open at its end');
      const list = page.locator('.list');
      // To just below where the page before is asked for, and some pixels further with the wheel.
      await list.evaluate((box) => box.scrollTo(0, 700));
      const words = await page.waitForFunction(() => {
        const { top, bottom } = document.querySelector('.list').getBoundingClientRect();
        const all = [...document.querySelectorAll('[data-testid=message-user] .bubble')];
        return all.find((node) => {
          const place = node.getBoundingClientRect();
          return place.top > top + 60 && place.bottom < bottom - 400;
        })?.textContent;
      });
      const row = page.getByText(await words.jsonValue(), { exact: true });
      await list.hover();
      const before = await row.evaluate((node) => node.getBoundingClientRect().top);
      await page.mouse.wheel(0, -320);
      await page.waitForFunction(() => document.querySelector('.list').scrollTop > 2000);
      const after = await row.evaluate((node) => node.getBoundingClientRect().top);
      assert.ok(Math.abs(after - before - 320) < 4, `it jumped from ${before} to ${after}`);
    },
  },
  {
    name: 'with the keyboard alone the conversation can be read back to its beginning',
    fake: 'paged',
    async run(page) {
      await id(page, 'recent-project').click();
      await page.getByText('Answer 347').waitFor();
      await atEnd(page, 'it did not open at its end');
      const button = id(page, 'show-earlier');
      // From the list the next stop is the button, which comes into sight with the focus.
      await page.locator('.list').focus();
      await page.keyboard.press('Tab');
      const isFocused = () => document.activeElement?.dataset.testid === 'show-earlier';
      assert.ok(await page.evaluate(isFocused), 'the button is not the next stop');
      // 350 items are four pages; the last press takes the button away.
      for (let pages = 3; pages > 0 && (await button.count()) > 0; pages--) {
        const before = await page.locator('.list').evaluate((box) => box.scrollHeight);
        await page.keyboard.press('Enter');
        const grown = (old) => document.querySelector('.list').scrollHeight > old + 1000;
        await page.waitForFunction(grown, before);
      }
      await button.waitFor({ state: 'detached' });
      const inList = () => document.activeElement?.classList.contains('list');
      assert.ok(await page.evaluate(inList), 'the focus was lost');
    },
  },
  {
    name: 'the demo can be played to its end, and the list follows',
    fake: 'empty',
    height: 480,
    async run(page) {
      await id(page, 'play-demo').click();
      await id(page, 'widget-option-warm').click();
      await ready(page);
      await id(page, 'widget-submit').click();
      await id(page, 'widget-submitted').waitFor();
      await id(page, 'completed-label').waitFor();
      assert.equal(await id(page, 'phase-badge').getAttribute('data-phase'), 'completed');
      await atEnd(page, 'the list did not follow');
      assert.ok(await id(page, 'composer-input').isEnabled());
    },
  },
  {
    name: 'a confirmation never has the focus by itself, and a bare Enter does not confirm',
    fake: 'confirmation',
    async run(page) {
      await enter(page, 'widget-confirmation');
      const focused = await page.evaluate(() => document.activeElement?.dataset.testid ?? null);
      assert.equal(focused, 'composer-input');
      await ready(page);
      await id(page, 'widget-submit').focus();
      await page.keyboard.press('Enter');
      assert.equal(await id(page, 'widget-confirmation').getAttribute('data-answered'), 'false');
      await page.keyboard.press('Escape');
      await id(page, 'widget-declined').waitFor();
      assert.match(await id(page, 'widget-declined').innerText(), /Cancelled/);
    },
  },
  {
    name: 'a form can be filled in and sent with the keyboard alone',
    fake: 'form',
    async run(page) {
      await enter(page, 'widget-form');
      await ready(page);
      await id(page, 'field-title').focus();
      await page.keyboard.type('Readable notes');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('5');
      await page.keyboard.press('Enter');
      await id(page, 'widget-submitted').waitFor();
      // What is typed next, and the keys of the next question, are heard.
      const focused = await page.evaluate(() => document.activeElement?.dataset.testid ?? null);
      assert.equal(focused, 'composer-input');
    },
  },
  {
    name: 'a conversation whose messages are too much to be laid out opens and can be answered',
    fake: 'heavy',
    async run(page) {
      const before = Date.now();
      await enter(page, 'widget-form');
      await page.locator('.list').hover();
      for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, -20_000);
      await page.locator('.list pre.plain').first().waitFor();
      await id(page, 'jump-latest').click();
      await ready(page);
      await id(page, 'widget-submit').click();
      await id(page, 'widget-submitted').waitFor();
      assert.ok(Date.now() - before < 10_000, `${Date.now() - before} ms`);
    },
  },
  {
    name: 'theme and language can be switched from the start screen',
    fake: 'start',
    async run(page) {
      await id(page, 'theme-dark').click();
      await page.locator(':root[data-theme="dark"]').waitFor();
      await id(page, 'lang-zh').click();
      await page.locator(':root[lang="zh-CN"]').waitFor();
      await page.getByText('最近的项目').waitFor();
    },
  },
  {
    name: 'a link shows where it leads before it opens',
    fake: 'links',
    async run(page) {
      await id(page, 'recent-project').click();
      await page.getByRole('button', { name: 'the manual' }).click();
      await id(page, 'link-dialog').waitFor();
      assert.match(await id(page, 'link-dialog').textContent(), /https:\/\/example\.org\/manual/);
      assert.equal(await page.locator('.list img').count(), 0);
    },
  },
  {
    name: 'a conversation is named, found and deleted with the keyboard alone',
    fake: 'completed',
    async run(page) {
      await enter(page, 'completed-label');
      const menu = page.locator('[data-current=true] [data-testid=conversation-menu]');
      await menu.focus();
      await page.keyboard.press('Enter');
      // A menu that has just been drawn has the focus a moment later.
      await page.locator('[data-testid="conversation-rename"]:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('[data-testid="rename-field"]:focus').waitFor();
      await page.keyboard.type('Autumn release');
      await page.keyboard.press('Enter');
      await page.getByText('Autumn release').first().waitFor();
      await page.keyboard.press('Control+Shift+f');
      await page.locator('[data-testid="search-field"]:focus').waitFor();
      await page.keyboard.type('autumn');
      await id(page, 'found-titles').waitFor();
      await page.keyboard.press('Escape');
      await menu.focus();
      await page.keyboard.press('Enter');
      await page.locator('[data-testid="conversation-rename"]:focus').waitFor();
      await page.keyboard.press('End');
      await page.locator('[data-testid="conversation-delete"]:focus').waitFor();
      await page.keyboard.press('Enter');
      await id(page, 'delete-dialog').waitFor();
      const focused = await page.evaluate(() => document.activeElement?.dataset.testid ?? null);
      assert.equal(focused, 'delete-cancel');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Autumn release').first().waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a hit of a long conversation leads to its item',
    fake: 'long',
    async run(page) {
      await id(page, 'recent-project').click();
      await page.getByText('Answer 9999').waitFor();
      await page.keyboard.press('Control+Shift+f');
      await id(page, 'search-field').fill('readable');
      await id(page, 'search-hit').click();
      await page.locator('.list-row[data-found="true"]').waitFor();
    },
  },
  {
    name: 'a hit of a change opens its card, in the step that was folded away',
    fake: 'completed',
    async run(page) {
      await enter(page, 'completed-label');
      await page.keyboard.press('Control+Shift+f');
      await id(page, 'search-field').fill('docs/notes');
      await id(page, 'search-hit').click();
      const row = page.locator('.list-row[data-found="true"]');
      await row.locator('.call-body').waitFor();
      await page.waitForTimeout(500);
      const [list, card] = [await page.locator('.list').boundingBox(), await row.boundingBox()];
      assert.ok(card.y >= list.y && card.y < list.y + list.height, 'the card is out of sight');
    },
  },
  {
    name: 'everything fits at twice the zoom',
    fake: 'completed',
    width: 600,
    height: 400,
    async run(page) {
      await enter(page, 'completed-label');
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(sideways, 0);
      assert.ok(await id(page, 'composer-input').isVisible());
    },
  },
];
