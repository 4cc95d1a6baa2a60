import { Check, CircleDot, Flag, GitFork, type LucideIcon, Minus } from 'lucide-react';
import type { StepStatus, StepView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { useView } from '../state/store';

const marks: Record<StepStatus, LucideIcon | null> = {
  completed: Check,
  current: CircleDot,
  pending: null,
  skipped: Minus,
};

/** `over`: the flow has ended, so what is pending lies on a branch that was not taken. */
function Step({ step, over }: { step: StepView; over: boolean }) {
  const { t } = useWords();
  const Mark = marks[step.status];
  const Kind = step.type === 'decision' ? GitFork : step.type === 'end' ? Flag : null;
  return (
    <li
      className="step"
      data-testid={`step-${step.id}`}
      data-status={step.status}
      aria-current={step.status === 'current' ? 'step' : undefined}
    >
      <span className="mark">{Mark && <Mark size={13} strokeWidth={2.4} aria-hidden />}</span>
      <span className="words">
        <span>{visible(step.title)}</span>
        <span className="hint">
          {Kind && <Kind size={11} aria-hidden />}
          {t(`step.${over && step.status === 'pending' ? 'skipped' : step.status}` as Key)}
        </span>
      </span>
    </li>
  );
}

/** Where the run is among its steps. */
export function Progress() {
  const { t } = useWords();
  const steps = useView((v) => v.conversation.status?.steps ?? null);
  const done = steps?.filter((s) => s.status === 'completed').length ?? 0;
  const over = useView((v) => v.conversation.status?.run?.phase === 'completed');
  const needed = steps?.filter((s) => s.status !== 'skipped').length ?? 0;
  const total = over ? done : needed;
  return (
    <section>
      <h2>
        {t('progress.title')}
        {total > 0 && <span className="hint">{t('progress.count', { done, total })}</span>}
      </h2>
      {total > 0 && (
        <div
          className="meter"
          role="progressbar"
          aria-label={t('progress.title')}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={done}
        >
          <span style={{ width: `${(done / total) * 100}%` }} />
        </div>
      )}
      {total === 0 && <p className="hint">{t('progress.empty')}</p>}
      <ol className="steps">
        {steps?.map((step) => (
          <Step key={step.id} step={step} over={over} />
        ))}
      </ol>
    </section>
  );
}
