// The tab Evidence: what is open, judged, decided and proved, closed and opened.
import { showTab } from './workspace.mjs';

const id = (page, testId) => page.getByTestId(testId).first();

/** The tab, with everything that it shows read. */
const enter = async (page) => {
  await id(page, 'recent-project').click();
  await id(page, 'workspace').waitFor();
  await showTab(page, 'evidence');
  await id(page, 'judgement').waitFor();
  await id(page, 'fact').waitFor();
};

/** Opens a row, and brings it to the top. */
const openRow = (testId, at) => async (page) => {
  await enter(page);
  const row = page.getByTestId(testId).nth(at);
  await row.getByRole('button').first().click();
  await row.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await row.getByTestId('show-item').waitFor();
};

/** All that is known of one file. */
const onlyFile = async (page) => {
  await openRow('fact', 1)(page);
  await id(page, 'only-file').click();
  await id(page, 'only-of').waitFor();
  await id(page, 'evidence-facts').evaluate((part) => part.scrollIntoView({ block: 'start' }));
};

const LARGE = { width: 1440, height: 900 };
const SMALL = { width: 900, height: 600 };

export const evidenceScreens = [
  { name: 'evidence', all: true, fake: 'evidence', ...LARGE, go: enter },
  { name: 'evidence-small', fake: 'evidence', ...SMALL, go: enter },
  {
    name: 'evidence-judgement',
    all: true,
    fake: 'evidence',
    ...LARGE,
    go: openRow('judgement', 0),
  },
  { name: 'evidence-approval', all: true, fake: 'evidence', ...LARGE, go: openRow('answer', 2) },
  { name: 'evidence-fact', all: true, fake: 'evidence', ...LARGE, go: openRow('fact', 1) },
  { name: 'evidence-file', fake: 'evidence', ...LARGE, go: onlyFile },
];
