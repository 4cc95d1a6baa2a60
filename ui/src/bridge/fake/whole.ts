// Changes that are too long to be shown at once: cut as the program cuts them, and opened whole.
import type { ChangeView, Failure, Phrase, WholeChange } from '../wire';
import { approval, approvalChange } from './approval';
import { asking, type Scene } from './pieces';
import { refuse } from './refusals';

const lines = (sign: string, words: string, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `${sign}${words} ${from + n}`).join('\n');

/** Of both sides the beginning and the end. */
function cutDiff(removed: number, added: number): string {
  const diff = [
    '--- a\n+++ b\n@@ -1,5 +1,0 @@',
    lines('-', 'an old line', 0, 5),
    `…\n@@ -${removed - 4},5 +1,5 @@`,
    lines('-', 'an old line', removed - 5, 5),
    lines('+', 'a new line', 0, 5),
    `…\n@@ -${removed},0 +${added - 4},5 @@`,
    lines('+', 'a new line', added - 5, 5),
  ];
  return `${diff.join('\n')}\n`;
}

function cut(removed: number, added: number, more: Partial<ChangeView> = {}): Scene {
  const parts: Phrase[] = [
    { key: 'lines', values: { added: `${added}`, removed: `${removed}` } },
    { key: 'diff_cut', values: {} },
  ];
  const summary = `+${added} −${removed} lines; the diff is too long to be shown at once`;
  const diff = cutDiff(removed, added);
  const change = { ...approvalChange, diff, parts, summary, ...more };
  const { grant: _, ...widget } = approval;
  return asking({ ...widget, cut: true }, { change });
}

/** The scenes, by name. */
export function cutScenes() {
  return {
    // Thousands of lines are replaced.
    cut: () => cut(4_000, 2_500),
    'cut-huge': () => cut(1_000, 200_000),
    // More than is ever opened.
    'cut-too-long': () => cut(4_000, 500_000),
    // Its lines take more than one row each.
    'cut-wide': () => cut(4_000, 2_500, { path: '@project/wide.md' }),
    // Somebody changed the file after the question.
    'cut-changed': () => cut(4_000, 2_500, { path: '@project/changed.md' }),
    'cut-no-text': () => cut(4_000, 2_500, { diff: '', parts: [], summary: 'no text' }),
  };
}

/** What a yes names once it was opened. */
export const nameOf = (change: ChangeView): string => `whole-${change.id}`;

/** The change of this id, while a question about it waits. */
function waiting({ items }: Scene, changeId: string): ChangeView {
  for (const { body } of items) {
    if (body.type !== 'question' || body.closed || body.answer !== undefined) continue;
    if (body.change?.id === changeId) return body.change;
  }
  return refuse('WIDGET_NOT_FOUND', `no change \`${changeId}\` waits for an answer`);
}

/** Refuses in the words of the program. */
function not(code: Failure['code'], said: Phrase, message: string, advice: Advice): never {
  const [key, action] = advice;
  throw { code, message, said, action, advice: { key, values: {} } } satisfies Failure;
}

/** The key of an advice, and what it says in English. */
type Advice = readonly [string, string];

const UNSEEN: Advice = ['allow_unseen_or_not', 'Allow it unseen, or not at all.'];
const ANEW: Advice = [
  'is_asked_anew',
  'Answer all the same: nothing is written then, and the change is asked about anew as it is now.',
];

/** All of a change that waits. */
export function wholeOf(scene: Scene, changeId: string): WholeChange {
  const change = waiting(scene, changeId);
  const { path } = change;
  if (!change.diff) {
    const said = { key: 'nothing_to_open', values: { path } };
    not('E_NOT_TEXT', said, `there is nothing to open: ${path} is no text, or too large`, UNSEEN);
  }
  if (path.includes('changed')) {
    const said = { key: 'changed_since_asked', values: { path } };
    const message = `${path} was changed after the question, which therefore means another change`;
    not('E_PRECONDITION_FAILED', said, message, ANEW);
  }
  const counts = change.parts?.find((part) => part.key === 'lines')?.values ?? {};
  const [removed, added] = [Number(counts.removed), Number(counts.added)];
  if (removed + added > 400_000) {
    const values = {
      path,
      added: `${added}`,
      removed: `${removed}`,
      bytes: '8.0 MiB',
      lines: '400000',
    };
    const message = `the change of ${path} is too long to be opened: +${added} −${removed} lines`;
    not('E_READ_LIMIT', { key: 'too_long_to_open', values }, message, UNSEEN);
  }
  const words = path.includes('wide')
    ? `a new line of ${'many words, '.repeat(30)}the`
    : 'a new line';
  const diff = [
    `--- a\n+++ b\n@@ -1,${removed} +1,${added} @@`,
    lines('-', 'an old line', 0, removed),
    lines('+', words, 0, added),
  ].join('\n');
  return { changeId, diff: `${diff}\n`, whole: nameOf(change) };
}
