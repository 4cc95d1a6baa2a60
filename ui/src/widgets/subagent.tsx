import { Bot, Eye, FilePen, LoaderCircle, Square } from 'lucide-react';
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AgentSummary, SubagentView, TaskEnd, Verdict } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge, type Tone } from '../kit/badge';
import { Button } from '../kit/button';
import { Fold } from '../kit/fold';
import { Name } from '../kit/name';
import type { CallBody } from './call-card';
import { FailureBox } from './failure';
import { askedOf, outcomeOf, type TaskAsked, type TaskOutcome } from './task';
import './subagent.css';

/** Entries of a list that are shown at once. */
const SHOWN = 5;

const ends: Record<TaskEnd, Tone> = {
  completed: 'ok',
  stopped: 'warn',
  timed_out: 'warn',
  max_steps: 'warn',
  no_report: 'bad',
  failed: 'bad',
  unrecognised: 'plain',
};

/** How a sub-agent stands, in a word, and whether that is good. */
export function standing(
  end: TaskEnd | null,
  verdict: Verdict | null,
  rests = false,
): { words: Key; tone: Tone; live: boolean } {
  if (end === null && rests) return { words: 'subagent.rests', tone: 'warn', live: false };
  if (end === null) return { words: 'subagent.works', tone: 'accent', live: true };
  const known = Object.hasOwn(ends, end) ? end : 'unrecognised';
  if (known !== 'completed' || verdict === null) {
    return { words: `subagent.end.${known}`, tone: ends[known], live: false };
  }
  const tone = verdict === 'passed' ? 'ok' : 'bad';
  return { words: `subagent.verdict.${verdict}`, tone, live: false };
}

