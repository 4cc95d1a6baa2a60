// What stands round the conversation: the sidebar, the palette, and the tabs of the inspector.
import assert from 'node:assert/strict';

const id = (page, testId) => page.getByTestId(testId).first();

const SMALL = { width: 900, height: 600 };

const enter = (testId) => async (page) => {
  await id(page, 'recent-project').click();
  await id(page, testId).waitFor();
};

/** A tab of the inspector, which lies over a narrow window. */
export const showTab = async (page, tab) => {
  if (!(await id(page, `tab-${tab}`).isVisible())) await id(page, 'inspector-toggle').click();
  await id(page, `tab-${tab}`).click();
};

const tab = (name) => ({
  name: `tab-${name}`,
  fake: 'completed',
  go: async (page) => {
    await enter('completed-label')(page);
    await showTab(page, name);
  },
});

const palette = (text) => async (page) => {
  await enter('stop')(page);
  await page.keyboard.press('Control+k');
  await id(page, 'palette-item').waitFor();
  if (text) await page.keyboard.type(text);
};

export const workspaceScreens = [
  tab('changes'),
  tab('evidence'),
  tab('activity'),
  { name: 'elsewhere', all: true, fake: 'elsewhere', go: enter('runs-need-you') },
  { name: 'elsewhere-start', fake: 'elsewhere', go: (page) => id(page, 'runs-working').waitFor() },
  {
    name: 'sidebar-small',
    all: true,
    fake: 'elsewhere',
    ...SMALL,
    go: async (page) => {
      await enter('sidebar-icons')(page);
      await id(page, 'rail-works').click();
      await id(page, 'sidebar-drawer').waitFor();
    },
  },
  { name: 'sidebar-icons', fake: 'elsewhere', ...SMALL, go: enter('sidebar-icons') },
  {
    name: 'project-menu',
    fake: 'elsewhere',
    go: async (page) => {
      await enter('runs-need-you')(page);
      await id(page, 'project-menu').click();
      await id(page, 'rail-start').waitFor();
    },
  },
  { name: 'palette', all: true, fake: 'running', go: palette('') },
  { name: 'palette-small', fake: 'running', ...SMALL, go: palette('re') },
  {
    name: 'key-sheet',
    all: true,
    fake: 'running',
    go: async (page) => {
      await palette('')(page);
      await page.keyboard.press('End');
      await page.keyboard.press('Escape');
      await id(page, 'palette').waitFor({ state: 'detached' });
      await page.locator('.list').focus();
      await page.keyboard.press('?');
      await id(page, 'key-sheet').waitFor();
    },
  },
];

const focused = (page) =>
  page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? null);

/** Waits until nothing has moved in the conversation for a while: the first row in sight then, and by
 * how many pixels its beginning lies below the top. */
const placeAtRest = (page) =>
  page.evaluate(async () => {
    let before = '';
    for (let calm = 0; calm < 30; ) {
      await new Promise(requestAnimationFrame);
      const list = document.querySelector('.list');
      const top = list?.getBoundingClientRect().top ?? 0;
      const rows = [...(list?.querySelectorAll('.list-row') ?? [])];
      const row = rows.find((one) => one.getBoundingClientRect().bottom >= top + 1);
      const place =
        row && `${row.textContent} ${Math.round(row.getBoundingClientRect().top - top)}`;
      calm = place && place === before ? calm + 1 : 0;
      before = place;
    }
    return before;
  });

/** Shows a long conversation where somebody reads it, far above its end. */
const readAbove = async (page) => {
  await id(page, 'recent-project').click();
  await page.getByText('Answer 9999').waitFor();
  await page.locator('.list').hover();
  await page.mouse.wheel(0, -9000);
  await page.locator('.list-row').getByText('Answer 9791').waitFor();
  const before = await placeAtRest(page);
  assert.ok(before.includes('Answer 9791'), before);
  return before;
};

