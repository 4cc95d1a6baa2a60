// Every screen of the page test: the recorded scenario it shows, and how to get there.
import { evidenceScreens } from './evidence.mjs';
import { code } from './files.mjs';
import { graphScreens } from './graph.mjs';
import { modeScreens } from './modes.mjs';
import { roomScreens } from './room.mjs';
import { serverScreens } from './servers.mjs';
import { sidebarScreens } from './sidebar.mjs';
import { skillScreens } from './skills.mjs';
import { subagents } from './subagents.mjs';
import { waitingScreens } from './waiting.mjs';
import { showTab, workspaceScreens } from './workspace.mjs';

const id = (page, testId) => page.getByTestId(testId).first();

const openProject = async (page) => {
  await id(page, 'recent-project').click();
  await id(page, 'workspace').waitFor();
};

/** Opens the project and waits for something of the conversation. */
const conversation = (testId) => async (page) => {
  await openProject(page);
  await id(page, testId).waitFor();
};

/** The dialog with what the model saw, and its newest request. */
const modelView = async (page) => {
  await conversation('activity')(page);
  await showTab(page, 'evidence');
  await id(page, 'open-requests').click();
  await id(page, 'request-proof').waitFor();
};

/** A file that the run changed, opened. */
const file = (name) => async (page) => {
  await conversation('completed-label')(page);
  await showTab(page, 'changes');
  // The tab that is left has it, too, until it is gone.
  await page.getByTestId('change').filter({ hasText: name }).last().click();
  await id(page, 'file-viewer').waitFor();
};

const settings = async (page) => {
  await id(page, 'connect-model').click();
  await id(page, 'model-base-url').waitFor();
  await id(page, 'local-ollama').waitFor();
};

const inspect = async (page) => {
  await id(page, 'import-package').click();
  await id(page, 'permission-sheet').waitFor();
};

/** A window in which a file lies beside the conversation. */
const LARGE = { width: 1440, height: 900 };

/** The smallest window that everything is made for. */
const SMALL = { width: 900, height: 600 };

const openWhole = async (page) => {
  await conversation('show-all')(page);
  await id(page, 'show-all').click();
  await id(page, 'whole-diff').waitFor();
};

const WIDGETS = [
  'form',
  'selection',
  'confirmation',
  'plan_review',
  'feedback',
  'action_selection',
];

