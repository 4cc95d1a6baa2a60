import { useEffect, useState } from 'react';
import type { RetryView } from '../bridge/wire';
import { useWords } from '../i18n';
import { FailureBox } from '../widgets/failure';

/** When each announced try is due. Kept beside the component: the list forgets rows out of sight. */
const due = new WeakMap<RetryView, number>();

function dueAt(retry: RetryView): number {
  const known = due.get(retry);
  if (known !== undefined) return known;
  const at = Date.now() + retry.inMs;
  due.set(retry, at);
  return at;
}

/** Whole seconds until `at`, counted down. */
function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((at - now) / 1000));
}

/** A request that will be tried again, and when. */
export function RetryLine({ retry }: { retry: RetryView }) {
  const { t } = useWords();
  const { failure, attempt } = retry;
  const seconds = useSecondsUntil(dueAt(retry));
  return (
    <FailureBox failure={failure}>
      <span className="hint" data-testid="retry-countdown">
        {seconds > 0
          ? t('conversation.retrying', { attempt, seconds })
          : t('conversation.retryingNow', { attempt })}
      </span>
    </FailureBox>
  );
}
