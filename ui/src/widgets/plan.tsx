import { Check, PencilLine } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Field, TextArea } from '../kit/field';
import { DecisionBody } from './decision-body';
import { Markdown } from './markdown';
import type { WidgetProps } from './props';

interface Verdict {
  decision: 'approve' | 'request_changes';
  feedback?: string;
}

type ChooseProps = Pick<WidgetProps, 'busy' | 'onSubmit'> & { onChange: () => void };

function Choose({ busy, onSubmit, onChange }: ChooseProps) {
  const { t } = useWords();
  return (
    <>
      <Button
        icon={PencilLine}
        data-testid="widget-option-request_changes"
        disabled={busy}
        onClick={onChange}
      >
        {t('plan.changes')}
      </Button>
      <Button
        kind="primary"
        icon={Check}
        busy={busy}
        data-testid="widget-submit"
        onClick={() => onSubmit({ decision: 'approve' })}
      >
        {t('plan.approve')}
      </Button>
    </>
  );
}

interface Draft {
  changing: boolean;
  feedback: string;
}

/** A plan to approve; the value is `{decision}` or `{decision, feedback}`. */
export function PlanWidget(props: WidgetProps) {
  const { widget, answer, locked, busy, asked, onDraft, onSubmit } = props;
  const { t } = useWords();
  const { changing, feedback } = (props.draft ?? { changing: false, feedback: '' }) as Draft;
  const setChanging = (changing: boolean) => onDraft({ changing, feedback });
  const [error, setError] = useState<string>();
  const given = answer as Verdict | undefined;
  const send = () => {
    if (feedback.trim()) onSubmit({ decision: 'request_changes', feedback: feedback.trim() });
    else setError(t('widget.required'));
  };
  return (
    <div className="plan">
      <DecisionBody open={!locked} label={t('plan.label')}>
        {asked}
        <div className="plan-text">
          <Markdown text={widget.planContent ?? ''} />
        </div>
      </DecisionBody>
      {given && (
        <p className="outcome">
          {t(given.decision === 'approve' ? 'plan.approved' : 'plan.requested')}
          {given.feedback && <span>{visible(given.feedback)}</span>}
        </p>
      )}
      {!locked && changing && (
        <Field label={t('plan.feedback')} error={error}>
          {(ids) => (
            <TextArea
              {...ids}
              autoFocus
              value={feedback}
              data-testid="plan-feedback"
              onChange={(e) => {
                onDraft({ changing, feedback: e.target.value });
                setError(undefined);
              }}
            />
          )}
        </Field>
      )}
      {!locked && (
        <div className="widget-footer">
          {changing ? (
            <>
              <Button kind="quiet" data-testid="widget-cancel" onClick={() => setChanging(false)}>
                {t('action.cancel')}
              </Button>
              <Button kind="primary" busy={busy} data-testid="widget-submit" onClick={send}>
                {t('plan.send')}
              </Button>
            </>
          ) : (
            <Choose busy={busy} onSubmit={onSubmit} onChange={() => setChanging(true)} />
          )}
        </div>
      )}
    </div>
  );
}
