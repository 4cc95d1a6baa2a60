import {
  Ban,
  CircleCheck,
  ClipboardCheck,
  FileInput,
  FilePenLine,
  FilePlus2,
  FormInput,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  Plug,
  ShieldQuestion,
  Trash2,
  Undo2,
  Waypoints,
} from 'lucide-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Result } from '../bridge';
import type { ChangeEffect, ChangeView, Failure, WholeChange, WidgetKind } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Badge } from '../kit/badge';
import { Button } from '../kit/button';
import { focusHome } from '../kit/focus';
import { markMoreBelow } from '../kit/more-below';
import { Name } from '../kit/name';
import { Sentence } from '../kit/sentence';
import type { Look } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { type Arming, useArming } from './arming';
import { ChangeObject, isServerCall, mayDestroy, objectOf, verbOf } from './change';
import { ActionWidget, SelectionWidget } from './choice';
import { ConfirmationWidget, declined, isApproval, isNo, UNTOLD } from './confirmation';
import { FeedbackWidget } from './feedback';
import { FormWidget } from './form';
import { GivenFiles } from './given';
import { LongText } from './long-text';
import { Markdown } from './markdown';
import { PlanWidget } from './plan';
import type { QuestionBody, WidgetProps } from './props';
import './server.css';

const kinds: Record<WidgetKind, { icon: LucideIcon; View: (props: WidgetProps) => ReactNode }> = {
  form: { icon: FormInput, View: FormWidget },
  selection: { icon: ListChecks, View: SelectionWidget },
  confirmation: { icon: ShieldQuestion, View: ConfirmationWidget },
  plan_review: { icon: ClipboardCheck, View: PlanWidget },
  feedback: { icon: MessageSquareText, View: FeedbackWidget },
  action_selection: { icon: Waypoints, View: ActionWidget },
};

const effects: Record<ChangeEffect, LucideIcon> = {
  made: FilePlus2,
  changed: FilePenLine,
  moved: FileInput,
  gone: Trash2,
  back: Undo2,
};

/** Whether a server asks, and not the model. */
const isOfAServer = ({ widget }: QuestionBody): boolean => widget.widgetId === 'server_question';

/** What stands at the head of a question. */
function iconOf(body: QuestionBody): LucideIcon {
  const { change } = body;
  if (change) return isServerCall(change) ? Plug : effects[change.effect];
  return isOfAServer(body) ? Plug : kinds[body.widget.type].icon;
}

/** What a yes would do, as far as it is known: a server's word for it is none. */
function effectOf({
  change,
  unbound,
}: QuestionBody): ChangeEffect | 'call' | 'unknown' | undefined {
  if (!change) return unbound ? 'unknown' : undefined;
  if (!isServerCall(change)) return change.effect;
  return mayDestroy(change) ? 'unknown' : 'call';
}

/** Kinds whose answer can authorise something that was shown; the host knows the same ones. */
const authorises = (kind: WidgetKind) => kind === 'confirmation' || kind === 'plan_review';

interface Props {
  body: QuestionBody;
  /** False where it is only read, and while the run works. */
  enabled: boolean;
  /** The server that asks, where it is known. */
  server?: string;
  /** True while nothing is written: its keys work in the whole window. */
  keys?: boolean;
  draft?: unknown;
  onDraft?: (draft: unknown) => void;
  /** How a change was looked at last, and where another choice is kept. */
  look?: Look;
  onLook?: (look: Look) => void;
  /** Reads all of the change that is asked about. */
  onWhole?: (changeId: string) => Promise<Result<WholeChange>>;
  /** How long it must be in sight before it can be answered, in milliseconds. */
  armedAfter?: number;
  /** Submits a value after the question was shown that long; resolves to what went wrong. */
  onAnswer: (value: unknown, shownMs: number) => Promise<Failure | null>;
}

interface HeadProps {
  icon: LucideIcon;
  title: string;
  change?: ChangeView;
  /** Where what is filled in goes. */
  note: string | null;
  answered: boolean;
  /** Answered with no: nothing was changed. */
  declined: Key | null;
  waiting: boolean;
  closed: boolean;
}

/** Longer than this is not shown at once in the smallest window: it scrolls. */
const LONG = 240;

