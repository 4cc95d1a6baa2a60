import type { Phase, Reason } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Badge, type Tone } from '../kit/badge';

const tones: Record<Phase, Tone> = {
  idle: 'plain',
  running: 'accent',
  'waiting-user': 'warn',
  completed: 'ok',
  failed: 'bad',
};

/** True when the run rests because its last words were not accepted. */
const isNotAccepted = (phase: Phase, reason?: Reason | null): boolean =>
  reason === 'not_accepted' && (phase === 'waiting-user' || phase === 'completed');

/** What a phase is called: a run that something stopped waits for more than an answer. */
export function phaseKey(phase: Phase, reason?: Reason | null, byModel = false): Key {
  if (isNotAccepted(phase, reason)) return 'phase.notAccepted';
  if (phase === 'completed' && reason === 'ended_early') return 'phase.endedEarly';
  if (phase !== 'waiting-user' || reason !== 'failed') return `phase.${phase}`;
  return byModel ? 'phase.stopped.model' : 'phase.stopped';
}

/** A run that the person ended has come to its end, but has not done its work. */
function tone(phase: Phase, reason?: Reason | null): Tone {
  if (isNotAccepted(phase, reason)) return 'warn';
  return reason === 'ended_early' ? 'plain' : tones[phase];
}

interface Props {
  phase: Phase;
  reason?: Reason | null;
  /** It was the model that did not answer. */
  byModel?: boolean;
  small?: boolean;
}

/** Where a run stands. The large one is unique on the page and carries the test id. */
export function PhaseBadge({ phase, reason, byModel, small }: Props) {
  const { t } = useWords();
  return (
    <Badge
      tone={tone(phase, reason)}
      dot
      live={phase === 'running'}
      data-phase={phase}
      data-testid={small ? undefined : 'phase-badge'}
    >
      {t(phaseKey(phase, reason, byModel))}
    </Badge>
  );
}
