import {
  CircleCheckBig,
  CirclePause,
  Cpu,
  FileCheck2,
  FileX2,
  FolderInput,
  Gauge,
  type LucideIcon,
  Play,
  RotateCw,
  Scale,
  Settings2,
  Unplug,
} from 'lucide-react';
import type { Item, NoticeKind } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge, type Tone } from '../kit/badge';
import { Button } from '../kit/button';
import { FailureBox } from '../widgets/failure';

export type NoticeBody = Extract<Item['body'], { type: 'notice' }>;
export type DecisionBody = Extract<Item['body'], { type: 'decision' }>;

const looks: Record<NoticeKind, { icon: LucideIcon; tone: Tone }> = {
  started: { icon: Play, tone: 'plain' },
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
};

interface Props {
  body: NoticeBody;
  /** True for the latest notice that can be resumed while nothing went on since. */
  resumable: boolean;
  busy: boolean;
  onResume: () => void;
  /** Asking again must fail: only the settings lead on. */
  hopeless?: boolean;
  /** Opens the settings of the model, for a failure that is about them. */
  onSettings?: () => void;
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

/** Something the runtime says. A failure of the model says it itself: one heading for one fact. */
export function Notice({ body, resumable, busy, onResume, hopeless, onSettings }: Props) {
  const { t, change } = useWords();
  const { icon: Icon, tone } = looks[body.kind];
  const button = resumable && !hopeless && body.kind !== 'demo_over' && (
    <ResumeButton kind={body.kind} busy={busy} onResume={onResume} />
  );
  const words = change(body.parts ?? [], t(`notice.${body.kind}` as Key));
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
        </p>
      )}
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
          {button}
        </FailureBox>
      )}
    </div>
  );
}

const verdicts: Record<DecisionBody['decision']['status'], Tone> = {
  accepted: 'ok',
  incomplete: 'warn',
  failed: 'bad',
};

/** The runtime's judgement, in place of a rejected text. */
export function DecisionBlock({ body }: { body: DecisionBody }) {
  const { t } = useWords();
  const { status, stop_reason, user_summary } = body.decision;
  return (
    <section
      className="decision"
      data-testid="decision"
      data-status={status}
      aria-label={t('decision.title')}
    >
      <header>
        <Scale size={15} aria-hidden />
        <h2>{t('decision.title')}</h2>
        <Badge tone={verdicts[status]}>{t(`decision.${status}` as Key)}</Badge>
      </header>
      <p>{visible(user_summary)}</p>
      <details>
        <summary>{t('action.more')}</summary>
        <p className="mono">{visible(stop_reason)}</p>
      </details>
    </section>
  );
}
