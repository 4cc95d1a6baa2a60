import {
  Ban,
  CircleCheck,
  CircleHelp,
  ClipboardCheck,
  FormInput,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  ShieldQuestion,
  Waypoints,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ChangeView, Failure, Item, Widget, WidgetKind } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { FailureBox } from '../widgets/failure';
import { ActionWidget, SelectionWidget } from './choice';
import { ConfirmationWidget, declined, isApproval } from './confirmation';
import { FeedbackWidget } from './feedback';
import { FormWidget } from './form';
import { Markdown } from './markdown';
import { PlanWidget } from './plan';

/** What each of the six is given. */
export interface WidgetProps {
  widget: Widget;
  change?: ChangeView;
  unbound: boolean;
  /** The value submitted; absent while it waits. */
  answer?: unknown;
  /** Answered, or not to be answered now. */
  locked: boolean;
  /** The answer is on its way. */
  busy: boolean;
  onSubmit: (value: unknown) => void;
  /** The row with the submit button; empty when locked. */
  footer: (options: { submitLabel: string; disabled?: boolean }) => ReactNode;
}

const kinds: Record<WidgetKind, { icon: LucideIcon; View: (props: WidgetProps) => ReactNode }> = {
  form: { icon: FormInput, View: FormWidget },
  selection: { icon: ListChecks, View: SelectionWidget },
  confirmation: { icon: ShieldQuestion, View: ConfirmationWidget },
  plan_review: { icon: ClipboardCheck, View: PlanWidget },
  feedback: { icon: MessageSquareText, View: FeedbackWidget },
  action_selection: { icon: Waypoints, View: ActionWidget },
};

export type QuestionBody = Extract<Item['body'], { type: 'question' }>;

interface Props {
  body: QuestionBody;
  /** False while the run works or another question waits. */
  enabled: boolean;
  /** Submits a value; resolves to what went wrong. */
  onAnswer: (value: unknown) => Promise<Failure | null>;
}

interface HeadProps {
  icon: LucideIcon;
  title: string;
  answered: boolean;
  /** Answered with no: nothing was changed. */
  declined: Key | null;
  waiting: boolean;
  closed: boolean;
}

function Head({ icon: Icon, title, answered, declined, waiting, closed }: HeadProps) {
  const { t } = useWords();
  return (
    <header>
      <Icon size={15} aria-hidden />
      <h2>{title}</h2>
      {declined && (
        <Badge data-testid="widget-declined">
          <Ban size={12} aria-hidden />
          {t(declined)}
        </Badge>
      )}
      {answered && !declined && (
        <Badge tone="ok" data-testid="widget-submitted">
          <CircleCheck size={12} aria-hidden />
          {t('widget.submitted')}
        </Badge>
      )}
      {closed && <Badge data-testid="widget-closed">{t('widget.closed')}</Badge>}
      {waiting && (
        <Badge tone="warn">
          <CircleHelp size={12} aria-hidden />
          {t('phase.waiting-user')}
        </Badge>
      )}
    </header>
  );
}

function Unknown({ type }: { type: string }) {
  const { t } = useWords();
  return (
    <div className="widget" data-testid="widget-unknown">
      <p className="caution">{t('widget.unknown', { type })}</p>
    </div>
  );
}

/** A widget in the conversation: waiting, or read-only with what was submitted. */
export function Question({ body, enabled, onAnswer }: Props) {
  const { t } = useWords();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { widget, change, unbound } = body;
  const kind = kinds[widget.type];
  const answered = body.answer !== undefined;
  if (!kind) return <Unknown type={String(widget.type)} />;
  const submit = async (value: unknown) => {
    if (busy || answered) return;
    setBusy(true);
    setFailure(await onAnswer(value));
    setBusy(false);
  };
  const closed = body.closed && !answered;
  const locked = answered || closed || !enabled;
  const approval = isApproval(change);
  const { icon: Icon, View } = kind;
  const title = approval ? t('approval.title') : t(`widget.${widget.type}` as Key);
  return (
    <section
      className="widget"
      data-testid={`widget-${widget.type}`}
      data-widget-id={widget.widgetId}
      data-answered={answered}
      aria-label={title}
    >
      <Head
        icon={Icon}
        title={title}
        answered={answered}
        declined={declined(body)}
        waiting={!locked}
        closed={closed}
      />
      <div className="asked">
        {approval ? (
          <p>{t('approval.ask', { tool: change?.tool ?? '' })}</p>
        ) : (
          <Markdown text={widget.message} />
        )}
      </div>
      <View
        widget={widget}
        change={change}
        unbound={unbound}
        answer={body.answer}
        locked={locked}
        busy={busy}
        onSubmit={submit}
        footer={({ submitLabel, disabled }) =>
          locked ? null : (
            <div className="widget-footer">
              <Button
                type="submit"
                kind="primary"
                busy={busy}
                disabled={disabled || busy}
                data-testid="widget-submit"
              >
                {busy ? t('widget.submitting') : submitLabel}
              </Button>
            </div>
          )
        }
      />
      {failure && <FailureBox failure={failure} />}
    </section>
  );
}
