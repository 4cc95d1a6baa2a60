import { Ban, CircleCheck, CircleHelp, CircleMinus, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Widget } from '../bridge/wire';
import { type Key, useWords, type Words } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Fold } from '../kit/fold';
import { ChangeObject, verbOf } from './change';
import { declined, insteadOf, outcome } from './confirmation';
import type { QuestionBody } from './props';
import { Question } from './question';

/** `waits`: the run waits for it. `open`: it can be answered, and the run goes on without. */
type Standing = 'answered' | 'declined' | 'closed' | 'waits' | 'open';

const looks: Record<Standing, { icon: LucideIcon; testId: string }> = {
  answered: { icon: CircleCheck, testId: 'widget-submitted' },
  declined: { icon: Ban, testId: 'widget-declined' },
  closed: { icon: CircleMinus, testId: 'widget-closed' },
  waits: { icon: CircleHelp, testId: 'widget-waits' },
  open: { icon: CircleHelp, testId: 'widget-open' },
};

/** The most characters of a question, and of its answer, that are shown in its line. */
const MOST = 200;

/** The marks of Markdown that would stand in one line of it. */
const MARKS = /^[#>\s]+|\*\*|`/g;

/** The first words of a question, in one line. */
export function firstLine(widget: Widget, t: Words['t']): string {
  const [first = ''] = widget.message.trim().slice(0, MOST).split('\n', 1);
  return visible(first.replace(MARKS, '')) || t(`widget.${widget.type}` as Key);
}

/** What was asked, in one line: what a change would do, or the first words of the question. */
function Subject({ body: { widget, change } }: { body: QuestionBody }) {
  const { t } = useWords();
  if (change) {
    return (
      <strong>
        {t(verbOf(change))} <ChangeObject change={change} />
      </strong>
    );
  }
  const words = firstLine(widget, t);
  if (widget.widgetId !== 'server_question') return <strong>{words}</strong>;
  return <strong>{t('server.asks.words', { words })}</strong>;
}

const yesOrNo = (value: unknown, { t }: Words) =>
  typeof value === 'boolean' ? t(value ? 'widget.yes' : 'widget.no') : String(value);

/** What was answered, in one line. */
function answerOf({ widget, change, answer }: QuestionBody, words: Words): string {
  const { t } = words;
  if (widget.type === 'confirmation') return t(outcome(answer, change));
  if (widget.type === 'plan_review') {
    const isYes = (answer as { decision?: string } | null)?.decision === 'approve';
    return t(isYes ? 'plan.approved' : 'plan.requested');
  }
  const labels = new Map<unknown, string>([
    ...(widget.options ?? []).map((it) => [it.value, it.label] as const),
    ...(widget.actions ?? []).map((it) => [it.id, it.label] as const),
  ]);
  const given = typeof answer === 'object' && answer !== null ? Object.values(answer) : [answer];
  const told = given
    .map((value) => labels.get(value) ?? yesOrNo(value, words))
    .filter((text) => text !== '');
  return visible(told.join(' · ').slice(0, MOST)) || t('widget.empty');
}

/** That it was declined, and what is wanted instead. */
function refusalOf(body: QuestionBody, { t }: Words): string {
  const told = t(declined(body) ?? 'confirm.declined');
  const instead = visible(insteadOf(body.answer).slice(0, MOST));
  return instead ? t('instead.told', { told, words: instead }) : told;
}

/** What a question that is over came to, in one line: a no is told as that. */
export const toldOf = (body: QuestionBody, words: Words): string =>
  declined(body) ? refusalOf(body, words) : answerOf(body, words);

interface Props {
  body: QuestionBody;
  /** The run waits for the answer. */
  waits: boolean;
  unfolded?: boolean;
  onUnfold?: (open: boolean) => void;
  /** Takes up a question for which the run does not wait; absent while it works, or waits for others. */
  onTake?: () => void;
}

function standingOf({ body, waits }: Props): Standing {
  if (declined(body)) return 'declined';
  if (body.answer !== undefined) return 'answered';
  if (body.closed) return 'closed';
  return waits ? 'waits' : 'open';
}

/** What of a question stays in the conversation: one line, and all of it on demand. */
export function Receipt(props: Props) {
  const { body, unfolded, onUnfold, onTake } = props;
  const words = useWords();
  const { t } = words;
  const standing = standingOf(props);
  const { icon: Icon, testId } = looks[standing];
  const told: Record<Standing, () => string> = {
    answered: () => answerOf(body, words),
    declined: () => refusalOf(body, words),
    closed: () => t('widget.closed'),
    waits: () => t('receipt.waits'),
    open: () => t('receipt.open'),
  };
  const line: ReactNode = (
    <>
      <Icon size={14} aria-hidden />
      <Subject body={body} />
      <span className="told" data-testid={testId}>
        {told[standing]()}
      </span>
    </>
  );
  return (
    <div className="receipt" data-testid="receipt" data-standing={standing}>
      {standing === 'waits' ? (
        <p className="receipt-line">{line}</p>
      ) : (
        <Fold label={line} unfolded={unfolded} onUnfold={onUnfold}>
          <Question body={body} enabled={false} onAnswer={async () => null} />
        </Fold>
      )}
      {standing === 'open' && onTake && (
        <Button size="s" data-testid="take-question" onClick={onTake}>
          {t('receipt.take')}
        </Button>
      )}
    </div>
  );
}
