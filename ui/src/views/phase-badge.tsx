import type { Phase } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Badge, type Tone } from '../kit/badge';

const tones: Record<Phase, Tone> = {
  idle: 'plain',
  running: 'accent',
  'waiting-user': 'warn',
  completed: 'ok',
  failed: 'bad',
};

/** Where a run stands. The large one is unique on the page and carries the test id. */
export function PhaseBadge({ phase, small }: { phase: Phase; small?: boolean }) {
  const { t } = useWords();
  const words = t(`phase.${phase}` as Key);
  return (
    <Badge
      tone={tones[phase]}
      dot
      live={phase === 'running'}
      data-phase={phase}
      data-testid={small ? undefined : 'phase-badge'}
    >
      {words}
    </Badge>
  );
}
