// The steps of a run as a graph, and going back in it.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

const SMALL = { width: 900, height: 600 };

/** The open run, with the inspector in sight. */
const enter = async (page) => {
  await id(page, 'recent-project').click();
  await id(page, 'inspector-toggle').waitFor();
  if (!(await id(page, 'tab-run').isVisible())) await id(page, 'inspector-toggle').click();
  await id(page, 'graph-open').waitFor();
};

const showStep = async (page, step) => {
  await page.getByTestId(`step-${step}`).getByRole('button').click();
  await id(page, 'step-details').waitFor();
};

const openStep = (step) => async (page) => {
  await enter(page);
  await showStep(page, step);
};

const openWhole = async (page) => {
  await enter(page);
  await id(page, 'graph-open').click();
  await page.locator('.react-flow__node').first().waitFor();
  // It comes into sight by itself.
  await page.waitForTimeout(300);
};

const askToGoBack = async (page) => {
  await showStep(page, 'size');
  await id(page, 'step-back').click();
  await page.locator('[data-testid=rewind-confirm]:enabled').waitFor();
};

const openRewind = async (page) => {
  await enter(page);
  await askToGoBack(page);
};

/** Takes the open run back; the conversation tells it. */
const goBack = async (page) => {
  await askToGoBack(page);
  await id(page, 'rewind-confirm').click();
  await id(page, 'notice-went_back').waitFor();
  await id(page, 'rewind-dialog').waitFor({ state: 'detached' });
};

/** The inspector lies over the conversation in a small window. */
const leaveDrawer = async (page) => {
  if (!(await id(page, 'inspector-drawer').isVisible())) return;
  await page.keyboard.press('Escape');
  await id(page, 'inspector-drawer').waitFor({ state: 'detached' });
};

const wentBack = async (page) => {
  await enter(page);
  await goBack(page);
  await leaveDrawer(page);
};

const openUndo = async (page) => {
  await wentBack(page);
  await id(page, 'rewind-undo').click();
  await page.locator('[data-testid=rewind-confirm]:enabled').waitFor();
};

const past = async (page) => {
  await openWhole(page);
  await id(page, 'graph-time').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await id(page, 'graph-document').waitFor();
};

const first = async (page) => {
  await openWhole(page);
  await id(page, 'graph-time').focus();
  await page.keyboard.press('Home');
  await id(page, 'graph-document').waitFor();
};

export const graphScreens = [
  { name: 'nested', all: true, fake: 'nested', go: enter },
  { name: 'nested-small', all: true, fake: 'nested', ...SMALL, go: enter },
  { name: 'nested-whole', all: true, fake: 'nested', go: openWhole },
  { name: 'nested-whole-small', all: true, fake: 'nested', ...SMALL, go: openWhole },
  {
    name: 'nested-calls',
    fake: 'nested',
    go: async (page) => {
      await first(page);
      await page.locator('.react-flow__node').filter({ hasText: 'Write the chapters' }).click();
      await id(page, 'step-details').getByText('Write the chapters').waitFor();
    },
  },
  { name: 'graph', all: true, fake: 'graph', go: enter },
  { name: 'graph-small', fake: 'graph', ...SMALL, go: enter },
  { name: 'graph-step', all: true, fake: 'graph', go: openStep('size') },
  { name: 'graph-step-small', fake: 'graph', ...SMALL, go: openStep('check') },
  { name: 'graph-whole', all: true, fake: 'graph', go: openWhole },
  { name: 'graph-whole-small', fake: 'graph', ...SMALL, go: openWhole },
  { name: 'graph-past', fake: 'graph', go: past },
  { name: 'rewind-ask', all: true, fake: 'graph', go: openRewind },
  { name: 'rewind-ask-small', all: true, fake: 'graph', ...SMALL, go: openRewind },
  { name: 'rewind-done', all: true, fake: 'graph', go: wentBack },
  { name: 'rewind-done-small', all: true, fake: 'graph', ...SMALL, go: wentBack },
  { name: 'rewind-undo', all: true, fake: 'graph', go: openUndo },
  { name: 'rewind-undo-small', all: true, fake: 'graph', ...SMALL, go: openUndo },
  {
    name: 'rewind-undone',
    fake: 'graph',
    go: async (page) => {
      await openUndo(page);
      await id(page, 'rewind-confirm').click();
      await id(page, 'rewind-dialog').waitFor({ state: 'detached' });
    },
  },
];

/** What is wider than its place and not clipped there. */
const tooWide = (page, part) =>
  page.locator(part).evaluateAll((all) =>
    all
      .filter((it) => it.scrollWidth > it.clientWidth + 1)
      .filter((it) => getComputedStyle(it).overflowX === 'visible')
      .map((it) => it.outerHTML.slice(0, 120)),
  );

