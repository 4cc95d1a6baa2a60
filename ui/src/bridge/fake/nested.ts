// A run in whose workflows a step calls another workflow, four of them at once.
import type {
  GraphView,
  NodeType,
  PackageView,
  Progress,
  RunSummary,
  Status,
  StepStatus,
  StepView,
} from '../wire';
import { at } from './data';
import { item, notice, type Scene, says, status, step, user } from './pieces';

const PACKAGE = 'handbook-1.0.0-5b2f08c4d7e1';

interface Workflow {
  id: string;
  title: string;
  /** Its steps in their order; the one that calls the next workflow waits for it. */
  steps: { id: string; title: string; type?: NodeType; calls?: string }[];
}

/** The outermost first. */
const WORKFLOWS: Workflow[] = [
  {
    id: 'book',
    title: 'Handbook for new colleagues',
    steps: [
      { id: 'plan', title: 'Plan the chapters' },
      { id: 'chapters', title: 'Write the chapters', type: 'subworkflow', calls: 'chapter' },
      { id: 'bind', title: 'Put the chapters together' },
      { id: 'end', title: 'Finish', type: 'end' },
    ],
  },
  {
    id: 'chapter',
    title: 'Chapter of the handbook, with everything that a reader of it has to know',
    steps: [
      { id: 'outline', title: 'Outline the chapter' },
      { id: 'scope', title: 'Is it one chapter?', type: 'decision' },
      {
        id: 'sections',
        title: 'Write its sections one after the other, from the general to the particular',
        type: 'subworkflow',
        calls: 'section',
      },
      { id: 'check', title: 'Check the chapter' },
    ],
  },
  {
    id: 'section',
    title: 'Section',
    steps: [
      { id: 'draft', title: 'Draft the section' },
      { id: 'open', title: 'Note what is open', type: 'subworkflow', calls: 'note' },
      { id: 'revise', title: 'Revise the section' },
    ],
  },
  {
    id: 'note',
    title: 'Note',
    steps: [
      { id: 'read', title: 'Read what there is' },
      { id: 'ask', title: 'Ask what nobody has written down' },
      { id: 'keep', title: 'Keep the answer' },
    ],
  },
];

/** What the innermost workflow is at. */
const LAST = 'ask';

const waitsAt = ({ steps }: Workflow) =>
  steps.findIndex(({ id, calls }) => calls !== undefined || id === LAST);

function stepsAt(workflow: Workflow, current: number): StepView[] {
  const standing = (n: number): StepStatus =>
    n < current ? 'completed' : n === current ? 'current' : 'pending';
  return workflow.steps.map(({ id, title, type = 'step' }, n) => ({
    id,
    title,
    type,
    status: standing(n),
  }));
}

/** Where the run stands in the workflow of a depth; as it waits when it is not said at which step. */
export function nestedAt(depth: number, current?: number): Progress {
  const workflow = WORKFLOWS[depth] as Workflow;
  const steps = stepsAt(workflow, current ?? waitsAt(workflow));
  const done = steps.filter(({ status }, n) => n > 0 && status !== 'pending');
  const ways = done.map(({ id }, n) => ({ from: steps[n]?.id ?? '', to: id }));
  const callers = WORKFLOWS.slice(0, depth).map((caller) => {
    const waits = waitsAt(caller);
    return {
      workflowId: caller.id,
      workflow: caller.title,
      nodeId: caller.steps[waits]?.id ?? '',
      title: caller.steps[waits]?.title ?? '',
      steps: { done: waits, total: caller.steps.length },
      isMeant: true,
    };
  });
  const called = { workflowId: workflow.id, title: workflow.title, callers };
  return { steps, ways, ...(depth > 0 ? { called } : {}) };
}

/** Where it stood at each version of its state document. */
const past = (): Progress[] =>
  WORKFLOWS.flatMap((workflow, depth) =>
    Array.from({ length: waitsAt(workflow) + 1 }, (_, n) => nestedAt(depth, n)),
  );

/** The depth of the workflow in which this step waits. */
export const depthOf = ({ called }: Status, nodeId: string): number =>
  called?.callers.findLastIndex((step) => step.nodeId === nodeId) ?? -1;

/** The graph of one of the workflows. */
export function nestedGraph(workflowId: string): GraphView | undefined {
  const steps = WORKFLOWS.find(({ id }) => id === workflowId)?.steps;
  return (
    steps && {
      entry: steps[0]?.id ?? '',
      nodes: steps.map(({ id, title, type = 'step', calls }) => ({
        id,
        title,
        type,
        ...(calls ? { calls } : {}),
        file: `@pkg/workflows/${workflowId}/steps/${id}.md`,
        inputs: [],
        outputs: [],
      })),
      edges: steps
        .slice(1)
        .map(({ id }, n) => ({ from: steps[n]?.id ?? '', to: id, label: 'next' })),
    }
  );
}

/** The steps to which the run came: those of called workflows have a title, and the first was called. */
const came = (depth: number) => {
  const { steps } = WORKFLOWS[depth] as Workflow;
  const reached = steps.slice(0, waitsAt(WORKFLOWS[depth] as Workflow) + 1);
  if (depth === 0) return reached.map(({ id }) => step(id));
  return reached.map(({ id: node, title }, at) => {
    const isCalled = at === 0;
    return item({ type: 'step', node, title, afterCompleted: !isCalled, isCalled });
  });
};

/** The run, four workflows deep. */
export function nested(): Scene {
  const now = status('waiting-user', 1, {}, 'answered');
  const { steps, called } = nestedAt(WORKFLOWS.length - 1);
  const run = now.run && { ...now.run, packageId: PACKAGE, workflowId: 'book' };
  const [book, ...others] = WORKFLOWS.map((_, depth) => came(depth));
  return {
    items: [
      notice('started'),
      ...(book ?? []),
      user('Begin with the chapter about the first week.'),
      ...others.flat(),
      says('Who shows a new colleague around on the first day? I found it nowhere.'),
    ],
    status: { ...now, run, steps, called },
    past: past(),
  };
}

/** The package of the run, beside the others, and the run in the list. */
export const withNested = (packages: readonly PackageView[], runs: readonly RunSummary[]) => ({
  packages: [
    ...packages,
    {
      packageId: PACKAGE,
      name: 'handbook',
      version: '1.0.0',
      description: 'A handbook, chapter by chapter and section by section.',
      workflows: WORKFLOWS.map(({ id, title, steps }) => ({
        id,
        displayName: title,
        description: null,
        nodeCount: steps.length,
        steps: steps.map(({ id, title }) => ({ id, title })),
      })),
      agents: [{ id: 'sm', name: 'Ida', title: 'Editor', icon: '📗', menu: [] }],
      installedAt: at(-400),
      hasDemo: false,
    },
  ],
  runs: runs.map((run) =>
    run.conversationId === 'c-current'
      ? {
          ...run,
          packageId: PACKAGE,
          workflowId: 'book',
          title: 'Handbook for new colleagues',
          nodeId: 'chapters',
          steps: { done: 1, total: 4 },
        }
      : run,
  ),
});