/** Whether a text is cut where it stands. */
function useCut(shown: string) {
  const box = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures again when the text is another
  useLayoutEffect(() => {
    const node = box.current;
    if (!node) return;
    const measure = () => setCut(node.scrollHeight > node.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [shown]);
  return { box, isCut };
}

/** A text so long that it takes more than two lines in any window. */
const LONG = 400;

interface PromptProps {
  asked: TaskAsked;
  unfolded: boolean;
  onUnfold?: (open: boolean) => void;
}

/** What it was told: two lines of it, and all of it on demand. */
function Prompt({ asked, unfolded, onUnfold }: PromptProps) {
  const { t } = useWords();
  const [open, setOpen] = useState(unfolded);
  const { prompt, expected, paths } = asked;
  const { box, isCut } = useCut(prompt);
  const hasMore = expected !== null || paths.length > 0;
  if (!prompt && !hasMore) return null;
  const toggle = () => {
    setOpen(!open);
    onUnfold?.(!open);
  };
  return (
    <div className="prompt">
      <p ref={box} data-open={open || undefined} data-testid="subagent-prompt">
        {visible(prompt)}
      </p>
      {open && expected && (
        <p data-open>
          <span className="hint">{t('subagent.expected')}</span> {visible(expected)}
        </p>
      )}
      {open && paths.length > 0 && (
        <p data-open>
          <span className="hint">{t('subagent.paths')}</span>{' '}
          {paths.map((path) => (
            <Name key={path} className="mono" text={path} />
          ))}
        </p>
      )}
      {(open || isCut || hasMore || prompt.length > LONG) && (
        <button
          type="button"
          className="more"
          aria-expanded={open}
          data-testid="subagent-unfold"
          onClick={toggle}
        >
          {t(open ? 'subagent.less' : 'subagent.more')}
        </button>
      )}
    </div>
  );
}

interface EntriesProps {
  title: string;
  entries: readonly string[];
  testId: string;
  draw: (entry: string) => ReactNode;
}

/** A list of the report: the first entries, and the others on demand. */
function Entries({ title, entries, testId, draw }: EntriesProps) {
  const { t, number } = useWords();
  if (entries.length === 0) return null;
  const list = (some: readonly string[]) => (
    <ul>
      {some.map((entry, at) => (
        <li key={at}>{draw(entry)}</li>
      ))}
    </ul>
  );
  const more = entries.slice(SHOWN);
  return (
    <section data-testid={testId}>
      <h3>
        {title} <span className="hint">{number(entries.length)}</span>
      </h3>
      {list(entries.slice(0, SHOWN))}
      {more.length > 0 && (
        <Fold label={t('notice.more', { count: number(more.length) })}>{list(more)}</Fold>
      )}
    </section>
  );
}

/** A change in words, or as the lines of a file. */
function Patch({ text }: { text: string }) {
  if (!text.includes('\n')) return <span>{visible(text)}</span>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
    <pre tabIndex={0}>{visible(text)}</pre>
  );
}

/** Ends that the badge says all about. */
const plainEnds: readonly (TaskEnd | null)[] = ['stopped', 'timed_out', 'max_steps', 'no_report'];

/** What it handed in, and what it changed. */
function Outcome({
  outcome,
  view,
  end,
}: Pick<Props & Read, 'outcome' | 'view'> & { end: TaskEnd }) {
  const { t } = useWords();
  const { summary, findings, patches, changed } = outcome;
  // The result has the words of the model, which are English.
  const failure = view?.failure ?? outcome.failure;
  return (
    <>
      {summary && (
        <p className="summary" data-testid="subagent-summary">
          {visible(summary)}
        </p>
      )}
      {failure && !plainEnds.includes(end) && <FailureBox failure={failure} />}
      <Entries
        title={t('subagent.findings')}
        entries={findings}
        testId="subagent-findings"
        draw={(entry) => <span>{visible(entry)}</span>}
      />
      <Entries
        title={t('subagent.patches')}
        entries={patches}
        testId="subagent-patches"
        draw={(entry) => <Patch text={entry} />}
      />
      <Entries
        title={t('subagent.changed')}
        entries={changed}
        testId="subagent-changed"
        draw={(path) => (
          <span className="file">
            <FilePen size={13} aria-hidden />
            <Name className="mono" text={path} />
          </span>
        )}
      />
    </>
  );
}

/** Where it is in its work. */
function Progress({ view }: { view: SubagentView }) {
  const { t, number } = useWords();
  const request = t('subagent.request', { count: number(Math.max(1, view.steps)) });
  return (
    <span className="progress" data-testid="subagent-progress">
      <LoaderCircle size={13} className="spin" aria-hidden />
      <span>{request}</span>
      {view.doing && (
        <>
          <span aria-hidden>·</span>
          <Name className="mono" text={view.doing} />
        </>
      )}
    </span>
  );
}

interface Props {
  call: CallBody;
  /** How it stands, as far as it is still known. */
  view?: SubagentView;
  /** The agent that works. */
  agent?: AgentSummary;
  stopping?: boolean;
  /** Whether the run rests that asked for it: the program ended in between. */
  rests?: boolean;
  /** Whether the prompt was open when it was last in sight. */
  unfolded?: boolean;
  onUnfold?: (open: boolean) => void;
  onStop: () => void;
  /** Opens its conversation. */
  onShow: () => void;
}

/** Who works, at what, and how that stands. */
function Head({ call, view, agent, rests, asked, outcome }: Props & Read) {
  const { t, count, duration } = useWords();
  const { end, verdict } = ended({ call, view, outcome });
  const kind = view?.taskType ?? asked.kind;
  const steps = view?.end ? view.steps : outcome.steps;
  const waits = call.state === 'running' && !view;
  const unsure = call.state === 'inDoubt' && end === null;
  const { words, tone, live } = standing(end, verdict, rests);
  return (
    <header>
      <span className="avatar" aria-hidden>
        {agent?.icon ? visible(agent.icon) : <Bot size={14} />}
      </span>
      <h2>
        <Name text={agent?.name ?? view?.agentId ?? asked.agent ?? t('subagent.label')} />
      </h2>
      {kind && <span className="hint">{t(`subagent.kind.${kind}`)}</span>}
      <span className="grow" />
      {end !== null && !!steps && <span className="hint">{count('subagent.requests', steps)}</span>}
      {call.durationMs > 0 && <span className="hint">{duration(call.durationMs)}</span>}
      {waits || unsure ? (
        <Badge tone={unsure ? 'warn' : 'plain'} data-testid="subagent-end">
          {t(unsure ? 'call.inDoubt' : 'subagent.waits')}
        </Badge>
      ) : (
        <Badge tone={tone} dot live={live} data-testid="subagent-end">
          {t(words)}
        </Badge>
      )}
    </header>
  );
}

interface Read {
  asked: TaskAsked;
  outcome: TaskOutcome;
}

/** How it ended: as the conversation knows it, or as the result says. A call at its end has one. */
function ended({ call, view, outcome }: Pick<Props & Read, 'call' | 'view' | 'outcome'>) {
  const isOver = call.state !== 'running' && call.state !== 'inDoubt';
  const end = view?.end ?? outcome.end ?? (isOver ? 'unrecognised' : null);
  return { end, verdict: view?.verdict ?? outcome.verdict };
}

/** A sub-agent: what it is to do, how far it is, and what it handed in. */
export const SubagentCard = memo((props: Props) => {
  const {
    call,
    view,
    stopping = false,
    rests = false,
    unfolded = false,
    onUnfold,
    onStop,
    onShow,
  } = props;
  const { t } = useWords();
  const asked = useMemo(() => askedOf(call.args), [call.args]);
  const outcome = useMemo(() => outcomeOf(call.result), [call.result]);
  const { end, verdict } = ended({ call, view, outcome });
  const works = view !== undefined && end === null && call.state === 'running' && !rests;
  const { tone } = standing(end, verdict, rests);
  return (
    <article
      className="subagent"
      data-testid="subagent"
      data-call={call.callId}
      data-end={end ?? undefined}
      data-tone={tone}
      aria-label={t('subagent.label')}
    >
      <Head {...props} asked={asked} outcome={outcome} />
      <Prompt asked={asked} unfolded={unfolded} onUnfold={onUnfold} />
      {end !== null && <Outcome outcome={outcome} view={view} end={end} />}
      {view && (
        <footer>
          {works && <Progress view={view} />}
          <span className="grow" />
          <Button size="s" kind="quiet" icon={Eye} data-testid="subagent-show" onClick={onShow}>
            {t('subagent.show')}
          </Button>
          {works && (
            <Button
              size="s"
              icon={Square}
              busy={stopping}
              disabled={stopping}
              data-testid="subagent-stop"
              onClick={onStop}
            >
              {t('action.stop')}
            </Button>
          )}
        </footer>
      )}
    </article>
  );
});
