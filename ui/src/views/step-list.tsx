import { Check, Flag, Minus } from 'lucide-react';
import { memo, useMemo } from 'react';
import type { GraphView, NodeType, StepStatus, StepView } from '../bridge/wire';
import { visible } from '../i18n/visible';
import { type Rail, type Rails, railsOf } from '../state/rails';
import { useStanding } from './step-words';
import './graph.css';

/** The height of a row and the width of a lane, in the drawing's own units; a sixteenth of a rem. */
const [ROW, LANE] = [44, 18];

/** The most steps that are drawn with the ways between them; of more there is a list. */
const MOST_STEPS = 500;

/** The most that all lanes take together, in the same units. */
const WIDEST = 108;

/** Where a step stands, as a mark: a choice is a diamond. */
export function StepMark({ status, type }: { status: StepStatus; type: NodeType }) {
  return (
    <span className="mark" data-type={type} aria-hidden>
      {status === 'completed' && <Check size={12} strokeWidth={2.6} />}
      {status === 'skipped' && <Minus size={12} strokeWidth={2.4} />}
      {status === 'pending' && type === 'end' && <Flag size={11} />}
    </span>
  );
}

/** The line of a way: out of a step, down its lane, and into the other step. */
function lineOf({ from, to, lane, back }: Rail, width: number): string {
  const x = (at: number) => at * width + LANE / 2;
  const y = (row: number) => row * ROW + ROW / 2;
  const [x1, x2, xl, y1, y2] = [x(from.lane), x(to.lane), x(lane), y(from.row), y(to.row)];
  const bend = ROW / 2;
  if (back) {
    const r = 8;
    return `M${x1} ${y1} H${xl - r} Q${xl} ${y1} ${xl} ${y1 - r} V${y2 + r} Q${xl} ${y2} ${xl - r} ${y2} H${x2}`;
  }
  const into = (x: number, at: number, end: number) =>
    `C${x} ${at + bend} ${end} ${at} ${end} ${at + bend}`;
  const out = xl === x1 ? '' : into(x1, y1, xl);
  const start = xl === x1 ? y1 : y1 + bend;
  if (xl === x2) return `M${x1} ${y1} ${out} V${y2}`;
  const last = Math.max(start, y2 - bend);
  return `M${x1} ${y1} ${out} V${last} C${xl} ${y2} ${x2} ${last} ${x2} ${y2}`;
}

interface LinesProps extends Rails {
  steps: ReadonlyMap<string, StepView>;
  /** The ways that were taken, each as the ids of both steps. */
  taken: ReadonlySet<string>;
}

/** The ways between the steps, drawn behind their marks. */
const Lines = memo(({ order, rails, lanes, steps, taken }: LinesProps) => {
  const width = Math.min(LANE, WIDEST / lanes);
  const [w, h] = [lanes * width + LANE - width, order.length * ROW];
  const kindOf = ({ edge: { from, to } }: Rail) => {
    if (taken.has(`${from} ${to}`)) return steps.get(to)?.status === 'current' ? 'now' : 'taken';
    const gone = [from, to].some((id) => steps.get(id)?.status === 'skipped');
    return gone ? 'skipped' : 'open';
  };
  // What was taken lies over what was not.
  const drawn = [...rails].sort((a, b) => Number(kindOf(a) <= 'o') - Number(kindOf(b) <= 'o'));
  return (
    <svg
      className="rails"
      viewBox={`0 0 ${w} ${h}`}
      style={{ width: `${w / 16}rem`, height: `${h / 16}rem` }}
      aria-hidden="true"
    >
      {drawn.map((rail) => (
        <path
          key={`${rail.edge.from} ${rail.edge.to} ${rail.edge.label}`}
          d={lineOf(rail, width)}
          data-way={kindOf(rail)}
          data-back={rail.back || undefined}
        />
      ))}
    </svg>
  );
});

interface StepProps {
  id: string;
  title: string;
  status: StepStatus;
  type: NodeType;
  hint: string;
  /** How it stands; null where that is not told. */
  standing: string | null;
  /** How far from the left its mark stands, and where the words of all steps begin, in rem. */
  at: number;
  indent: number;
  /** Whether more of it is shown. */
  open: boolean;
  /** Tells more of it; absent where nothing more is known. */
  onOpen?: (id: string, row: HTMLElement) => void;
}

/** One step, which is drawn again only when something of it is another. */
const Step = memo((props: StepProps) => {
  const { id, title, status, type, hint, standing, at, indent, open, onOpen } = props;
  const face = (
    <>
      <span className="at" style={{ left: `${at}rem` }}>
        <StepMark status={status} type={type} />
      </span>
      <span className="words" style={{ paddingLeft: `${indent}rem` }}>
        <span className="clip">{title}</span>
        <span className="hint clip">
          {standing !== null && hint !== standing && (
            <span className="visually-hidden">{standing}: </span>
          )}
          {hint}
        </span>
      </span>
    </>
  );
  const about = {
    className: 'step',
    title,
    'data-status': status,
    'aria-current': status === 'current' ? ('step' as const) : undefined,
  };
  return (
    <li data-testid={`step-${id}`} data-status={status}>
      {onOpen ? (
        <button
          type="button"
          {...about}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={(event) => onOpen(id, event.currentTarget)}
        >
          {face}
        </button>
      ) : (
        <div {...about}>{face}</div>
      )}
    </li>
  );
});

interface Props {
  steps: readonly StepView[];
  /** Nothing is drawn beside the steps, and nothing more is told of them, where it is not known. */
  graph: GraphView | null;
  /** The ways that were taken, each as the ids of both steps. */
  taken: ReadonlySet<string>;
  /** What is said below a step's title. */
  hint: (step: StepView) => string;
  /** The steps are those of a run, each of which stands somehow. */
  stands?: boolean;
  /** The step of which more is shown. */
  opened?: string;
  onOpen?: (id: string, row: HTMLElement) => void;
}

/** The steps in the order of the graph, beside the ways between them. */
export function StepList({ steps, graph, taken, hint, stands = true, opened, onOpen }: Props) {
  const byId = useMemo(() => new Map(steps.map((step) => [step.id, step])), [steps]);
  const standing = useStanding();
  // Rows and lines are of the same steps, and are laid out anew when others are listed.
  const listed = steps.map(({ id }) => id).join(' ');
  const drawn = useMemo(
    () => (graph && graph.nodes.length <= MOST_STEPS ? railsOf(graph, listed.split(' ')) : null),
    [graph, listed],
  );
  const lanes = drawn ? drawn.lanes : 1;
  const width = Math.min(LANE, WIDEST / lanes);
  const others = steps.map(({ id }) => id).filter((id) => !drawn?.spots.has(id));
  const ids = [...(drawn?.order ?? []), ...others];
  return (
    <div className="steps">
      {drawn && <Lines {...drawn} steps={byId} taken={taken} />}
      <ol>
        {ids
          .flatMap((id) => byId.get(id) ?? [])
          .map((step) => (
            <Step
              key={step.id}
              id={step.id}
              title={visible(step.title)}
              status={step.status}
              type={step.type}
              hint={hint(step)}
              standing={stands ? standing(step.status) : null}
              at={((drawn ? (drawn.spots.get(step.id)?.lane ?? 0) : 0) * width) / 16}
              indent={(lanes * width + LANE - width + 14) / 16}
              open={opened === step.id}
              onOpen={graph ? onOpen : undefined}
            />
          ))}
      </ol>
    </div>
  );
}