const showRun = async (page, name) => {
  await page.getByTestId('run-row').filter({ hasText: name }).click();
  await page.locator('.conversation-header h1').getByText(name).waitFor();
};

/** Goes to another run, and back; what happens in a frame soon after is told by `inFrame`. */
const comeBack = async (page, inFrame) => {
  await showRun(page, 'Hello, branch');
  await placeAtRest(page);
  if (inFrame) await page.evaluate(inFrame);
  await showRun(page, 'Create a story');
};

/** In each of the first frames of the next list all rows turn out higher, and each takes long. */
const growLate = () => {
  const old = document.querySelector('.list');
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [sheet];
  let frames = 0;
  const look = () => {
    if (document.querySelector('.list') !== old) frames += 1;
    sheet.replaceSync(`.list-row { padding-bottom: ${5 * frames}px; }`);
    const end = performance.now() + (frames > 0 ? 60 : 0);
    while (performance.now() < end);
    if (frames < 6) requestAnimationFrame(look);
  };
  look();
};

/** Reloads the page as soon as the next list was scrolled, before it rests. */
const reloadEarly = () => {
  const old = document.querySelector('.list');
  let frames = 0;
  const look = () => {
    if (document.querySelector('.list') !== old) frames += 1;
    if (frames < 4) requestAnimationFrame(look);
    else location.reload();
  };
  look();
};

/** Scrolls on as soon as the place is there again, as a drawn scroll bar does: nothing else tells of it. */
const scrollEarly = () => {
  const old = document.querySelector('.list');
  let frames = 0;
  const look = () => {
    const list = document.querySelector('.list');
    if (list !== old && list?.textContent.includes('Answer 9791')) frames += 1;
    if (frames > 2) list.scrollBy(0, -60);
    if (frames < 8) requestAnimationFrame(look);
  };
  look();
};

