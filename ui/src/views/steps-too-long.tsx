import { TriangleAlert } from 'lucide-react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { goToModel } from '../state/actions';
import { useApp, useView } from '../state/store';
import './context.css';

/** The steps ahead that the model cannot read whole, and what to do about it. */
export function StepsTooLong() {
  const app = useApp();
  const { t, number, about } = useWords();
  const context = useView((v) => v.conversation.status?.context);
  const steps = useView((v) => v.conversation.status?.steps);
  const long = context?.tooLong ?? [];
  if (!context?.budget || long.length === 0) return null;
  const titleOf = (node: string) => steps?.find((step) => step.id === node)?.title ?? node;
  return (
    <div className="steps-too-long" role="status" data-testid="steps-too-long">
      <TriangleAlert size={14} aria-hidden />
      <div>
        <p>{t('context.stepsTooLong', { budget: number(context.budget) })}</p>
        <ul>
          {long.map(({ nodeId, tokens, room }) => (
            <li key={nodeId}>
              {t('context.stepTooLong', {
                step: visible(titleOf(nodeId)),
                tokens: about(tokens, context.estimated),
                room: number(room),
              })}
            </li>
          ))}
        </ul>
      </div>
      <Button size="s" onClick={() => goToModel(app, 'context-tokens')}>
        {t('context.stepsTooLong.settings')}
      </Button>
    </div>
  );
}
