// What is known of a recorded run beside its conversation.
import type { Progress, RuntimeSnapshot, RunView, TodoList } from '../wire';
import { rejectedIn } from './acceptance';
import { changes } from './data';
import { progressOf, revisionsOf } from './graph';
import type { Scene } from './pieces';

/** The todos of a run. */
export const todosOf = ({ status, todos = [] }: Scene): TodoList => ({
  seq: status.seq,
  items: todos,
  summary: status.todos,
});

/** The snapshot of a run. */
export function snapshotOf(scene: Scene, run: RunView): RuntimeSnapshot {
  const { seq, steps, called, undo, grants, usage } = scene.status;
  const isDone = run.phase === 'completed';
  const isOfNow = (past: Progress) => past.called?.workflowId === called?.workflowId;
  const past = scene.past?.findLast(isOfNow);
  return {
    seq,
    run,
    profile: isDone ? 'post-completion' : 'normal',
    state: {
      currentNodeId: 'write',
      stepsCompleted: [],
      variables: {},
      decisionLog: [],
      artifacts: isDone
        ? ['artifacts/create-story/story.md', 'artifacts/create-story/checklist.md']
        : [],
      sha256: '',
    },
    progress: { ...(past ?? progressOf(steps)), steps, called },
    undo,
    todos: todosOf(scene),
    subagents: scene.status.subagents ?? [],
    facts: scene.facts ?? [],
    earlierFacts: 0,
    obligations: scene.obligations ?? [],
    decision: null,
    rejected: rejectedIn(scene)?.item.id ?? null,
    widget: null,
    widgets: [],
    grants,
    usage,
    approvals: scene.approvals ?? [],
    revisions: revisionsOf(scene),
    changes: isDone ? changes : [],
  };
}
