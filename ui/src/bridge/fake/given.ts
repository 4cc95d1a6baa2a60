// A person who gives files along with their words: all that can become of a mention.
import type { Answer, FileGiven, FolderView, Item, Query, Widget } from '../wire';
import { item, type Scene, says, status, user } from './pieces';
import { widgets } from './widgets';

const FILES: FileGiven[] = [
  { path: '@project/notes/what sales said.md', bytes: 1229 },
  { path: '@project/docs/roadmap.md', bytes: 48_200, cut: true },
  { path: '@project/docs/archive', bytes: 0, withheld: 'folder' },
  { path: '@project/logo.png', bytes: 0, withheld: 'not_text' },
  { path: '@project/.env', bytes: 0, withheld: 'refused' },
  { path: '@project/notes.md', bytes: 0, withheld: 'too_many' },
];

export const given = (before: () => Item[]): Record<string, () => Scene> => ({
  given: () => ({
    items: [
      ...before(),
      item({
        type: 'question',
        widget: widgets.plan_review as Widget,
        unbound: false,
        closed: false,
        answer: { decision: 'request_changes', feedback: 'As in @docs/roadmap.md.' },
        files: FILES.slice(1, 2),
      }),
      user(
        'Take @"notes/what sales said.md" and @docs/roadmap.md, not @docs/archive, @logo.png or @.env. See @notes.md, too. Ask mia@example.com.',
        FILES,
      ),
      says('Support reads them before a call; sales read them once a month.'),
    ],
    status: status('waiting-user', 2, {}, 'answered'),
  }),
});

const NAMES = [
  'notes.md',
  'notes/what sales said.md',
  'notes/interviews/support, in their own words.md',
  'docs/notes on the next release, which are rather long and go on for more than one line.md',
  'docs/roadmap.md',
  'src/发布说明.md',
  'artifacts/create-story/story.md',
];

/** The project's files that a person may mean. */
const filesLike = (matching: string) =>
  NAMES.filter((name) => name.toLowerCase().includes(matching.toLowerCase())).map(
    (name) => `@project/${name}`,
  );

/** Every file of the project. */
const IN_PROJECT = [
  ...NAMES,
  'README.md',
  'artifacts/create-story/checklist.md',
  'src/save.ts',
  'src/unseen.json',
];

/** What lies right in a folder of the project. */
function folderOf(path: string): FolderView {
  const above = path === '@project' ? '' : `${path.slice('@project/'.length)}/`;
  const below = IN_PROJECT.filter((name) => name.startsWith(above)).map((name) =>
    name.slice(above.length).split('/'),
  );
  const named = (isFolder: boolean) =>
    [...new Set(below.filter((it) => it.length > 1 === isFolder).map((it) => it[0]))]
      .sort()
      .map((name) => ({ path: `@project/${above}${name}`, isFolder }));
  return { entries: [...named(true), ...named(false)], more: 0 };
}

/** What is asked about the files of the project. */
export const inProject = (query: Query & { type: 'files' | 'folder' }): Answer =>
  query.type === 'files'
    ? { type: 'files', value: filesLike(query.matching) }
    : { type: 'folder', value: folderOf(query.path) };
