// How the steps of the open run stand, in words: only a run that works is in progress at its step.
import type { Reason, RunView, StepStatus } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { useView } from '../state/store';

/** Why a run rests that goes on by what the person says. */
const ASKS: readonly Reason[] = ['widget', 'answered', 'went_back', 'not_accepted'];

/** The words for a step of a run that stands so. */
function keyOf(status: StepStatus, { phase, reason }: Pick<RunView, 'phase' | 'reason'>): Key {
  if (status === 'pending' && reason === 'ended_early') return 'step.unreached';
  if (status !== 'current' || phase === 'running') return `step.${status}`;
  return reason !== null && ASKS.includes(reason) ? 'step.waits' : 'step.stopped';
}

/** How a step of the open run stands now; before there is a run, how it would. */
export function useStanding(): (status: StepStatus) => string {
  const { t } = useWords();
  const run = useView((v) => v.conversation.status?.run);
  return (status) => t(run ? keyOf(status, run) : `step.${status}`);
}
