import {
  CircleCheckBig,
  CirclePause,
  FileCheck2,
  FileX2,
  FolderInput,
  Gauge,
  type LucideIcon,
  Play,
  RotateCw,
  Scale,
  Unplug,
} from 'lucide-react';
import type { Item, NoticeKind } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Badge, type Tone } from '../kit/badge';
import { Button } from '../kit/button';
import { FailureBox } from '../widgets/failure';

export type NoticeBody = Extract<Item['body'], { type: 'notice' }>;
export type DecisionBody = Extract<Item['body'], { type: 'decision' }>;

const looks: Record<NoticeKind, { icon: LucideIcon; tone: Tone }> = {
  started: { icon: Play, tone: 'plain' },
  completed: { icon: CircleCheckBig, tone: 'ok' },
  model_error: { icon: Unplug, tone: 'bad' },
  stopped: { icon: CirclePause, tone: 'plain' },
  interrupted: { icon: Unplug, tone: 'warn' },
  limit: { icon: Gauge, tone: 'warn' },
  state_adopted: { icon: FileCheck2, tone: 'plain' },
  state_rejected: { icon: FileX2, tone: 'warn' },
  store_error: { icon: FileX2, tone: 'bad' },
  imported: { icon: FolderInput, tone: 'plain' },
};

interface Props {
  body: NoticeBody;
  /** True for the latest notice that can be resumed while nothing went on since. */
  resumable: boolean;
  busy: boolean;
  onResume: () => void;
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

/** Something the runtime says. */
export function Notice({ body, resumable, busy, onResume }: Props) {
  const { t } = useWords();
  const { icon: Icon, tone } = looks[body.kind];
  const button = resumable && <ResumeButton kind={body.kind} busy={busy} onResume={onResume} />;
  const words = t(`notice.${body.kind}` as Key);
  // A stop is what the person asked for, not a failure to be explained.
  const failure = body.kind === 'stopped' ? undefined : body.failure;
  return (
    <div className="notice" data-testid={`notice-${body.kind}`} data-tone={tone}>
      <p className="line" data-testid={body.kind === 'completed' ? 'completed-label' : undefined}>
        <Icon size={14} aria-hidden />
        <span>{words}</span>
        {!failure && button}
      </p>
      {body.kind === 'interrupted' && <p className="hint">{t('notice.interrupted.hint')}</p>}
      {failure && <FailureBox failure={failure}>{button}</FailureBox>}
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
      <p>{user_summary}</p>
      <details>
        <summary>{t('action.more')}</summary>
        <p className="mono">{stop_reason}</p>
      </details>
    </section>
  );
}