export const workspaceChecks = [
  {
    name: 'a conversation that is come back to is where one read it, also after a reload',
    fake: 'long',
    async run(page) {
      const before = await readAbove(page);
      await comeBack(page);
      assert.equal(await placeAtRest(page), before, 'another run');
      assert.equal(await page.locator('.list-row[data-found=true]').count(), 0, 'marked');
      // However often: what is lost each time would add up.
      for (const when of ['a reload', 'the next', 'the last']) {
        await page.reload();
        assert.equal(await placeAtRest(page), before, when);
      }
      await id(page, 'jump-latest').click();
      await placeAtRest(page);
      await page.reload();
      await page.getByText('Answer 9999').waitFor();
    },
  },
  {
    name: 'a conversation that is read from the beginning of a row is come back to there',
    fake: 'long',
    async run(page) {
      await readAbove(page);
      await page.locator('.list').evaluate((list) => {
        const { top } = list.getBoundingClientRect();
        const rows = [...list.querySelectorAll('.list-row')];
        const tops = rows.map((row) => row.getBoundingClientRect().top - top);
        list.scrollBy(
          0,
          tops.find((below) => below > 0),
        );
      });
      const before = await placeAtRest(page);
      assert.match(before, / 0$/);
      await comeBack(page);
      assert.equal(await placeAtRest(page), before);
    },
  },
  {
    name: 'where one read is held while rows turn out higher in a slow frame',
    fake: 'long',
    async run(page) {
      const before = await readAbove(page);
      await comeBack(page, growLate);
      assert.equal(await placeAtRest(page), before);
    },
  },
  {
    name: 'a page that is reloaded before it rests has not forgotten where one read',
    fake: 'long',
    async run(page) {
      const before = await readAbove(page);
      const loaded = page.waitForEvent('load');
      await comeBack(page, reloadEarly);
      await loaded;
      assert.equal(await placeAtRest(page), before);
    },
  },
  {
    name: 'whoever scrolls on at once is not led back to where they read before',
    fake: 'long',
    async run(page) {
      const before = await readAbove(page);
      await comeBack(page, scrollEarly);
      const now = await placeAtRest(page);
      assert.notEqual(now, before);
      await page.reload();
      assert.equal(await placeAtRest(page), now);
    },
  },
  {
    name: 'the step that one reads stands above while its title is out of sight, and leads there',
    fake: 'completed',
    width: 900,
    height: 420,
    async run(page) {
      await enter('completed-label')(page);
      await page.getByTestId('step').getByText('Gather the idea').click();
      const list = page.locator('.list');
      // Its title lies two rows above what is in sight first.
      await list.evaluate((box) => box.scrollTo(0, 260));
      const bar = id(page, 'section-in-sight');
      await bar.getByText('Gather the idea').waitFor();
      await bar.click();
      await bar.waitFor({ state: 'detached' });
      const title = await page.getByTestId('step').getByText('Gather the idea').boundingBox();
      const below = title.y - (await list.boundingBox()).y;
      assert.ok(below >= 0 && below < 80, `${below} pixels below the top`);
      // Where the title is in sight it stands there alone.
      await list.evaluate((box) => box.scrollTo(0, 0));
      assert.equal(await bar.count(), 0);
    },
  },
  {
    name: 'a run that waits in another project is opened by a click, with its project',
    fake: 'elsewhere',
    async run(page) {
      await enter('runs-need-you')(page);
      assert.match(await page.title(), /^\(\d\) CrewAgent Runtime$/);
      await page.getByTestId('run-row').filter({ hasText: 'The first day' }).click();
      await page.locator('.project-face strong').getByText('onboarding-guide').waitFor();
    },
  },
  {
    name: 'the palette goes where one says, by the keyboard alone, and one writes on',
    fake: 'completed',
    async run(page) {
      await enter('completed-label')(page);
      await page.keyboard.type('half a sentence');
      await page.keyboard.press('Control+k');
      await page.locator('[data-testid=palette-input]:focus').waitFor();
      await page.keyboard.type('dark');
      await page.keyboard.press('Enter');
      await page.locator('html[data-theme=dark]').waitFor();
      await id(page, 'palette').waitFor({ state: 'detached' });
      await page.locator('[data-testid=composer-input]:focus').waitFor();
      assert.equal(await id(page, 'composer-input').inputValue(), 'half a sentence');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('review a');
      await page.keyboard.press('Enter');
      await page.locator('.conversation-header h1').getByText('Review a story').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('readable');
      await page.keyboard.press('Enter');
      await id(page, 'search-hit').waitFor();
      assert.equal(await id(page, 'search-field').inputValue(), 'readable');
    },
  },
  {
    name: 'every key of the sheet works from where one writes',
    fake: 'completed',
    async run(page) {
      await enter('completed-label')(page);
      assert.equal(await focused(page), 'composer-input');
      await page.keyboard.press('Control+b');
      await id(page, 'sidebar-icons').waitFor();
      await page.keyboard.press('Control+b');
      await id(page, 'sidebar').waitFor();
      await page.keyboard.press('Control+i');
      await page.locator('.inspector').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+i');
      await page.locator('.inspector').waitFor();
      await page.keyboard.press('Control+l');
      await id(page, 'log-drawer').waitFor();
      await page.keyboard.press('Control+l');
      await id(page, 'log-drawer').waitFor({ state: 'detached' });
      assert.equal(await focused(page), 'composer-input');
      // A sign that is being written is no key.
      await page.keyboard.type('Why?');
      assert.equal(await page.getByTestId('key-sheet').count(), 0);
      assert.equal(await id(page, 'composer-input').inputValue(), 'Why?');
      await page.keyboard.press('Control+Shift+f');
      await page.locator('[data-testid=search-field]:focus').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+n');
      await id(page, 'run-start').waitFor();
      await page.keyboard.press('Control+,');
      await id(page, 'model-base-url').waitFor();
    },
  },
  {
    name: 'in a narrow window the sidebar lies over the rest, with its menus, and goes by its key',
    fake: 'elsewhere',
    ...SMALL,
    async run(page) {
      await enter('sidebar-icons')(page);
      await page.keyboard.press('Control+b');
      await id(page, 'sidebar-drawer').waitFor();
      const drawer = page.getByTestId('sidebar-drawer');
      await drawer.getByTestId('project-menu').click();
      await id(page, 'rail-start').waitFor();
      await page.keyboard.press('Escape');
      await id(page, 'rail-start').waitFor({ state: 'detached' });
      await drawer.locator('[data-current=true] [data-testid=conversation-menu]').click();
      await id(page, 'conversation-rename').click();
      await page.locator('[data-testid=rename-field]:focus').waitFor();
      await page.keyboard.type('Autumn');
      await page.keyboard.press('Enter');
      await drawer.getByText('Autumn').waitFor();
      await page.keyboard.press('Control+b');
      await drawer.waitFor({ state: 'detached' });
      // From the header it is named in the same list.
      await id(page, 'conversation-header-menu').click();
      await id(page, 'conversation-rename').click();
      await page.locator('[data-testid=rename-field]:focus').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'who searches again goes on with the same words',
    fake: 'completed',
    async run(page) {
      await enter('completed-label')(page);
      await page.keyboard.press('Control+Shift+f');
      await page.locator('[data-testid=search-field]:focus').waitFor();
      await page.keyboard.type('readable');
      await id(page, 'search-hit').waitFor();
      await id(page, 'composer-input').click();
      await page.keyboard.press('Control+Shift+f');
      await page.locator('[data-testid=search-field]:focus').waitFor();
      assert.equal(await id(page, 'search-field').inputValue(), 'readable');
      await page.keyboard.type('story');
      assert.equal(await id(page, 'search-field').inputValue(), 'story');
    },
  },
  {
    name: 'over a dialog the keys of the window do nothing',
    fake: 'completed',
    async run(page) {
      await enter('completed-label')(page);
      await id(page, 'conversation-header-menu').click();
      await id(page, 'conversation-delete').click();
      await id(page, 'delete-dialog').waitFor();
      for (const keys of ['Control+k', 'Control+n', 'Control+b', '?']) {
        await page.keyboard.press(keys);
      }
      assert.equal(await page.getByTestId('palette').count(), 0);
      assert.equal(await page.getByTestId('sidebar').count(), 1);
      assert.equal(await page.getByTestId('delete-dialog').count(), 1);
    },
  },
  {
    name: 'the inspector is made wider with the mouse and with the keys, within its bounds',
    fake: 'completed',
    async run(page) {
      await enter('completed-label')(page);
      const width = async () => (await page.locator('.inspector').boundingBox()).width;
      const edge = await id(page, 'splitter').boundingBox();
      await page.mouse.move(edge.x + 3, 300);
      await page.mouse.down();
      await page.mouse.move(edge.x - 97, 300, { steps: 5 });
      await page.mouse.up();
      assert.equal(Math.round(await width()), 400);
      await page.mouse.move(200, 300, { steps: 3 });
      assert.equal(Math.round(await width()), 400, 'let go');
      await id(page, 'splitter').focus();
      await page.keyboard.press('ArrowRight');
      assert.equal(Math.round(await width()), 384);
      await page.keyboard.press('End');
      assert.equal(Math.round(await width()), 560);
      await page.keyboard.press('Home');
      assert.equal(Math.round(await width()), 260);
    },
  },
  {
    name: 'the tabs of the inspector are changed with the arrow keys',
    fake: 'completed',
    async run(page) {
      await enter('completed-label')(page);
      await id(page, 'tab-run').focus();
      await page.keyboard.press('ArrowRight');
      await page.locator('[data-testid=tab-changes][data-active]').waitFor();
      await page.keyboard.press('End');
      await id(page, 'call-log').waitFor();
    },
  },
];
