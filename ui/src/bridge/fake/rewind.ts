import type { ChangeView } from '../wire';

const STORY = '@project/artifacts/create-story/story.md';

/** Going back to an earlier step, with files of every kind. */
export const rewind: Pick<
  ChangeView,
  'tool' | 'effect' | 'backTo' | 'parts' | 'files' | 'conflicts'
> = {
  tool: 'workflow.rewind',
  effect: 'back',
  backTo: 'Gather the idea',
  parts: [
    {
      key: 'done_again',
      values: { steps: 'Gather the idea, Is it small enough?, Write the story' },
    },
    { key: 'values_forgotten', values: { names: 'audience' } },
  ],
  files: [
    { path: STORY, preHash: 'b'.repeat(64) },
    {
      path: '@project/docs/release-notes.md',
      preHash: 'c'.repeat(64),
      postHash: 'd'.repeat(64),
      replacesOthers: true,
    },
    { path: '@project/docs/audience.md', postHash: 'e'.repeat(64) },
  ],
  conflicts: [
    { path: '@project/docs/glossary.md', reason: 'changed' },
    { path: '@project/media/walkthrough.mp4', reason: 'not_kept' },
  ],
};

/** What the call says once it is done. */
export const rewindResult = {
  ok: true,
  path: '@state/workflow.md',
  restored: [{ path: STORY, removed: true }, { path: '@project/docs/audience.md' }],
  conflicts: rewind.conflicts,
};
