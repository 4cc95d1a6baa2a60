// The runs of all projects that work or wait; in one scenario very many, more than are shown at once.
import type {
  ConversationPage,
  ConversationSummary,
  Phase,
  ProjectView,
  RunSummary,
} from '../wire';
import { at, packages } from './data';

/** A run of another project, that waits or works. */
const elsewhere = (n: number, title: string, phase: Phase): ConversationSummary => ({
  conversationId: `c-elsewhere-${n}`,
  projectId: 'p-onboarding',
  title,
  generatedTitle: title,
  customTitle: null,
  mode: 'run',
  runs: [
    {
      runId: `r-elsewhere-${n}`,
      packageId: 'create-story-micro-1.1.0-3f9a5c21d0ab',
      workflowId: 'create-story',
      phase,
      reason: phase === 'running' ? null : 'widget',
      since: at(-n * 9),
      nodeId: 'size',
      steps: { done: 1, total: 5 },
    },
  ],
  messageCount: 12,
  createdAt: at(-90),
  lastActiveAt: at(-n * 9),
});

/** How many wait in the project that is opened, and how many wait and work in another one. */
const WAIT_HERE = 70;
const WAIT_ELSEWHERE = 60;
const WORK_ELSEWHERE = 53;

/** Some titles are longer than a row is wide. */
const long = (n: number) =>
  n % 7 === 3 ? ', for everybody who was not there when it was decided' : '';

const waitsHere = (n: number): RunSummary => ({
  runId: `r-many-${n}`,
  conversationId: `c-many-${n}`,
  projectId: 'p-notes',
  packageId: packages[0]?.packageId ?? '',
  workflowId: 'create-story',
  title: `Notes of release 2.${WAIT_HERE - n}${long(n)}`,
  phase: 'waiting-user',
  reason: 'widget',
  nodeId: 'write',
  steps: { done: 2, total: 5 },
  createdAt: at(-n * 8 - 60),
  updatedAt: at(-n * 8),
});

/** The projects with very many runs, and the runs of the one that is opened. */
export function veryMany(projects: readonly ProjectView[], runs: readonly RunSummary[]) {
  const more: Record<string, number> = {
    'p-notes': WAIT_HERE,
    'p-onboarding': WAIT_ELSEWHERE + WORK_ELSEWHERE,
  };
  return {
    projects: projects.map((project) => ({
      ...project,
      runCount: project.runCount + (more[project.projectId] ?? 0),
    })),
    runs: [...runs, ...Array.from({ length: WAIT_HERE }, (_, n) => waitsHere(n))],
  };
}

const others = (words: string, from: number, length: number, phase: Phase) =>
  Array.from({ length }, (_, n) => elsewhere(from + n, `${words} ${length - n}${long(n)}`, phase));

/** What works or waits in other projects. */
function ofOthers(scenario: string): ConversationSummary[] {
  if (scenario === 'many-waiting') {
    return [
      ...others('Guide, page', 1, WAIT_ELSEWHERE, 'waiting-user'),
      ...others('Pictures of page', 1 + WAIT_ELSEWHERE, WORK_ELSEWHERE, 'running'),
    ];
  }
  if (scenario !== 'elsewhere') return [];
  return [
    elsewhere(1, 'The first day, step by step', 'waiting-user'),
    elsewhere(2, 'Whom to ask about what', 'running'),
  ];
}

/** The runs that work or wait, the last active first; in some scenarios of another project, too. */
export function activeOf(own: readonly ConversationSummary[], scenario: string): ConversationPage {
  const isActive = ({ talk, runs: [run] }: ConversationSummary) => {
    const { phase, reason } = talk ?? run ?? {};
    return phase === 'running' || (phase === 'waiting-user' && reason !== 'stopped');
  };
  const all = [...own.filter(isActive), ...ofOthers(scenario)];
  return {
    conversations: all.sort((a, b) => b.lastActiveAt.localeCompare(a.lastActiveAt)),
    next: null,
  };
}
