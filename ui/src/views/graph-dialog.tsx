import { LoaderCircle } from 'lucide-react';
import { type CSSProperties, lazy, Suspense, useEffect, useState } from 'react';
import type { Result } from '../bridge';
import type { Progress, RevisionState, RevisionView, StepStatus } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Dialog } from '../kit/dialog';
import { Fold } from '../kit/fold';
import { readRevision } from '../state/graph';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { useRunGraph, useSteps } from './progress';
import { StepDetails } from './step-details';
import { useStanding } from './step-words';
import { useSnapshot } from './use-snapshot';

// What lays a graph out and moves it is large: it is loaded with the first graph that is opened.
const GraphCanvas = lazy(() => import('./graph-canvas'));

const none: readonly RevisionView[] = [];

/** How long the slider rests, in milliseconds, before it is read how the run stood there. */
const RESTS = 150;

/** Where the run stood at a version of its state document; nothing while it is now, or not read yet. */
function useRevision(seq: number | null): Result<RevisionState> | null {
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
  return state?.seq === seq ? state.read : null;
}

interface TimeProps {
  revisions: readonly RevisionView[];
  at: number;
  onAt: (at: number) => void;
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
        onChange={(event) => onAt(Number(event.target.value))}
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
  const graph = useRunGraph();
  const steps = useSteps();
  const snapshot = useView((v) => (v.snapshot?.ok ? v.snapshot.value : null));
  const revisions = snapshot?.revisions ?? none;
  const [back, setBack] = useState<number | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const past = useRevision(back === null ? null : (revisions[back]?.seq ?? null));
  const here: Progress = { steps: [...(steps ?? [])], ways: snapshot?.progress.ways ?? [] };
  // Until it is read how it stood, nothing is said of it.
  const progress = back === null ? here : past?.ok ? past.value.progress : null;
  // At an earlier version the run was at work.
  const standing = back === null ? now : (status: StepStatus) => t(`step.${status}`);
  const current = steps?.find(({ status }) => status === 'current')?.id ?? null;
  const node = graph?.nodes.find(({ id }) => id === (chosen ?? current));
  return (
    <Dialog
      title={t('graph.title')}
      width={1240}
      onClose={onClose}
      testId="graph-dialog"
      footer={
        <TimeSlider
          revisions={revisions}
          at={back ?? revisions.length}
          onAt={(at) => setBack(at < revisions.length ? at : null)}
        />
      }
    >
      {graph && (
        <div className="whole-graph">
          <Suspense fallback={<LoaderCircle className="spin" aria-label={t('file.reading')} />}>
            <GraphCanvas
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
                step={progress?.steps.find(({ id }) => id === node.id)}
                live={steps?.find(({ id }) => id === node.id)}
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
