import { Check, CircleX } from 'lucide-react';
import type { ConversationRun } from '../bridge/wire';

/** How a run stands, for its sign: what it is called in words stands beside it. */
function standingOf({ phase, reason }: ConversationRun) {
  switch (phase) {
    case 'running':
      return 'works';
    case 'waiting-user':
      return reason === 'stopped' ? 'still' : 'waits';
    case 'completed':
      return reason === 'ended_early' ? 'still' : 'done';
    case 'failed':
      return 'failed';
    case 'idle':
      return 'still';
  }
}

/** The sign of a run in a list. */
export function RunMark({ run }: { run: ConversationRun | undefined }) {
  const standing = run ? standingOf(run) : 'still';
  return (
    <span className="run-mark" data-standing={standing} aria-hidden>
      {standing === 'done' && <Check size={13} strokeWidth={2.2} />}
      {standing === 'failed' && <CircleX size={13} />}
    </span>
  );
}