export const screens = [
  ...workspaceScreens,
  ...sidebarScreens,
  ...modeScreens,
  ...waitingScreens,
  ...graphScreens,
  ...roomScreens,
  ...evidenceScreens,
  ...serverScreens,
  ...skillScreens,
  { name: 'start-first', fake: 'empty', go: (page) => id(page, 'play-demo').waitFor() },
  { name: 'start', all: true, fake: 'start', go: (page) => id(page, 'recent-project').waitFor() },
  {
    name: 'new-project',
    fake: 'start',
    go: async (page) => {
      await id(page, 'new-project').click();
      await id(page, 'create-project').click();
      await page.getByRole('alert').first().waitFor();
    },
  },
  { name: 'import', fake: 'start', go: inspect },
  { name: 'import-broken', fake: 'broken', go: inspect },
  { name: 'running', fake: 'running', go: conversation('stop') },
  { name: 'files-given', all: true, fake: 'given', ...SMALL, go: conversation('given-files') },
  {
    name: 'files-offered',
    all: true,
    fake: 'given',
    ...SMALL,
    go: async (page) => {
      await conversation('given-files')(page);
      await id(page, 'composer-input').pressSequentially('Take @no');
      await id(page, 'offered-files').waitFor();
      await page.keyboard.press('ArrowDown');
    },
  },
  { name: 'context-compressing', fake: 'context-compressing', go: conversation('context-meter') },
  {
    name: 'context-small',
    fake: 'context-compressing',
    ...SMALL,
    go: conversation('context-meter'),
  },
  {
    name: 'context-long',
    all: true,
    fake: 'context-long',
    go: async (page) => {
      await conversation('notice-compacted')(page);
      await id(page, 'context-meter').click();
      await id(page, 'context-afresh').waitFor();
    },
  },
  {
    name: 'context-steps-too-long',
    all: true,
    fake: 'context-steps-too-long',
    go: conversation('steps-too-long'),
  },
  {
    name: 'model-view',
    all: true,
    fake: 'tool',
    go: modelView,
  },
  {
    name: 'model-view-small',
    fake: 'tool',
    ...SMALL,
    go: modelView,
  },
  {
    name: 'settings-headers',
    all: true,
    fake: 'start',
    go: async (page) => {
      await settings(page);
      await id(page, 'header-name').fill('X-Title');
      await id(page, 'header-value').fill('Garden notes');
      await id(page, 'add-header').click();
      await id(page, 'header-row').waitFor();
      await id(page, 'add-header').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-prices',
    all: true,
    fake: 'start',
    go: async (page) => {
      await settings(page);
      await id(page, 'price-row').waitFor();
      await id(page, 'add-price').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'context-too-long',
    all: true,
    fake: 'context-too-long',
    go: conversation('start-afresh'),
  },
  {
    name: 'call-open',
    fake: 'tool',
    go: async (page) => {
      await conversation('activity')(page);
      await page.locator('[data-testid=step] button').first().click();
      await page.locator('[data-testid=calls] > button').last().click();
      await id(page, 'diff').waitFor();
    },
  },
  ...WIDGETS.map((type) => ({
    name: `widget-${type}`,
    fake: type,
    go: conversation(`widget-${type}`),
  })),
  {
    name: 'widget-long-path',
    all: true,
    fake: 'long-path',
    width: 900,
    height: 600,
    go: conversation('approval-folder'),
  },
  {
    name: 'widget-turned-names',
    all: true,
    fake: 'turned-names',
    width: 900,
    height: 600,
    go: conversation('approval-folder'),
  },
  { name: 'widget-cut', all: true, fake: 'cut', go: conversation('not-all-shown') },
  { name: 'widget-cut-small', all: true, fake: 'cut', ...SMALL, go: conversation('not-all-shown') },
  { name: 'widget-whole', all: true, fake: 'cut', ...SMALL, go: openWhole },
  {
    name: 'widget-whole-read',
    all: true,
    fake: 'cut',
    ...SMALL,
    go: async (page) => {
      await openWhole(page);
      await page.locator('.decision-body').press('End');
      await page.getByText('a new line 2499').waitFor();
      await page.locator('[data-testid=widget-submit]:enabled').waitFor();
    },
  },
  {
    name: 'widget-whole-changed',
    fake: 'cut-changed',
    ...SMALL,
    go: async (page) => {
      await conversation('show-all')(page);
      await id(page, 'show-all').click();
      await id(page, 'failure').waitFor();
    },
  },
  {
    name: 'message-plain',
    fake: 'heavy',
    go: async (page) => {
      await conversation('widget-form')(page);
      await page.locator('.list').hover();
      for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, -20_000);
      await page.locator('.list pre.plain').first().waitFor();
    },
  },
  { name: 'widget-approval', all: true, fake: 'approval', go: conversation('approval-folder') },
  {
    name: 'grants-menu',
    all: true,
    fake: 'approval',
    go: async (page) => {
      await conversation('grants-menu')(page);
      await id(page, 'grants-menu').click();
      await id(page, 'revoke-approval-menu').waitFor();
    },
  },
  { name: 'widget-rewind', all: true, fake: 'rewind', go: conversation('restored-files') },
  {
    name: 'rewound',
    fake: 'rewound',
    go: async (page) => {
      await conversation('call-card')(page);
      await page.locator('[data-tool="workflow.rewind"] > button').click();
      await id(page, 'restored-files').waitFor();
    },
  },
  { name: 'widget-two-places', all: true, fake: 'two-places', go: conversation('diff') },
  {
    name: 'widget-split',
    all: true,
    fake: 'two-places',
    go: async (page) => {
      await conversation('diff')(page);
      await id(page, 'look-split').click();
      await page.locator('.diff-cell + .diff-cell').first().waitFor();
    },
  },
  {
    name: 'widget-split-small',
    fake: 'two-places',
    width: 900,
    height: 600,
    go: async (page) => {
      await conversation('diff')(page);
      await page.keyboard.press('Alt+D');
      await page.locator('.diff-cell + .diff-cell').first().waitFor();
    },
  },
  {
    name: 'widget-preview',
    all: true,
    fake: 'new-text',
    go: async (page) => {
      await conversation('diff')(page);
      await id(page, 'look-preview').click();
      await id(page, 'change-preview').waitFor();
    },
  },
  {
    name: 'widget-long-diff',
    all: true,
    fake: 'long-diff',
    width: 900,
    height: 600,
    go: conversation('diff'),
  },
  {
    name: 'inspector-drawer',
    all: true,
    fake: 'completed',
    width: 900,
    height: 600,
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'inspector-toggle').click();
      await id(page, 'inspector-drawer').waitFor();
    },
  },
  { name: 'widget-unbound', fake: 'unbound', go: conversation('unbound') },
  {
    name: 'widget-form-errors',
    fake: 'form',
    go: async (page) => {
      await conversation('widget-form')(page);
      await page.locator('.widget[data-armed=ready]').waitFor();
      await id(page, 'widget-submit').click();
      await page.getByRole('alert').first().waitFor();
    },
  },
  { name: 'refused', all: true, fake: 'refused', go: conversation('widget-declined') },
  { name: 'answered', fake: 'answered', go: conversation('widget-submitted') },
  { name: 'completed', all: true, fake: 'completed', go: conversation('completed-label') },
  { name: 'file-diff', all: true, fake: 'completed', go: file('README.md') },
  { name: 'file-preview', all: true, fake: 'completed', ...SMALL, go: file('story.md') },
  {
    name: 'file-source',
    fake: 'completed',
    go: async (page) => {
      await file('story.md')(page);
      await id(page, 'file-source').click();
      await page.locator('.tok-heading').first().waitFor();
    },
  },
  {
    name: 'file-code',
    all: true,
    fake: 'completed',
    ...SMALL,
    go: async (page) => {
      await code(page);
      await page.keyboard.press('Control+f');
      await id(page, 'find-words').pressSequentially('ripe');
      await id(page, 'find-count').getByText('10').waitFor();
    },
  },
  {
    name: 'file-code-beside',
    fake: 'completed',
    ...LARGE,
    go: code,
  },
  {
    name: 'file-put-back',
    all: true,
    fake: 'completed',
    ...SMALL,
    go: async (page) => {
      await file('README.md')(page);
      await id(page, 'file-put-back').click();
      await page.getByTestId('put-back-confirm').and(page.locator(':enabled')).waitFor();
    },
  },
  { name: 'file-gone', fake: 'completed', ...SMALL, go: file('draft.md') },
  {
    name: 'files-panel',
    all: true,
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'rail-files').click();
      for (const name of ['artifacts', 'create-story', 'notes']) {
        await page.getByTestId('folder-row').filter({ hasText: name }).click();
      }
      await page.getByTestId('file-row').filter({ hasText: 'what sales said' }).waitFor();
      await page.getByTestId('file-row').filter({ hasText: 'story.md' }).hover();
    },
  },
  { name: 'file-beside', all: true, fake: 'completed', ...LARGE, go: file('README.md') },
  { name: 'changes-unread', all: true, fake: 'unread-changes', go: conversation('failure') },
  { name: 'earlier', all: true, fake: 'paged-short', go: conversation('show-earlier') },
  { name: 'error', fake: 'error', go: conversation('retry') },
  { name: 'no-key', all: true, fake: 'no-key', go: conversation('model-settings') },
  { name: 'demo-end', all: true, fake: 'demo-end', go: conversation('demo-end') },
  {
    name: 'demo-switch',
    fake: 'demo-end',
    go: async (page) => {
      await conversation('demo-end')(page);
      await id(page, 'model-row').click();
      await id(page, 'demo-go').click();
      await id(page, 'switch-model').waitFor();
    },
  },
  {
    name: 'project-copied',
    all: true,
    fake: 'copied',
    go: async (page) => {
      await id(page, 'open-project').click();
      await id(page, 'project-copied').waitFor();
    },
  },
  {
    name: 'project-mismatch',
    fake: 'start',
    go: async (page) => {
      await id(page, 'locate-project').click();
      await id(page, 'project-mismatch').waitFor();
    },
  },
  {
    name: 'opened',
    fake: 'opened',
    go: async (page) => {
      await id(page, 'install').click();
      await id(page, 'install-blocked').waitFor();
    },
  },
  {
    name: 'package-in-use',
    all: true,
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'rail-packages').click();
      await id(page, 'package-menu').click();
      await id(page, 'package-remove').click();
      await id(page, 'remove-package').click();
      await id(page, 'using-runs').waitFor();
    },
  },
  { name: 'limit', fake: 'limit', go: conversation('resume') },
  { name: 'interrupted', fake: 'interrupted', go: conversation('resume') },
  { name: 'retrying', all: true, fake: 'retrying', go: conversation('retry-line') },
  { name: 'edited', fake: 'edited', go: conversation('state-edit') },
  { name: 'edit-refused', all: true, fake: 'edit-refused', go: conversation('state-edit') },
  {
    name: 'log',
    all: true,
    fake: 'log',
    go: async (page) => {
      await conversation('completed-label')(page);
      await page.keyboard.press('Control+l');
      await id(page, 'log-row').waitFor();
      await page.locator('[data-kind="tool"] > button').last().click();
      await id(page, 'log-latest').or(id(page, 'log-row')).first().waitFor();
    },
  },
  {
    name: 'log-empty',
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'log-toggle').click();
      await id(page, 'log-filter').fill('no such words');
      await page.locator('.log-lines .empty').waitFor();
    },
  },
  { name: 'decision', all: true, fake: 'decision', go: conversation('decision-accept') },
  {
    name: 'decision-small',
    all: true,
    fake: 'decision',
    ...SMALL,
    go: async (page) => {
      await conversation('decision-accept')(page);
      await page.locator('[data-testid=decision]:not([data-line])').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'decision-open',
    all: true,
    fake: 'decision',
    go: async (page) => {
      await conversation('decision-accept')(page);
      const last = page.locator('[data-testid=decision]').last();
      await last.getByTestId('decision-actions').getByRole('button').click();
      await last.getByTestId('decision-rejected').getByRole('button').click();
      await id(page, 'rejected-text').waitFor();
    },
  },
  {
    name: 'decision-continue',
    all: true,
    fake: 'decision-continue',
    go: conversation('decision'),
  },
  {
    name: 'decision-continue-open',
    fake: 'decision-continue',
    go: async (page) => {
      await conversation('decision')(page);
      await id(page, 'decision-all').getByRole('button').click();
      await id(page, 'missing-facts').waitFor();
    },
  },
  { name: 'decision-blocked', all: true, fake: 'decision-blocked', go: conversation('decision') },
  {
    name: 'hooks',
    all: true,
    fake: 'hooks',
    go: async (page) => {
      await openProject(page);
      await id(page, 'hook-result').first().waitFor();
    },
  },
  {
    name: 'hooks-dialog',
    all: true,
    fake: 'hooks',
    go: async (page) => {
      await openProject(page);
      await id(page, 'hooks-open').click();
      await id(page, 'trust-hooks').waitFor();
    },
  },
  ...subagents,
  { name: 'decision-failed', all: true, fake: 'decision-failed', go: conversation('decision') },
  {
    name: 'decision-overruled',
    all: true,
    fake: 'decision-overruled',
    go: conversation('decision-overruled'),
  },
  { name: 'decision-unknown', fake: 'decision-unknown', go: conversation('decision') },
  { name: 'todos', all: true, fake: 'decision', height: 1400, go: conversation('todo') },
  {
    name: 'evidence-drawer',
    all: true,
    fake: 'decision',
    ...SMALL,
    go: async (page) => {
      await conversation('decision-accept')(page);
      await id(page, 'inspector-toggle').click();
      await id(page, 'obligation').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'end-run',
    all: true,
    fake: 'decision-blocked',
    ...SMALL,
    go: async (page) => {
      await conversation('decision')(page);
      await id(page, 'conversation-header-menu').click();
      await id(page, 'end-run').click();
      await id(page, 'end-dialog').waitFor();
    },
  },
  {
    name: 'end-run-menu',
    fake: 'decision-blocked',
    go: async (page) => {
      await conversation('decision')(page);
      await id(page, 'conversation-header-menu').click();
      await id(page, 'end-run').waitFor();
    },
  },
  { name: 'ended', all: true, fake: 'ended', go: conversation('notice-ended') },
  {
    name: 'foreign-change',
    all: true,
    fake: 'foreign-change',
    go: conversation('notice-foreign_change'),
  },
  {
    name: 'new-run',
    fake: 'no-model',
    go: async (page) => {
      await conversation('new-run')(page);
      await id(page, 'new-run').click();
      await id(page, 'no-model').waitFor();
    },
  },
  {
    name: 'packages',
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'rail-packages').click();
      await id(page, 'package-row').waitFor();
    },
  },
  {
    name: 'conversation-menu',
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'conversation-menu').click();
      await id(page, 'conversation-delete').waitFor();
    },
  },
  {
    name: 'conversation-delete',
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'conversation-menu').click();
      await id(page, 'conversation-delete').click();
      await id(page, 'delete-dialog').waitFor();
    },
  },
  {
    name: 'conversation-rename',
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'conversation-menu').click();
      await id(page, 'conversation-rename').click();
      await id(page, 'rename-field').waitFor();
    },
  },
  {
    name: 'search',
    all: true,
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await page.keyboard.press('Control+Shift+f');
      await id(page, 'search-field').fill('story');
      await id(page, 'search-hit').waitFor();
    },
  },
  {
    name: 'search-none',
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await page.keyboard.press('Control+Shift+f');
      await id(page, 'search-field').fill('zzz');
      await page.locator('.sidebar .empty').waitFor();
    },
  },
  {
    name: 'saved',
    fake: 'completed',
    go: async (page) => {
      await conversation('completed-label')(page);
      await id(page, 'conversation-header-menu').click();
      await id(page, 'export-md').click();
      await id(page, 'saved').waitFor();
    },
  },
  {
    name: 'settings-data',
    fake: 'start',
    go: async (page) => {
      await settings(page);
      await id(page, 'settings-data').click();
      await id(page, 'data-project').waitFor();
    },
  },
  { name: 'settings', all: true, fake: 'start', go: settings },
  {
    name: 'settings-about',
    all: true,
    fake: 'start',
    go: async (page) => {
      await settings(page);
      await id(page, 'settings-about').click();
      await id(page, 'doctor').getByRole('listitem').first().waitFor();
    },
  },
  ...['start', 'completed', 'approval', 'graph'].map((fake) => ({
    name: `contrast-${fake}`,
    all: true,
    strong: true,
    fake,
    go: async (page) => {
      await settings(page);
      await id(page, 'settings-appearance').click();
      await id(page, 'contrast-high').click();
      await id(page, 'text-size-large').click();
      await page.locator(':root[data-contrast=high][data-text-size=large]').waitFor();
      if (fake === 'start') return;
      await id(page, 'settings-back').click();
      await id(page, 'recent-project').click();
      await id(page, 'inspector-toggle').waitFor();
    },
  })),
  {
    name: 'start-misnamed-settings',
    all: true,
    fake: 'misnamed-settings',
    ...SMALL,
    go: (page) => id(page, 'failure-settings').waitFor(),
  },
  {
    name: 'settings-misnamed',
    all: true,
    fake: 'misnamed-settings',
    go: async (page) => {
      await id(page, 'failure-settings').click();
      await id(page, 'settings-file').waitFor();
    },
  },
  {
    name: 'conversation-failure',
    all: true,
    fake: 'running',
    ...SMALL,
    go: async (page) => {
      await conversation('stop')(page);
      await id(page, 'conversation-header-menu').click();
      await id(page, 'conversation-delete').click();
      await id(page, 'delete-confirm').click();
      await page.locator('.failure-bar').waitFor();
    },
  },
  {
    name: 'settings-import',
    all: true,
    fake: 'start',
    go: async (page) => {
      await settings(page);
      await id(page, 'settings-data').click();
      await id(page, 'import-electron').click();
      await id(page, 'import-totals').waitFor();
      await id(page, 'import-all').click();
      await id(page, 'import-skipped').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-test',
    fake: 'start',
    go: async (page) => {
      await settings(page);
      await id(page, 'test-connection').click();
      await id(page, 'model-test-result').waitFor();
    },
  },
  {
    name: 'settings-small-model',
    all: true,
    fake: 'small-model',
    go: async (page) => {
      await settings(page);
      await id(page, 'test-connection').click();
      await id(page, 'offer-step-now').waitFor();
      await id(page, 'offer-step').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-test-failed',
    fake: 'no-model',
    go: async (page) => {
      await settings(page);
      await id(page, 'test-connection').click();
      await id(page, 'failure').waitFor();
    },
  },
];