function Head(props: HeadProps) {
  const { icon: Icon, title, change, note, answered, declined, waiting, closed } = props;
  const { t, change: says } = useWords();
  const told = change ? says(change.parts, change.summary) : '';
  const length = change ? objectOf(change, t).length + told.length : 0;
  return (
    <header
      ref={waiting ? markMoreBelow : undefined}
      tabIndex={waiting && length > LONG ? 0 : undefined}
    >
      <span className="sign" aria-hidden>
        <Icon size={16} />
      </span>
      <h2>
        {title} {change && <ChangeObject change={change} />}
        {change && waiting && t('decide.mark')}
      </h2>
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
      {change && (
        <p className="hint" data-testid="change-summary">
          {isServerCall(change) ? <Sentence text={told} /> : <Name text={told} />}
        </p>
      )}
      {note && (
        <p className="hint" data-testid="server-note">
          {note}
        </p>
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

/** The model's words; a call that waits is named by the heading alone. A server's are as they are. */
function Asked({ body }: { body: QuestionBody }) {
  const { widget, change } = body;
  if (isApproval(change)) return null;
  if (isOfAServer(body)) {
    return (
      <div className="asked">
        <LongText text={widget.message}>{(shown) => <p className="as-it-is">{shown}</p>}</LongText>
      </div>
    );
  }
  return (
    <div className="asked">
      <Markdown text={widget.message} />
    </div>
  );
}

/** Why a press answers nothing, and what to do about it. */
function whyNot(arming: Arming): Key {
  if (arming.unread()) return 'arming.unread';
  return arming.neverFits() ? 'arming.hidden' : 'arming.early';
}

/** Submits what was meant for this question, and tells when it was not. */
function useSubmit(props: Props, locked: boolean) {
  const root = useRef<HTMLElement>(null);
  const [busy, setBusy] = useState(false);
  const [early, setEarly] = useState<Key | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  // What is authorised is named above and answered below: both have to be in sight.
  const decides = authorises(props.body.widget.type);
  const parts = decides ? ':scope > header, .granted, .widget-footer' : '.widget-footer';
  const arming = useArming(root, parts, !locked, props.armedAfter);
  const submit = async (value: unknown) => {
    if (busy || locked) return;
    const isMeant = isNo(value) ? arming.declinable() : arming.meant();
    setEarly(isMeant ? null : whyNot(arming));
    if (!isMeant) return;
    setBusy(true);
    setFailure(await props.onAnswer(value, arming.shownMs()));
    setBusy(false);
  };
  return { root, armed: arming.state, busy, early, failure, submit };
}

/** Who sent it from one of its fields goes on where one writes: the field is gone. */
function useLeave(root: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const box = root.current;
    return () => {
      if (!box?.contains(document.activeElement)) return;
      queueMicrotask(() => focusHome()?.focus({ preventScroll: true }));
    };
  }, [root]);
}

/** A question of the run: to be answered, or read-only with what was submitted. */
export function Question(props: Props) {
  if (!kinds[props.body.widget.type]) return <Unknown type={String(props.body.widget.type)} />;
  return <Known {...props} />;
}

/** What is asked for, or who asks where that is not the model. */
function useTitle({ body, server }: Props): string {
  const { t } = useWords();
  if (body.change) return t(verbOf(body.change));
  if (!isOfAServer(body)) return t(`widget.${body.widget.type}` as Key);
  return server ? t('server.asks.named', { server }) : t('server.asks');
}

function Known(props: Props) {
  const { t } = useWords();
  const { body, enabled, keys = false, onDraft, onWhole, onLook } = props;
  const { widget, change, unbound } = body;
  const [look, setLook] = useState(props.look ?? 'lines');
  const [draft, setDraft] = useState(props.draft);
  const answered = body.answer !== undefined;
  const closed = body.closed && !answered;
  const locked = answered || closed || !enabled;
  const { root, armed, busy, early, failure, submit } = useSubmit(props, locked);
  useLeave(root);
  const { View } = kinds[widget.type];
  const title = useTitle(props);
  return (
    <section
      ref={root}
      className="widget"
      data-testid={`widget-${widget.type}`}
      data-widget-id={widget.widgetId}
      data-answered={answered}
      data-armed={locked ? undefined : armed}
      data-effect={effectOf(body)}
      aria-label={change ? `${title} ${visible(objectOf(change, t))}` : title}
    >
      <Head
        icon={iconOf(body)}
        title={title}
        change={change}
        note={isOfAServer(body) ? t('server.asks.note') : null}
        answered={answered}
        declined={declined(body)}
        waiting={!locked}
        closed={closed}
      />
      {failure && <FailureBox failure={failure} />}
      <View
        widget={widget}
        change={change}
        unbound={unbound}
        answer={body.answer}
        locked={locked}
        busy={busy}
        asked={<Asked body={body} />}
        keys={keys && !locked}
        draft={draft}
        onDraft={(next) => {
          setDraft(next);
          onDraft?.(next);
        }}
        onWhole={change && !locked && onWhole ? () => onWhole(change.id) : undefined}
        look={look}
        onLook={(next) => {
          setLook(next);
          onLook?.(next);
        }}
        onSubmit={submit}
        footer={({ submitLabel, disabled, hint }) =>
          locked ? null : (
            <div className="widget-footer">
              {hint && <span className="hint">{hint}</span>}
              {isOfAServer(body) && (
                <Button disabled={busy} data-testid="widget-cancel" onClick={() => submit(UNTOLD)}>
                  {t('server.asks.no')}
                </Button>
              )}
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
      {answered && <GivenFiles files={body.files} />}
      {early && !locked && (
        <p className="hint early" role="status" data-testid="too-early">
          {t(early)}
        </p>
      )}
    </section>
  );
}
