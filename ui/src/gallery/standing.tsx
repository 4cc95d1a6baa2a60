import { type ReactNode, useEffect } from 'react';
import { conversationsOf } from '../bridge/fake/conversations';
import { runs } from '../bridge/fake/data';
import { hooksOf } from '../bridge/fake/hooks';
import { noticeOf } from '../bridge/fake/kinds';
import { type Scene, status } from '../bridge/fake/pieces';
import type {
  ContextStatus,
  ConversationSummary,
  NodeType,
  Phase,
  Reason,
  StepStatus,
} from '../bridge/wire';
import { useApp, type View } from '../state/store';
import { Bars } from '../views/bars';
import { Changes } from '../views/changes';
import { ContextMeter } from '../views/context-meter';
import { ConversationRow, useRowContext } from '../views/conversation-row';
import { Grants, GrantsMenu } from '../views/grants';
import { HooksIcon, HooksLine } from '../views/hooks';
import { DemoEnd } from '../views/own-model';
import { PhaseBadge } from '../views/phase-badge';
import { Progress } from '../views/progress';
import { RunMark } from '../views/run-mark';
import { StateEditLine } from '../views/state-edit';
import { StepMark } from '../views/step-list';
import { StepsTooLong } from '../views/steps-too-long';
import { Todos } from '../views/todos';
import { Usage } from '../views/usage';
import { type Entry, each, type Section } from './sections';
import { Stage, sceneOf } from './stage';

const badges: Record<Phase, ReactNode> = {
  idle: <PhaseBadge phase="idle" />,
  running: <PhaseBadge phase="running" />,
  'waiting-user': <PhaseBadge phase="waiting-user" />,
  completed: <PhaseBadge phase="completed" />,
  failed: <PhaseBadge phase="failed" />,
};

const rests = (reason: Reason) => <PhaseBadge phase="waiting-user" reason={reason} />;

/** Why a run rests, where a badge of its own says so. */
const reasons: Record<Reason, ReactNode> = {
  answered: rests('answered'),
  widget: rests('widget'),
  completed: <PhaseBadge phase="completed" reason="completed" />,
  ended_early: <PhaseBadge phase="completed" reason="ended_early" />,
  stopped: rests('stopped'),
  interrupted: rests('interrupted'),
  failed: rests('failed'),
  limit: rests('limit'),
  not_accepted: rests('not_accepted'),
  went_back: rests('went_back'),
};

const [summary] = conversationsOf(runs, new Map()) as [ConversationSummary];

/** A run of the list that stands so. */
function RowOf({
  phase,
  reason,
  isCurrent,
}: {
  phase: Phase;
  reason?: Reason;
  isCurrent?: boolean;
}) {
  const context = useRowContext();
  const [run] = summary.runs;
  const own = run && { ...run, phase, reason: reason ?? null };
  const shown = { ...summary, runs: own ? [own] : [] };
  return (
    <ul>
      <ConversationRow
        conversation={shown}
        context={{ ...context, current: isCurrent ? summary.conversationId : null }}
      />
    </ul>
  );
}

const row = (props: Parameters<typeof RowOf>[0]) => (
  <Stage scene={sceneOf('running')}>
    <RowOf {...props} />
  </Stage>
);

const rows: Record<Phase, ReactNode> = {
  idle: row({ phase: 'idle' }),
  running: row({ phase: 'running' }),
  'waiting-user': row({ phase: 'waiting-user', reason: 'widget' }),
  completed: row({ phase: 'completed' }),
  failed: row({ phase: 'failed' }),
};

const meter = (used: number, standing: ContextStatus) => {
  const context = { used, estimated: true, budget: 32_768, status: standing };
  const scene: Scene = { items: [], status: status('waiting-user', 2, { context }, 'answered') };
  return (
    <Stage scene={scene}>
      <ContextMeter />
    </Stage>
  );
};

const meters: Record<ContextStatus, ReactNode> = {
  normal: meter(6_100, 'normal'),
  warning: meter(21_940, 'warning'),
  critical: meter(31_940, 'critical'),
  compressing: meter(27_180, 'compressing'),
};

const stepStatuses: readonly StepStatus[] = ['completed', 'current', 'pending', 'skipped'];

/** A node of each type, as every way a step can stand. */
const marksOf = (type: NodeType) => (
  <ol className="steps gallery-marks">
    {stepStatuses.map((standing) => (
      <li key={standing}>
        <div className="step" data-status={standing}>
          <span className="at">
            <StepMark status={standing} type={type} />
          </span>
          <code className="words">{standing}</code>
        </div>
      </li>
    ))}
  </ol>
);

const marks: Record<NodeType, ReactNode> = {
  step: marksOf('step'),
  decision: marksOf('decision'),
  merge: marksOf('merge'),
  end: marksOf('end'),
  subworkflow: marksOf('subworkflow'),
};

