import {
  Bot,
  ChevronsDownUp,
  CircleCheckBig,
  CirclePause,
  CircleStop,
  Cpu,
  FileCheck2,
  FileText,
  FileWarning,
  FileX2,
  FolderInput,
  FoldVertical,
  Gauge,
  GraduationCap,
  History,
  type LucideIcon,
  MessageCircle,
  Play,
  RotateCw,
  Scale,
  Settings2,
  Undo2,
  Unplug,
  UserRound,
} from 'lucide-react';
import type { Item, NoticeKind } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import type { Tone } from '../kit/badge';
import { Button } from '../kit/button';
import { Fold } from '../kit/fold';
import { Coded } from '../kit/sentence';
import { FailureBox } from '../widgets/failure';

export type NoticeBody = Extract<Item['body'], { type: 'notice' }>;

const looks: Record<NoticeKind, { icon: LucideIcon; tone: Tone }> = {
  started: { icon: Play, tone: 'plain' },
  task_started: { icon: Bot, tone: 'plain' },
  completed: { icon: CircleCheckBig, tone: 'ok' },
  model_error: { icon: Unplug, tone: 'bad' },
  demo_over: { icon: CirclePause, tone: 'plain' },
  model_switched: { icon: Cpu, tone: 'plain' },
  stopped: { icon: CirclePause, tone: 'plain' },
  interrupted: { icon: Unplug, tone: 'warn' },
  limit: { icon: Gauge, tone: 'warn' },
  state_adopted: { icon: FileCheck2, tone: 'plain' },
  state_rejected: { icon: FileX2, tone: 'warn' },
  store_error: { icon: FileX2, tone: 'bad' },
  imported: { icon: FolderInput, tone: 'plain' },
  unchanged: { icon: Scale, tone: 'warn' },
  order_kept: { icon: Scale, tone: 'plain' },
  ended: { icon: CircleStop, tone: 'plain' },
  foreign_change: { icon: FileWarning, tone: 'warn' },
  compacted: { icon: FoldVertical, tone: 'plain' },
  put_back: { icon: Undo2, tone: 'plain' },
  not_put_back: { icon: FileX2, tone: 'warn' },
  went_back: { icon: History, tone: 'plain' },
  not_went_back: { icon: FileX2, tone: 'warn' },
  agent_chosen: { icon: UserRound, tone: 'plain' },
  chat_chosen: { icon: MessageCircle, tone: 'plain' },
  run_chosen: { icon: Play, tone: 'plain' },
  skill_began: { icon: GraduationCap, tone: 'plain' },
  skill_ended: { icon: GraduationCap, tone: 'plain' },
};

interface Props {
  body: NoticeBody;
  /** True for the latest notice that can be resumed while nothing went on since. */
  resumable: boolean;
  busy: boolean;
  onResume: () => void;
  /** Asking again must fail: only the settings lead on. */
  hopeless?: boolean;
  /** In the conversation of a sub-agent, where nobody can talk on. */
  ofTask?: boolean;
  /** Opens the settings of the model, for a failure that is about them. */
  onSettings?: () => void;
  /** Makes the conversation shorter, or drops it for the model, and goes on: for one too long. */
  onShorter?: (how: 'hard' | 'afresh') => void;
  /** Undoes what it tells of. */
  onUndo?: () => void;
}

function ResumeButton({
  kind,
  busy,
  onResume,
}: {
  kind: NoticeKind;
  busy: boolean;
  onResume: () => void;
}) {
  const { t } = useWords();
  const isError = kind === 'model_error' || kind === 'store_error';
  const words: Key = isError
    ? 'action.retry'
    : kind === 'limit'
      ? 'action.continue'
      : 'action.resume';
  return (
    <Button
      size="s"
      icon={isError ? RotateCw : Play}
      busy={busy}
      disabled={busy}
      data-testid={isError ? 'retry' : 'resume'}
      onClick={onResume}
    >
      {t(words)}
    </Button>
  );
}

function UndoButton({ onUndo }: { onUndo: () => void }) {
  const { t } = useWords();
  return (
    <Button size="s" icon={Undo2} data-testid="rewind-undo" onClick={onUndo}>
      {t('rewind.undo')}
    </Button>
  );
}