const focused = (page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? null);

/** How each step stands, in the inspector. */
async function standing(page) {
  if (!(await id(page, 'tab-run').isVisible())) await id(page, 'inspector-toggle').click();
  await page.getByTestId('step-size').waitFor();
  const all = await page
    .locator('[data-testid^=step-][data-status]')
    .evaluateAll((rows) => rows.map((row) => `${row.dataset.testid} ${row.dataset.status}`));
  return all.join('\n');
}

export const graphChecks = [
  {
    name: 'while workflows wait for others, each version has the graph of the workflow it was at',
    fake: 'nested',
    async run(page) {
      await openWhole(page);
      const path = id(page, 'graph-path');
      const titles = () => page.locator('.graph-node .words > :first-child').allInnerTexts();
      assert.match(await path.innerText(), /^Handbook.*›.*Write the chapters.*›.*Note$/s);
      assert.ok((await titles()).includes('Keep the answer'));
      await id(page, 'graph-time').focus();
      await page.keyboard.press('Home');
      await path.waitFor({ state: 'detached' });
      await page.locator('.graph-node').filter({ hasText: 'Plan the chapters' }).waitFor();
      assert.ok(!(await titles()).includes('Keep the answer'));
      await page.locator('.react-flow__node').filter({ hasText: 'Write the chapters' }).click();
      const calls = 'Runs the workflow “Chapter of the handbook';
      await id(page, 'step-details').getByText(calls).waitFor();
      // That step is of a workflow that waits: nobody goes back to it from there.
      assert.equal(await page.getByTestId('step-back').count(), 0);
      await id(page, 'graph-time').focus();
      await page.keyboard.press('End');
      await path.waitFor();
      await page.locator('.graph-node').filter({ hasText: 'Keep the answer' }).waitFor();
    },
  },
  {
    name: 'one goes back to a step that waits, and the run works on its workflow again',
    fake: 'nested',
    async run(page) {
      await enter(page);
      await page.getByTestId('waiting-sections').getByTestId('waiting-back').click();
      await id(page, 'rewind-dialog').getByText('Go back to “Write its sections').waitFor();
      await page.locator('[data-testid=rewind-confirm]:enabled').click();
      await id(page, 'rewind-dialog').waitFor({ state: 'detached' });
      await page.locator("[data-testid='step-sections'][data-status='current']").waitFor();
      assert.equal(await page.getByTestId('waiting-chapters').count(), 1);
      assert.equal(await page.getByTestId('waiting-sections').count(), 0);
    },
  },
  ...[{}, SMALL].map((size) => ({
    name: `long titles of workflows within workflows are clipped at ${size.width ?? 1200}`,
    fake: 'nested',
    ...size,
    async run(page) {
      await enter(page);
      assert.deepEqual(await tooWide(page, '.waiting-steps, .waiting-steps *, .called'), []);
      await id(page, 'graph-open').click();
      await id(page, 'graph-path').waitFor();
      assert.deepEqual(await tooWide(page, '.graph-path, .graph-path *'), []);
    },
  })),
  {
    name: 'more of a step is shown and left by keys, and the focus is where it was',
    fake: 'graph',
    async run(page) {
      await enter(page);
      await page.getByTestId('step-write').getByRole('button').focus();
      await page.keyboard.press('Enter');
      await id(page, 'step-details').waitFor();
      await page.keyboard.press('Escape');
      await id(page, 'step-details').waitFor({ state: 'detached' });
      const row = page.getByTestId('step-write').getByRole('button');
      assert.ok(await row.evaluate((it) => it === document.activeElement));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await id(page, 'step-details').getByText('not needed').waitFor();
    },
  },
  {
    name: 'two clicks on going back open it, and go nowhere',
    fake: 'graph',
    async run(page) {
      await openStep('size')(page);
      const box = await id(page, 'step-back').boundingBox();
      await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
      await id(page, 'rewind-dialog').waitFor();
      await page.waitForTimeout(900);
      assert.equal(await page.getByTestId('notice-went_back').count(), 0);
      // Nor does a key that was meant for what was there before.
      await page.keyboard.press('Escape');
      await id(page, 'rewind-dialog').waitFor({ state: 'detached' });
      await page.getByTestId('step-size').getByRole('button').click();
      await id(page, 'step-back').click();
      await page.keyboard.press('Enter');
      await page.waitForTimeout(300);
      assert.equal(await page.getByTestId('notice-went_back').count(), 0);
    },
  },
  {
    name: 'after going back one writes, and the step begins again',
    fake: 'graph',
    async run(page) {
      await enter(page);
      await goBack(page);
      assert.equal(await focused(page), 'composer-input');
      await page.locator("[data-testid='step-size'][data-status='current']").waitFor();
    },
  },
  ...[{}, SMALL].map((size) => ({
    name: `going back is undone with the mouse, at ${size.width ?? 1200}`,
    fake: 'graph',
    ...size,
    async run(page) {
      await enter(page);
      const before = await standing(page);
      await goBack(page);
      assert.notEqual(await standing(page), before);
      await leaveDrawer(page);
      const box = await id(page, 'rewind-undo').boundingBox();
      // The second click of two was meant for the button, and undoes nothing.
      await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
      await id(page, 'rewind-dialog').getByText('Undo going back: “Check').waitFor();
      await page.waitForTimeout(900);
      assert.equal(await page.getByTestId('notice-went_back').count(), 1);
      await page.locator('[data-testid=rewind-confirm]:enabled').click();
      await id(page, 'rewind-dialog').waitFor({ state: 'detached' });
      await page.getByText('the run stands at “Check the checklist” again').waitFor();
      assert.equal(await focused(page), 'composer-input');
      assert.equal(await standing(page), before);
    },
  })),
  {
    name: 'going back is undone by keys, or is left as it is',
    fake: 'graph',
    async run(page) {
      await enter(page);
      const before = await standing(page);
      await goBack(page);
      const after = await standing(page);
      const undo = id(page, 'rewind-undo');
      await undo.focus();
      await page.keyboard.press('Enter');
      await page.locator('[data-testid=rewind-confirm]:enabled').waitFor();
      await page.keyboard.press('Escape');
      await id(page, 'rewind-dialog').waitFor({ state: 'detached' });
      assert.ok(await undo.evaluate((it) => it === document.activeElement));
      assert.equal(await standing(page), after);
      await page.keyboard.press('Enter');
      await page.locator('[data-testid=rewind-confirm]:enabled').waitFor();
      const isAt = (part) =>
        page.evaluate((of) => document.activeElement?.dataset.testid === of, part);
      for (let n = 0; n < 12 && !(await isAt('rewind-confirm')); n++) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.getByText('the run stands at “Check the checklist” again').waitFor();
      await id(page, 'rewind-dialog').waitFor({ state: 'detached' });
      assert.equal(await standing(page), before);
      // That can be undone in its turn, until the run goes on.
      await id(page, 'rewind-undo').waitFor();
      await page.keyboard.type('Go on.');
      await page.keyboard.press('Enter');
      await id(page, 'stop').waitFor();
      assert.equal(await page.getByTestId('rewind-undo').count(), 0);
    },
  },
  {
    name: 'words that are said again are where one writes',
    fake: 'graph',
    async run(page) {
      await enter(page);
      await page.getByTestId('step').filter({ hasText: 'Gather the idea' }).click();
      const message = page.getByTestId('message-user').first();
      await message.hover();
      await message.getByTestId('message-again').click();
      await page.locator('[data-testid=rewind-confirm]:enabled').click();
      await id(page, 'rewind-dialog').waitFor({ state: 'detached' });
      const written = id(page, 'composer-input');
      assert.match(await written.inputValue(), /^I want our release notes/);
      assert.equal(await focused(page), 'composer-input');
    },
  },
  {
    name: 'the whole graph is gone through by keys and by the mouse, and back in time',
    fake: 'graph',
    async run(page) {
      await openWhole(page);
      const details = id(page, 'step-details');
      await details.getByText('Check the checklist').waitFor();
      await page.locator('.react-flow__node').filter({ hasText: 'Cut the story' }).click();
      await details.getByText('Cut the story').waitFor();
      await page.locator('.react-flow__node').filter({ hasText: 'Gather the idea' }).focus();
      await page.keyboard.press('Enter');
      await details.getByText('Gather the idea').waitFor();
      const statusOf = (title) =>
        page.locator('.graph-node').filter({ hasText: title }).getAttribute('data-status');
      assert.equal(await statusOf('Write the story'), 'completed');
      await id(page, 'graph-time').focus();
      await page.keyboard.press('Home');
      await id(page, 'graph-document').waitFor();
      assert.equal(await statusOf('Write the story'), 'pending');
      assert.equal(await statusOf('Gather the idea'), 'current');
      await page.keyboard.press('End');
      await id(page, 'graph-document').waitFor({ state: 'detached' });
      assert.equal(await statusOf('Write the story'), 'completed');
      await page.keyboard.press('Escape');
      await id(page, 'graph-dialog').waitFor({ state: 'detached' });
    },
  },
];
