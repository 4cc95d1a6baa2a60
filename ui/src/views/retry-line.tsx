import { RotateCw, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { RetryView } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Fold } from '../kit/fold';
import { stop } from '../state/actions';
import { useApp, useView } from '../state/store';

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

/** A request that will be tried again, and when; all that went wrong is told when it is asked for. */
export function RetryLine({ retry }: { retry: RetryView }) {
  const app = useApp();
  const { t, failure: words } = useWords();
  const { failure, attempt } = retry;
  const stopping = useView((v) => v.busy.has('stop'));
  // A sub-agent is stopped by the one that asked for it.
  const isRun = useView((v) => v.task === null);
  const seconds = useSecondsUntil(dueAt(retry));
  const { title, message, action } = words(failure);
  return (
    <div className="retry" data-testid="retry-line" data-code={failure.code}>
      <div className="line">
        <RotateCw size={14} aria-hidden />
        {/* Each second of the countdown would be read out. */}
        <strong role="status">{title}</strong>
        <span className="countdown" data-testid="retry-countdown">
          {seconds > 0
            ? t('conversation.retrying', { attempt, seconds })
            : t('conversation.retryingNow', { attempt })}
        </span>
        {isRun && (
          <Button
            size="s"
            kind="quiet"
            icon={Square}
            busy={stopping}
            disabled={stopping}
            data-testid="retry-stop"
            onClick={() => void stop(app)}
          >
            {t('action.stop')}
          </Button>
        )}
      </div>
      <Fold label={t('conversation.retryWhy')} testId="retry-why">
        {message && <p>{message}</p>}
        <p>{action}</p>
        <p className="code mono">{t('failure.code', { code: failure.code })}</p>
      </Fold>
    </div>
  );
}