/** The ways out of a conversation that is too long, beside a model that reads more. */
function ShorterButtons({
  busy,
  onShorter,
}: {
  busy: boolean;
  onShorter: (how: 'hard' | 'afresh') => void;
}) {
  const { t } = useWords();
  return (
    <>
      <Button
        size="s"
        icon={ChevronsDownUp}
        disabled={busy}
        data-testid="shorten-hard"
        onClick={() => onShorter('hard')}
      >
        {t('context.hard')}
      </Button>
      <Button
        size="s"
        icon={FileText}
        disabled={busy}
        data-testid="start-afresh"
        onClick={() => onShorter('afresh')}
      >
        {t('context.afresh')}
      </Button>
    </>
  );
}

/** Things of one notice that are named at once. */
const NAMED = 5;

/** Details below the words of the notice, one a line. */
function Details({ lines }: { lines: readonly string[] }) {
  const { t, number } = useWords();
  const list = (some: readonly string[]) => (
    <ul className="details">
      {some.map((line) => (
        <li key={line}>
          <Coded text={line} />
        </li>
      ))}
    </ul>
  );
  const more = lines.slice(NAMED);
  return (
    <>
      {list(lines.slice(0, NAMED))}
      {more.length > 0 && (
        <Fold label={t('notice.more', { count: number(more.length) })} testId="notice-more">
          {list(more)}
        </Fold>
      )}
    </>
  );
}

/** What its end is called where a sub-agent works. */
const ofTasks: Partial<Record<NoticeKind, Key>> = {
  completed: 'notice.task_completed',
  stopped: 'notice.task_stopped',
};

/** The words of a notice, and what stands below them. One thing is said in their place. */
function useSaid({ kind, parts = [] }: NoticeBody, ofTask: boolean) {
  const { t, change, say } = useWords();
  const title = t((ofTask && ofTasks[kind]) || (`notice.${kind}` as Key));
  if (kind === 'went_back' || kind === 'skill_began') {
    const [first, ...more] = parts.map(say).filter((line) => line !== null);
    return { words: first ?? title, details: more };
  }
  const ofFiles = kind === 'foreign_change' || kind === 'put_back';
  const isListed = kind === 'ended' || kind === 'not_went_back' || (ofFiles && parts.length > 1);
  if (!isListed) {
    return { words: change(parts, title), details: [] };
  }
  return { words: title, details: parts.map(say).filter((line) => line !== null) };
}

/** Something the runtime says. A failure of the model says it itself: one heading for one fact. */
export function Notice(props: Props) {
  const {
    body,
    resumable,
    busy,
    onResume,
    hopeless,
    onSettings,
    onShorter,
    onUndo,
    ofTask = false,
  } = props;
  const { t } = useWords();
  const { icon: Icon, tone } = looks[body.kind];
  const button = resumable && !hopeless && body.kind !== 'demo_over' && (
    <ResumeButton kind={body.kind} busy={busy} onResume={onResume} />
  );
  const { words, details } = useSaid(body, ofTask);
  // A stop is what the person asked for, and the end of a demo is none: nothing to be explained.
  const told = body.kind === 'stopped' || body.kind === 'demo_over';
  const failure = told ? undefined : body.failure;
  const headed = body.kind !== 'model_error' || !failure;
  return (
    <div className="notice" data-testid={`notice-${body.kind}`} data-tone={tone}>
      {headed && (
        <p className="line" data-testid={body.kind === 'completed' ? 'completed-label' : undefined}>
          <Icon size={14} aria-hidden />
          <span>{words}</span>
          {!failure && button}
          {onUndo && <UndoButton onUndo={onUndo} />}
        </p>
      )}
      {details.length > 0 && <Details lines={details} />}
      {body.kind === 'interrupted' && <p className="hint">{t('notice.interrupted.hint')}</p>}
      {failure && (
        <FailureBox failure={failure}>
          {onSettings && resumable && (
            <Button
              size="s"
              kind={hopeless ? 'primary' : 'plain'}
              icon={Settings2}
              data-testid="model-settings"
              onClick={onSettings}
            >
              {t('model.settings')}
            </Button>
          )}
          {onShorter && resumable && <ShorterButtons busy={busy} onShorter={onShorter} />}
          {button}
        </FailureBox>
      )}
    </div>
  );
}
