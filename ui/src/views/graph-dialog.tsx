import { LoaderCircle } from 'lucide-react';
import { type CSSProperties, Fragment, lazy, Suspense, useEffect, useState } from 'react';
import type { Result } from '../bridge';
import type {
  CalledWorkflow,
  Progress,
  RevisionState,
  RevisionView,
  StepStatus,
  StepView,
} from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Dialog } from '../kit/dialog';
import { Fold } from '../kit/fold';
import { readRevision } from '../state/graph';
import { pathOf, workflowAt } from '../state/nesting';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { useGraph, useHere } from './progress';
import { StepDetails } from './step-details';
import { useStanding } from './step-words';
import { useSnapshot } from './use-snapshot';

// What lays a graph out and moves it is large: it is loaded with the first graph that is opened.
const GraphCanvas = lazy(() => import('./graph-canvas'));

const none: readonly RevisionView[] = [];

/** How long the slider rests, in milliseconds, before it is read how the run stood there. */
const RESTS = 150;

interface Past {
  /** Where the run stood at the version; nothing while it is now, or not read yet. */
  past: Result<RevisionState> | null;
  /** What was read last, of this version or of another one. */
  last: Progress | null;
}

/** Where the run stood at a version of its state document. */
function useRevision(seq: number | null): Past {
  const app = useApp();
  const [state, setState] = useState<{ seq: number; read: Result<RevisionState> } | null>(null);
  useEffect(() => {
    if (seq === null) return;
    let late = false;
    const timer = setTimeout(() => {
      void readRevision(app, seq).then((read) => {
        if (!late) setState({ seq, read });
      });
    }, RESTS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [app, seq]);
  return {
    past: state?.seq === seq ? state.read : null,
    last: state?.read.ok ? state.read.value.progress : null,
  };
}

/** What is drawn: how the run stands now, or stood at a version, in the workflow that it works on there. */
function useDrawn(seq: number | null) {
  const run = useView((v) => v.conversation.status?.run);
  const here = useHere();
  const { past, last } = useRevision(seq);
  // Until it is read how it stood, nothing is said of it, and the graph stays.
  const progress = seq === null ? here : past?.ok ? past.value.progress : null;
  const { called } = progress ?? last ?? here;
  const workflowId = workflowAt(run, called);
  const graph = useGraph(run?.packageId, workflowId);
  const isOfNow = workflowId === workflowAt(run, here.called);
  // How its steps stand now.
  const live = isOfNow ? here.steps : undefined;
  const current = (live ?? progress?.steps)?.find(({ status }) => status === 'current')?.id;
  return { past, progress, called, workflowId, graph, live, current };
}

/** Where the workflow that is drawn lies, in one line. */
function Path({ called }: { called: CalledWorkflow }) {
  const names = pathOf(called).map(visible);
  return (
    <p className="graph-path" title={names.join(' › ')} data-testid="graph-path">
      {names.map((name, at) => (
        <Fragment key={at}>
          {at > 0 && <span className="hint"> › </span>}
          <span className="clip">{name}</span>
        </Fragment>
      ))}
    </p>
  );
}

interface TimeProps {
  revisions: readonly RevisionView[];
  at: number;
  /** Null is now. */
  onAt: (at: number | null) => void;
}

/** Goes through the versions of the state document: the last place is now. */
function TimeSlider({ revisions, at, onAt }: TimeProps) {
  const { t, time } = useWords();
  const shown = revisions[at];
  const told = shown
    ? t('graph.time.at', {
        n: at + 1,
        total: revisions.length,
        when: time(shown.at),
        who: t(`graph.by.${shown.by}`),
      })
    : t('graph.time.now');
  return (
    <label className="time-slider grow">
      <span>{t('graph.time')}</span>
      <input
        type="range"
        min={0}
        max={revisions.length}
        value={at}
        aria-valuetext={told}
        // How much of its groove is behind the knob.
        style={{ '--gone': `${(at / (revisions.length || 1)) * 100}%` } as CSSProperties}
        data-testid="graph-time"
        onChange={({ target }) => {
          const chosen = Number(target.value);
          onAt(chosen < revisions.length ? chosen : null);
        }}
      />
      <output>{told}</output>
    </label>
  );
}

/** The state document as it was then. */
function Document({ text }: { text: string }) {
  const { t } = useWords();
  return (
    <Fold label={t('graph.document')} testId="graph-document">
      <pre className="mono">{visible(text)}</pre>
    </Fold>
  );
}

/** The whole graph of the run: as it stands now, and at every version of its state document. */
export function GraphDialog({ onClose }: { onClose: () => void }) {
  useSnapshot();
  const { t } = useWords();
  const now = useStanding();
  const revisions = useView((v) => (v.snapshot?.ok ? v.snapshot.value.revisions : none));
  const [back, setBack] = useState<number | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const drawn = useDrawn(back === null ? null : (revisions[back]?.seq ?? null));
  const { past, progress, graph } = drawn;
  // At an earlier version the run was at work.
  const standing = back === null ? now : (status: StepStatus) => t(`step.${status}`);
  const nodeOf = (id: string | null | undefined) => graph?.nodes.find((node) => node.id === id);
  const node = nodeOf(chosen) ?? nodeOf(drawn.current);
  const stepOf = (steps?: readonly StepView[]) => steps?.find(({ id }) => id === node?.id);
  return (
    <Dialog
      title={t('graph.title')}
      width={1240}
      onClose={onClose}
      testId="graph-dialog"
      footer={<TimeSlider revisions={revisions} at={back ?? revisions.length} onAt={setBack} />}
    >
      {graph && (
        <div className="whole-graph">
          {drawn.called && <Path called={drawn.called} />}
          <Suspense fallback={<LoaderCircle className="spin" aria-label={t('file.reading')} />}>
            <GraphCanvas
              key={drawn.workflowId}
              graph={graph}
              progress={progress}
              standing={standing}
              chosen={node?.id ?? null}
              onChoose={setChosen}
            />
          </Suspense>
          <div className="beside">
            {back !== null && !past && <p className="hint">{t('file.reading')}</p>}
            {past?.ok === false && <FailureBox failure={past.failure} />}
            {node ? (
              <StepDetails
                node={node}
                graph={graph}
                step={stepOf(progress?.steps)}
                live={stepOf(drawn.live)}
                progress={progress}
                standing={standing}
                onLeave={onClose}
              />
            ) : (
              <p className="hint">{t('graph.choose')}</p>
            )}
            {past?.ok && <Document text={past.value.text} />}
          </div>
        </div>
      )}
    </Dialog>
  );
}
