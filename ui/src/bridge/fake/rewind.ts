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
  StepView,
} from '../wire';
import { depthOf, nestedAt } from './nested';
import { item, notice, type Scene, step } from './pieces';
import { refuse } from './refusals';

const STORY = '@project/artifacts/create-story/story.md';
const AUDIENCE = '@project/docs/audience.md';

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
    { path: AUDIENCE, postHash: 'e'.repeat(64) },
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
  restored: [{ path: STORY, removed: true }, { path: AUDIENCE }],
  conflicts: rewind.conflicts,
};

/** Whether the run came to a step. */
const isReached = ({ status }: StepView) => status === 'completed' || status === 'current';

/** The steps of the workflow that going back to a step leads to. */
function workflowOf({ status }: Scene, nodeId: string): Pick<Status, 'steps' | 'called'> {
  const depth = depthOf(status, nodeId);
  const { steps, called } = depth < 0 ? status : nestedAt(depth);
  return { steps, called };
}

type Target = Omit<Extract<Query, { type: 'rewindPreview' }>, 'type' | 'conversationId'>;

/** What undoing the last time would mean now: files are what they were before it. */
function undoPreviewOf(scene: Scene, { nodeId, overwrite = [] }: Target): RewindPreview {
  const { before, status } = scene;
  const { undo, run } = status;
  if (!before || undo?.nodeId !== nodeId) {
    return refuse('E_INVALID_TRANSITION', 'there is no going back that can be undone');
  }
  // Somebody else changed one of them since.
  const stays = (path: string) => path === AUDIENCE && !overwrite.includes(path);
  const files = before.files.map(({ path, preHash, postHash }) => ({
    path,
    preHash: postHash,
    postHash: preHash,
    ...(path === AUDIENCE ? { replacesOthers: true } : {}),
  }));
  return {
    nodeId,
    title: undo.title,
    steps: [],
    files: files.filter(({ path }) => !stays(path)),
    conflicts: files
      .filter(({ path }) => stays(path))
      .map(({ path }) => ({ path, reason: 'changed' })),
    undoesCompletion: run?.phase === 'completed' && before.status.run?.phase !== 'completed',
    seen: JSON.stringify(['undo', nodeId, overwrite]),
  };
}

/** What going back to a step would mean now. */
function rewindPreviewOf(
  scene: Scene,
  { nodeId, keepFiles = false, overwrite = [] }: Target,
): RewindPreview {
  const { run } = scene.status;
  const { steps } = workflowOf(scene, nodeId);
  const at = steps.findIndex(({ id }) => id === nodeId);
  const step = steps[at];
  if (!step || (at > 0 && step.status !== 'completed' && step.status !== 'current')) {
    return refuse('E_INVALID_TRANSITION', `${nodeId}: the run did not come there`);
  }
  const again = steps.slice(at).filter(isReached);
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

const seenOf = (scene: Scene, target: Target): RewindPreview =>
  target.undo ? undoPreviewOf(scene, target) : rewindPreviewOf(scene, target);

/** The same as an answer. */
export const previewOf = (
  scene: Scene,
  query: Extract<Query, { type: 'rewindPreview' }>,
): Answer => ({ type: 'rewindPreview', value: seenOf(scene, query) });

/** The run at a step again. */
function backAt(scene: Scene, nodeId: string): Status {
  const { steps: before, called } = workflowOf(scene, nodeId);
  const at = before.findIndex(({ id }) => id === nodeId);
  const { run } = scene.status;
  const standing = (n: number): StepStatus => (n === at ? 'current' : 'pending');
  const steps = before.map((one, n) => (n < at ? one : { ...one, status: standing(n) }));
  return { ...scene.status, run: run && { ...run, phase: 'waiting-user' }, steps, called };
}

/** Goes back as it was shown, or undoes the last time. What is undone can be gone back to in its turn. */
export function wentBack(
  scene: Scene,
  { seen, ...target }: Extract<SessionCommand, { type: 'rewind' }>,
): Frame[] {
  const { nodeId } = target;
  const { title, files, ...preview } = seenOf(scene, target);
  if (preview.seen !== seen) refuse('E_PRECONDITION_FAILED', 'it is not what was shown');
  const { status, before } = scene;
  const there = target.undo && before ? before.status : backAt(scene, nodeId);
  const parts: Phrase[] = [
    { key: target.undo ? 'undone_to' : 'went_back_to', values: { title } },
    ...files.map(({ path, postHash }) => ({
      key: postHash === undefined ? 'gone_as_then' : 'back_as_then',
      values: { path },
    })),
  ];
  const stood = status.steps.findLast(isReached);
  const undo = stood && { nodeId: stood.id, title: stood.title };
  scene.before = { status, files };
  const { run, called } = there;
  const phase = run?.phase === 'completed' ? 'completed' : 'waiting-user';
  const of = { type: 'step', node: nodeId, afterCompleted: false } as const;
  const begun = called ? item({ ...of, title }) : step(nodeId, false);
  return [
    { type: 'upsert', item: begun },
    { type: 'upsert', item: notice('went_back', { parts, canResume: true }) },
    {
      type: 'status',
      status: { ...there, run: run && { ...run, phase, reason: 'went_back' }, undo },
    },
  ];
}
