import { Check, CircleX } from 'lucide-react';
import type { Standing } from '../state/standing';

/** How a run, or who is talked with, stands, for its sign: what it is called in words stands beside it. */
function signOf({ phase, reason }: Standing) {
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

/** The sign of a conversation in a list. */
export function RunMark({ standing }: { standing: Standing | undefined }) {
  const sign = standing ? signOf(standing) : 'still';
  return (
    <span className="run-mark" data-standing={sign} aria-hidden>
      {sign === 'done' && <Check size={13} strokeWidth={2.2} />}
      {sign === 'failed' && <CircleX size={13} />}
    </span>
  );
}
