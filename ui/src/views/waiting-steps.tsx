import { History, Hourglass } from 'lucide-react';
import type { WaitingStep } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { IconButton } from '../kit/button';
import { askToGoBack, canGoBack } from '../state/rewind';
import { useApp, useView } from '../state/store';

interface RowProps {
  step: WaitingStep;
  /** How many steps of other workflows wait for it. */
  depth: number;
}

/** A step that waits, and the way back to it; the id of one further in leads there, and not to it. */
function Row({ step, depth }: RowProps) {
  const app = useApp();
  const { t } = useWords();
  const goesBack = useView((v) => step.isMeant && canGoBack(v, { status: 'current' }));
  const [title, workflow] = [visible(step.title), visible(step.workflow)];
  return (
    <li
      style={{ paddingLeft: `${depth * 0.75}rem` }}
      title={title}
      data-testid={`waiting-${step.nodeId}`}
    >
      <Hourglass size={13} aria-hidden />
      <span className="words">
        <span className="clip">{title}</span>
        <span className="hint">
          <span className="clip" title={workflow}>
            {workflow}
          </span>
          <span>{t('progress.count', { ...step.steps })}</span>
        </span>
      </span>
      {goesBack && (
        <IconButton
          icon={History}
          label={t('rewind.open.step', { step: title })}
          data-testid="waiting-back"
          onClick={() => askToGoBack(app, step.nodeId)}
        />
      )}
    </li>
  );
}

/** The steps that wait for the workflow that is worked on, the outermost first. */
export function WaitingSteps({ callers }: { callers: readonly WaitingStep[] }) {
  const { t } = useWords();
  return (
    <ol className="waiting-steps" aria-label={t('progress.waiting')}>
      {callers.map((step, depth) => (
        <Row key={step.workflowId} step={step} depth={depth} />
      ))}
    </ol>
  );
}
