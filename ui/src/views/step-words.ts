// How the steps of the open run stand, in words: only a run that works is in progress at its step.
import type { RunView, StepStatus } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { useView } from '../state/store';

/** The words for a step of a run that stands so. */
function keyOf(status: StepStatus, { phase, reason }: Pick<RunView, 'phase' | 'reason'>): Key {
  if (status === 'pending' && reason === 'ended_early') return 'step.unreached';
  if (status !== 'current' || phase === 'running') return `step.${status}`;
  const isStopped = phase === 'failed' || phase === 'completed' || reason === 'failed';
  return isStopped ? 'step.stopped' : 'step.waits';
}

/** How a step of the open run stands now; before there is a run, how it would. */
export function useStanding(): (status: StepStatus) => string {
  const { t } = useWords();
  const run = useView((v) => v.conversation.status?.run);
  return (status) => t(run ? keyOf(status, run) : `step.${status}`);
}
