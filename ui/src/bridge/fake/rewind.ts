import type {
  Answer,
  ChangeView,
  Frame,
  Phrase,
  Query,
  RewindPreview,
  SessionCommand,
  Status,
  StepStatus,
} from '../wire';
import { depthOf, nestedAt } from './nested';
import { item, notice, type Scene, step } from './pieces';
import { refuse } from './refusals';

const STORY = '@project/artifacts/create-story/story.md';

/** Going back to an earlier step, with files of every kind. */
export const rewind: Required<
  Pick<ChangeView, 'tool' | 'effect' | 'backTo' | 'parts' | 'files' | 'conflicts'>
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

/** The steps of the workflow that going back to a step leads to. */
function workflowOf({ status }: Scene, nodeId: string): Pick<Status, 'steps' | 'called'> {
  const depth = depthOf(status, nodeId);
  const { steps, called } = depth < 0 ? status : nestedAt(depth);
  return { steps, called };
}

/** What going back to a step would mean now. */
function rewindPreviewOf(
  scene: Scene,
  { nodeId, keepFiles, overwrite }: Omit<Extract<Query, { type: 'rewindPreview' }>, 'type'>,
): RewindPreview {
  const { run } = scene.status;
  const { steps } = workflowOf(scene, nodeId);
  const at = steps.findIndex(({ id }) => id === nodeId);
  const step = steps[at];
  if (!step || (at > 0 && step.status !== 'completed' && step.status !== 'current')) {
    return refuse('E_INVALID_TRANSITION', `${nodeId}: the run did not come there`);
  }
  const again = steps.slice(at).filter(({ status }) => ['completed', 'current'].includes(status));
  const back = overwrite.map((path) => ({ path, preHash: 'f'.repeat(64), replacesOthers: true }));
  const files = keepFiles
    ? []
    : [...rewind.files.filter(({ replacesOthers }) => !replacesOthers), ...back];
  const conflicts = keepFiles
    ? []
    : [
        ...rewind.conflicts,
        { path: '@project/docs/release-notes.md', reason: 'changed' as const },
      ].filter(({ path }) => !overwrite.includes(path));
  return {
    nodeId,
    title: step.title,
    steps: again.map(({ id }) => id),
    files,
    conflicts,
    undoesCompletion: run?.phase === 'completed',
    seen: JSON.stringify([nodeId, keepFiles, overwrite]),
  };
}

/** The same as an answer. */
export const previewOf = (
  scene: Scene,
  query: Extract<Query, { type: 'rewindPreview' }>,
): Answer => ({ type: 'rewindPreview', value: rewindPreviewOf(scene, query) });

/** Goes back as it was shown. */
export function wentBack(
  scene: Scene,
  { nodeId, keepFiles, overwrite, seen }: Extract<SessionCommand, { type: 'rewind' }>,
): Frame[] {
  const preview = rewindPreviewOf(scene, { conversationId: '', nodeId, keepFiles, overwrite });
  if (preview.seen !== seen) refuse('E_PRECONDITION_FAILED', 'it is not what was shown');
  const { steps: before, called } = workflowOf(scene, nodeId);
  const at = before.findIndex(({ id }) => id === nodeId);
  const { run } = scene.status;
  const [phase, reason] = ['waiting-user', 'went_back'] as const;
  const standing = (n: number): StepStatus => (n === at ? 'current' : 'pending');
  const steps = before.map((one, n) => (n < at ? one : { ...one, status: standing(n) }));
  const parts: Phrase[] = [
    { key: 'went_back_to', values: { title: preview.title } },
    ...preview.files.map(({ path, postHash }) => ({
      key: postHash === undefined ? 'gone_again' : 'back_again',
      values: { path },
    })),
  ];
  const { title } = preview;
  const of = { type: 'step', node: nodeId, afterCompleted: false } as const;
  const begun = called ? item({ ...of, title }) : step(nodeId, false);
  return [
    { type: 'upsert', item: begun },
    { type: 'upsert', item: notice('went_back', { parts, canResume: true }) },
    {
      type: 'status',
      status: { ...scene.status, run: run && { ...run, phase, reason }, steps, called },
    },
  ];
}
