// The graph of the recorded workflow, and where its run stood at earlier versions.
import type {
  Answer,
  GraphEdge,
  GraphView,
  Progress,
  Query,
  RevisionState,
  RevisionView,
  StepStatus,
  StepView,
  TakenWay,
} from '../wire';
import { at } from './data';
import { nestedGraph } from './nested';
import type { Scene } from './pieces';

const STORY = 'artifacts/create-story/story.md';

/** What a step of the workflow promises. */
const OUTPUTS: Record<string, string[]> = {
  write: [STORY],
  split: ['artifacts/create-story/parts.md'],
  check: ['artifacts/create-story/checklist.md', 'a list of what is missing'],
};

const edge = (from: string, to: string, label: string, more: Partial<GraphEdge> = {}) => ({
  from,
  to,
  label,
  ...more,
});

const BRANCHES = [
  edge('size', 'split', 'Too large', { condition: 'More than three days of work' }),
  edge('split', 'check', 'next'),
];

const EDGES = [
  edge('gather', 'size', 'next'),
  edge('size', 'write', 'Small enough', { isDefault: true }),
  edge('write', 'check', 'next'),
  edge('check', 'end', 'Nothing is missing'),
  edge('check', 'write', 'Something is missing'),
];

/** The graph of these steps. */
function graphOf(steps: readonly StepView[]): GraphView {
  const ids = new Set(steps.map(({ id }) => id));
  const edges = [...EDGES, ...BRANCHES].filter(({ from, to }) => ids.has(from) && ids.has(to));
  return {
    entry: steps[0]?.id ?? '',
    nodes: steps.map(({ id, title, type }) => ({
      id,
      title,
      type,
      ...(id === 'check' ? { agentId: 'dev' } : {}),
      description: id === 'write' ? 'The story in the form that the team agreed on.' : undefined,
      file: `@pkg/steps/${id}.md`,
      inputs: id === 'check' ? [STORY] : [],
      outputs: OUTPUTS[id] ?? [],
    })),
    edges,
  };
}

const REASONS: Record<string, string> = {
  size: 'It is about one page of the notes, and touches one part of the program.',
};

/** How far a run is, with the ways that led there. */
export function progressOf(steps: StepView[]): Progress {
  const way = ({ from, to }: GraphEdge): TakenWay => ({
    from,
    to,
    ...(REASONS[from] ? { reason: REASONS[from] } : {}),
  });
  const statusOf = (id: string) => steps.find((step) => step.id === id)?.status;
  const reached = (id: string) => ['completed', 'current'].includes(statusOf(id) ?? '');
  const taken = EDGES.filter(
    ({ from, to }) => statusOf(from) === 'completed' && reached(to) && to !== from,
  );
  return { steps, ways: taken.filter(({ label }) => label !== 'Something is missing').map(way) };
}

/** Where a run stood when it came to one of its steps. */
function progressAt(all: readonly StepView[], at: number): Progress {
  const standing = (status: StepStatus, n: number): StepStatus => {
    if (n >= at) return n > at ? 'pending' : 'current';
    return status === 'skipped' ? 'pending' : 'completed';
  };
  return progressOf(all.map((step, n) => ({ ...step, status: standing(step.status, n) })));
}

/** Where a run stood at each version of its document. */
function pastOf({ status: { steps }, past }: Scene): Progress[] {
  const reached = steps.flatMap(({ status: is }, n) =>
    is === 'completed' || is === 'current' ? [n] : [],
  );
  return past ?? reached.map((n) => progressAt(steps, n));
}

const currentIn = ({ steps }: Progress) => steps.find(({ status: is }) => is === 'current');

/** The versions of the document of a run whose first steps are done. */
export const revisionsOf = (scene: Scene): RevisionView[] =>
  pastOf(scene).map((progress, n) => ({
    seq: 3 + n * 10,
    at: at(n * 3),
    sha256: `${n}`.repeat(64),
    by: n === 0 ? 'runtime' : 'model',
    callId: n === 0 ? null : `${n}`,
    nodeId: currentIn(progress)?.id,
    ...(progress.called ? { title: currentIn(progress)?.title } : {}),
  }));

/** Where the run stood at one of them. */
function revisionOf(scene: Scene, seq: number): RevisionState {
  const revisions = revisionsOf(scene);
  const n = revisions.findIndex((revision) => revision.seq === seq);
  const [found, progress] = [revisions[n], pastOf(scene)[n]];
  if (!found || !progress) throw { code: 'NOT_FOUND', message: `no version at ${seq}` };
  const completed = progress.steps
    .filter(({ status }) => status === 'completed')
    .map(({ id }) => id);
  const list = completed.map((id) => `  - ${id}\n`).join('');
  const text = `---\ncurrentNodeId: ${found.nodeId}\nstepsCompleted:\n${list}---\n\n# Story\n`;
  return { seq, at: found.at, by: found.by, progress, text };
}

/** The graph, or where the run stood in it. */
export function inGraph(
  recorded: { scene(conversationId: string): Scene },
  query: Extract<Query, { type: 'graph' | 'revision' }>,
): Answer {
  if (query.type === 'revision') {
    return { type: 'revision', value: revisionOf(recorded.scene(query.conversationId), query.seq) };
  }
  const recordedGraph = () => graphOf(recorded.scene('c-current').status.steps);
  return { type: 'graph', value: nestedGraph(query.workflowId) ?? recordedGraph() };
}
