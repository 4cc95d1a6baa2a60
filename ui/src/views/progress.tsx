import { Maximize2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { fileName } from '../bridge/path';
import type {
  GraphNode,
  GraphView,
  Progress as HowFar,
  StepStatus,
  StepView,
  TakenWay,
} from '../bridge/wire';
import { useWords, type Words } from '../i18n';
import { visible } from '../i18n/visible';
import { IconButton } from '../kit/button';
import { Popover } from '../kit/popover';
import { graphOf, readGraph } from '../state/graph';
import { workflowAt } from '../state/nesting';
import { useApp, useView } from '../state/store';
import { StepDetails, showStep } from './step-details';
import { StepList } from './step-list';
import { useStanding } from './step-words';
import { WaitingSteps } from './waiting-steps';

interface HintOf {
  step: StepView;
  node: GraphNode | undefined;
  chosen: string | undefined;
  standing: (status: StepStatus) => string;
}

/** What is said below a step's title: what came of it, or how it stands. */
function hintOf({ step, node, chosen, standing }: HintOf, { number }: Words): string {
  if (step.status !== 'completed') return standing(step.status);
  if (step.type === 'decision' && chosen) return visible(chosen);
  const [first, ...rest] = node?.outputs ?? [];
  if (!first) return standing(step.status);
  return visible(fileName(first)) + (rest.length > 0 ? ` +${number(rest.length)}` : '');
}

/** The graph of a workflow, read when it is needed; null until then, and where it cannot be. */
export function useGraph(packageId?: string, workflowId?: string): GraphView | null {
  const app = useApp();
  useEffect(() => {
    if (packageId && workflowId) void readGraph(app, packageId, workflowId);
  }, [app, packageId, workflowId]);
  return useView((v) => graphOf(v, packageId, workflowId));
}

/** The graph of the workflow that the open run works on. */
function useRunGraph(): GraphView | null {
  const run = useView((v) => v.conversation.status?.run);
  const called = useView((v) => v.conversation.status?.called);
  return useGraph(run?.packageId, workflowAt(run, called));
}

/** More of a step, beside its row. */
interface Opened {
  id: string;
  row: HTMLElement;
}

interface MoreProps {
  opened: Opened;
  graph: GraphView;
  here: HowFar;
  onClose: () => void;
}

function More({ opened: { id, row }, graph, here, onClose }: MoreProps) {
  const step = here.steps.find((step) => step.id === id);
  const standing = useStanding();
  const node = graph.nodes.find((node) => node.id === id);
  if (!node) return null;
  return (
    <Popover label={visible(node.title)} testId="step-popover" anchor={row} onClose={onClose}>
      <StepDetails
        node={node}
        graph={graph}
        step={step}
        live={step}
        progress={here}
        standing={standing}
        onLeave={onClose}
      />
    </Popover>
  );
}

/** What is said below each step's title. */
function useHints(graph: GraphView | null, ways: readonly TakenWay[]): (step: StepView) => string {
  const own = useWords();
  const standing = useStanding();
  const nodes = useMemo(() => new Map(graph?.nodes.map((node) => [node.id, node])), [graph]);
  const chosen = useMemo(() => {
    const labels = new Map(graph?.edges.map(({ from, to, label }) => [`${from} ${to}`, label]));
    // Of several ways from one step the last that was gone.
    return new Map(ways.map(({ from, to }) => [from, labels.get(`${from} ${to}`)]));
  }, [graph, ways]);
  return (step) =>
    hintOf({ step, node: nodes.get(step.id), chosen: chosen.get(step.id), standing }, own);
}

/** The steps of the open run; a click tells more of one, and leads to where the run came to it. */
function Steps({ here, graph }: { here: HowFar; graph: GraphView | null }) {
  const app = useApp();
  const { steps, ways } = here;
  const [opened, setOpened] = useState<Opened | null>(null);
  const hint = useHints(graph, ways);
  const taken = useMemo(() => new Set(ways.map(({ from, to }) => `${from} ${to}`)), [ways]);
  const open = useCallback(
    (id: string, row: HTMLElement) => {
      setOpened({ id, row });
      const { status } = app.store.getState().conversation;
      const step = status?.steps.find((step) => step.id === id);
      if (step) showStep(app, step, status?.called !== undefined);
    },
    [app],
  );
  return (
    <>
      <StepList
        steps={steps}
        graph={graph}
        taken={taken}
        hint={hint}
        opened={opened?.id}
        onOpen={open}
      />
      {graph && opened && (
        <More
          key={opened.id}
          opened={opened}
          graph={graph}
          here={here}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** The steps of the open run. In one that is complete, what it did not come to was not needed. */
function useSteps(): StepView[] | null {
  const steps = useView((v) => v.conversation.status?.steps ?? null);
  const over = useView(({ conversation: { status } }) => {
    // Of a run that the person ended nobody knows what it would have needed.
    return status?.run?.phase === 'completed' && status.run.reason !== 'ended_early';
  });
  return useMemo(() => {
    if (!over) return steps;
    return steps?.map((s) => (s.status === 'pending' ? { ...s, status: 'skipped' } : s)) ?? null;
  }, [steps, over]);
}

const noSteps: StepView[] = [];
const noWays: TakenWay[] = [];

/** Where the open run is now, and the ways that led there as far as they were read. */
export function useHere(): HowFar {
  const steps = useSteps() ?? noSteps;
  const called = useView((v) => v.conversation.status?.called);
  const read = useView((v) => (v.snapshot?.ok ? v.snapshot.value.progress : null));
  // What was read last may be of another workflow.
  const isOfIt = read?.called?.workflowId === called?.workflowId;
  const ways = (isOfIt && read?.ways) || noWays;
  return useMemo(() => ({ steps, ways, called }), [steps, ways, called]);
}

/** Where the run is among its steps; in a called workflow among those of it, below those that wait. */
export function Progress() {
  const { store } = useApp();
  const { t } = useWords();
  const here = useHere();
  const { steps, called } = here;
  const conversationId = useView((v) => v.conversationId);
  const graph = useRunGraph();
  const done = steps.filter((s) => s.status === 'completed').length;
  const total = steps.filter((s) => s.status !== 'skipped').length;
  const count = total > 0 && <span className="hint">{t('progress.count', { done, total })}</span>;
  const title = called ? visible(called.title) : t('progress.title');
  return (
    <section>
      <h2 className="progress-head">
        {t('progress.title')}
        {!called && count}
        {graph && total > 0 && (
          <IconButton
            icon={Maximize2}
            label={t('graph.open')}
            data-testid="graph-open"
            onClick={() => store.setState({ overlay: 'graph' })}
          />
        )}
      </h2>
      {called && (
        <>
          <WaitingSteps callers={called.callers} />
          <h3 className="called" title={title}>
            <span className="clip">{title}</span>
            {count}
          </h3>
        </>
      )}
      {total > 0 && (
        <div
          className="meter"
          role="progressbar"
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={done}
        >
          <span style={{ width: `${(done / total) * 100}%` }} />
        </div>
      )}
      {total === 0 && <p className="hint">{t('progress.empty')}</p>}
      {steps.length > 0 && (
        <Steps key={`${conversationId} ${called?.workflowId}`} here={here} graph={graph} />
      )}
    </section>
  );
}