/** What stands in the place of a part of a scene. */
const staged = (scene: Scene | string, node: ReactNode, more = {}) => (
  <Stage scene={typeof scene === 'string' ? sceneOf(scene) : scene} more={more}>
    {node}
  </Stage>
);

const SAVED = { words: 'conversations.saved', name: 'release-notes.md' } as const;
const INSTALLED = {
  words: 'packages.installed',
  name: 'create-story-micro',
  packageId: 'p',
} as const;

/** What was saved goes by itself after a while; here it comes back. */
function Saved({ saved }: { saved: NonNullable<View['saved']> }) {
  const { store } = useApp();
  useEffect(
    () => store.subscribe(({ saved: now }) => void (now ?? store.setState({ saved }))),
    [store, saved],
  );
  return <Bars />;
}

const bars: Entry[] = each({
  failure: staged('running', <Bars />, {
    failure: { code: 'STORE_READ_FAILED', message: 'The disk answered no.' },
  }),
  saved: staged('running', <Saved saved={SAVED} />, { saved: SAVED }),
  installed: staged('running', <Saved saved={INSTALLED} />, { saved: INSTALLED }),
});

const hooksIn = (trusted: boolean) =>
  staged('hooks', <HooksLine />, {
    hooks: hooksOf('hooks').map((hook) => ({ ...hook, trusted })),
  });

/** Where a run stands, in the places that say so. */
export const standing: readonly Section[] = [
  {
    name: 'PhaseBadge',
    of: [PhaseBadge],
    entries: [
      ...each(badges),
      { state: 'model', node: <PhaseBadge phase="waiting-user" reason="failed" byModel /> },
    ],
  },
  { name: 'PhaseBadgeReason', of: [PhaseBadge], entries: each(reasons) },
  {
    name: 'ConversationRow',
    of: [ConversationRow, RunMark],
    place: 'sidebar',
    entries: [
      ...each(rows),
      { state: 'current', node: row({ phase: 'running', isCurrent: true }) },
      { state: 'stopped', node: row({ phase: 'waiting-user', reason: 'stopped' }) },
      { state: 'ended early', node: row({ phase: 'completed', reason: 'ended_early' }) },
    ],
  },
  { name: 'ContextMeter', of: [ContextMeter], entries: each(meters) },
  { name: 'StepMark', of: [StepMark], place: 'inspector', entries: each(marks) },
  {
    name: 'Progress',
    of: [Progress],
    place: 'inspector',
    entries: each({
      running: staged('running', <Progress />),
      branched: staged('graph', <Progress />),
      completed: staged('completed', <Progress />),
      nested: staged('nested', <Progress />),
    }),
  },
  {
    name: 'Changes',
    of: [Changes],
    place: 'inspector',
    entries: each({
      some: staged('completed', <Changes />),
      none: staged('running', <Changes />),
      unread: staged('running', <Changes />, {
        snapshot: {
          ok: false,
          failure: { code: 'STORE_READ_FAILED', message: 'The disk answered no.' },
        },
      }),
    }),
  },
  {
    name: 'Todos',
    of: [Todos],
    place: 'inspector',
    entries: each({ every: staged('decision', <Todos />) }),
  },
  {
    name: 'Grants',
    of: [Grants, GrantsMenu],
    place: 'inspector',
    entries: each({
      some: staged('approval', <Grants />),
      menu: staged('approval', <GrantsMenu />),
    }),
  },
  {
    name: 'Usage',
    of: [Usage],
    place: 'inspector',
    entries: each({ some: staged('running', <Usage />) }),
  },
  {
    name: 'Bars',
    of: [Bars],
    place: 'dock',
    entries: bars,
  },
  {
    name: 'AboveComposer',
    of: [StateEditLine, StepsTooLong, DemoEnd],
    place: 'dock',
    entries: each({
      edit: staged('edited', <StateEditLine />),
      'edit refused': staged('edit-refused', <StateEditLine />),
      'steps too long': staged('context-steps-too-long', <StepsTooLong />),
      'demo complete': staged('demo-end', <DemoEnd />),
      'demo waits': staged(demoOver(), <DemoEnd />),
    }),
  },
  {
    name: 'HooksLine',
    of: [HooksLine],
    place: 'sidebar',
    entries: each({ waiting: hooksIn(false), trusted: hooksIn(true) }),
  },
  {
    name: 'HooksIcon',
    of: [HooksIcon],
    place: 'sidebar',
    entries: each({
      waiting: staged('hooks', <HooksIcon />, {
        hooks: hooksOf('hooks').map((hook) => ({ ...hook, trusted: false })),
      }),
    }),
  },
];

function demoOver(): Scene {
  const scene = noticeOf('demo_over');
  const { run } = scene.status;
  const waits = run && { ...run, demo: true, reason: 'failed' as const };
  return { ...scene, status: { ...scene.status, run: waits } };
}
