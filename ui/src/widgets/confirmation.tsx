import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ChangeView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { isElsewhere, isFocusFree } from '../kit/focus';
import { Change, isServerCall, Looks, labelOf, mayDestroy, useLooking } from './change';
import { DecisionBody } from './decision-body';
import { FailureBox } from './failure';
import { type Instead, InsteadButtons, InsteadField, useInstead } from './instead';
import { type Opening, useOpening } from './opening';
import type { QuestionBody, WidgetProps } from './props';
import { isLost } from './restored';

/** True when the runtime itself asks about a call that waits; then it, not the model, has the words. */
export const isApproval = (change: ChangeView | undefined): boolean => change?.callId !== undefined;

/** What is said of what is not shown at once: lines of a change, or arguments of a call. */
const ofChange = {
  cut: 'confirm.cut',
  unread: 'confirm.whole.unread',
  read: 'confirm.whole.read',
  whole: 'confirm.whole.allowed',
  unseen: 'confirm.unseen.allowed',
} satisfies Record<string, Key>;
const ofCall: Record<keyof typeof ofChange, Key> = {
  cut: 'server.cut',
  unread: 'server.whole.unread',
  read: 'server.whole.read',
  whole: 'server.whole.allowed',
  unseen: 'server.unseen.allowed',
};
const saidOf = (change: ChangeView | undefined): Record<keyof typeof ofChange, Key> =>
  isServerCall(change) ? ofCall : ofChange;

/** That a change is not shown whole, and the way to all of it. */
function NotWhole({ change, opening }: Pick<WidgetProps, 'change'> & { opening: Opening }) {
  const { t } = useWords();
  const { whole, read, busy, open } = opening;
  const said = saidOf(change);
  const cut: Key = change?.diff ? said.cut : 'confirm.cut.all';
  const opened = read ? said.read : said.unread;
  const Icon = whole && read ? CircleCheck : TriangleAlert;
  return (
    <p className="caution" data-testid="not-all-shown" data-read={whole !== null && read}>
      <Icon size={15} aria-hidden />
      <span role="status">{t(whole ? opened : cut)}</span>
      {open && !whole && (
        <Button size="s" data-testid="show-all" busy={busy} aria-disabled={busy} onClick={open}>
          {t(busy ? 'confirm.whole.opening' : 'confirm.whole')}
        </Button>
      )}
    </p>
  );
}

interface CautionsProps extends Pick<WidgetProps, 'change' | 'unbound' | 'widget' | 'answer'> {
  opening: Opening;
}

/** What must not be overlooked: in sight however long the change is. */
function Cautions({ change, unbound, widget, answer, opening }: CautionsProps) {
  const { t } = useWords();
  return (
    <>
      {change?.undoesCompletion && (
        <p className="caution" data-testid="undoes-completion">
          <TriangleAlert size={15} aria-hidden />
          {t('confirm.undoes')}
        </p>
      )}
      {widget.cut && answer === undefined && <NotWhole change={change} opening={opening} />}
      {unbound && (
        <p className="caution" data-testid="unbound">
          <TriangleAlert size={15} aria-hidden />
          {t('confirm.unbound')}
        </p>
      )}
    </>
  );
}

// One click authorises one change: a bare Enter, held or meant for something else, must not.
const noBareEnter = (event: React.KeyboardEvent) => {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
};

/** The yes that can be given: to what is shown, to what was opened, or to what nobody has seen. */
interface Yes {
  value: unknown;
  unseen: boolean;
  /** False until all of it was seen. */
  ready: boolean;
}

/** Of a change that is not shown whole nobody says yes as if it were. */
function yesTo(cut: boolean, { whole, read }: Opening): Yes {
  if (!cut) return { value: { confirmed: true }, unseen: false, ready: true };
  if (!whole) return { value: { confirmed: true, unseen: true }, unseen: true, ready: true };
  return { value: { confirmed: true, whole: whole.whole }, unseen: false, ready: read };
}

type ButtonsProps = Pick<WidgetProps, 'widget' | 'change' | 'busy' | 'keys' | 'onSubmit'> & {
  yes: Yes;
  approval: boolean;
  instead: Instead;
};

/** What the keys do. What nobody has seen no key allows. */
function keysOf({ unseen, ready }: Yes, approval: boolean): Key {
  if (unseen || !ready) return 'confirm.unseen.keys';
  return approval ? 'approval.keys' : 'confirm.keys';
}

/** Whether something that is there now may be gone after the change. */
function losesFiles(change: ChangeView | undefined): boolean {
  if (change && isServerCall(change)) return mayDestroy(change);
  if (change?.effect === 'gone') return true;
  return change?.effect === 'back' && change.files?.some(isLost) === true;
}

/** A yes, a no, and a no with words; a no is always the first. */
function Choices(props: ButtonsProps) {
  const { widget, change, busy, keys, yes, approval, instead, onSubmit } = props;
  const { t } = useWords();
  const loses = yes.unseen || losesFiles(change);
  const no: Key = approval || widget.cut ? 'approval.no' : 'confirm.cancel';
  const goesBack = change?.effect === 'back' && !widget.cut;
  const once: Key = approval ? 'approval.once' : goesBack ? 'confirm.back' : 'confirm.confirm';
  return (
    <>
      {keys && <span className="hint">{t(keysOf(yes, approval))}</span>}
      <div className="widget-buttons">
        <Button
          data-testid="widget-instead"
          disabled={busy}
          autoFocus={instead.wasLeft}
          onClick={instead.open}
        >
          {t('instead.open')}
        </Button>
        <Button
          data-testid="widget-cancel"
          disabled={busy}
          onClick={() => onSubmit({ confirmed: false })}
        >
          {t(no)}
        </Button>
        {widget.grant && (
          <Button
            data-testid="approval-folder"
            disabled={busy}
            onKeyDown={noBareEnter}
            onClick={() => onSubmit({ confirmed: true, forFolder: true })}
          >
            {t('approval.folder')}
          </Button>
        )}
        <Button
          key={yes.unseen ? 'unseen' : 'seen'}
          kind={loses ? 'danger' : 'primary'}
          data-testid={yes.unseen ? 'widget-unseen' : 'widget-submit'}
          disabled={busy || !yes.ready}
          busy={busy}
          onKeyDown={noBareEnter}
          onClick={() => onSubmit(yes.value)}
        >
          {t(yes.unseen ? 'confirm.unseen' : once)}
        </Button>
      </div>
    </>
  );
}

/** What can be answered. Never wider than what is shown above. */
function Buttons(props: ButtonsProps) {
  const { widget, busy, instead } = props;
  const { t } = useWords();
  const { grant } = widget;
  return (
    <>
      {grant && (
        <p
          className="hint granted"
          data-testid="approval-folder-hint"
          tabIndex={grant.folder.length > 120 ? 0 : undefined}
        >
          {t('approval.folder.hint', { tool: grant.tool, folder: grant.folder })}
        </p>
      )}
      {instead.isOpen && <InsteadField instead={instead} />}
      <div className="widget-footer">
        {instead.isOpen ? <InsteadButtons instead={instead} busy={busy} /> : <Choices {...props} />}
      </div>
    </>
  );
}

/** True for the answer that authorises nothing. */
export const isNo = (value: unknown): boolean =>
  (value as { confirmed?: boolean } | null | undefined)?.confirmed === false || isUntold(value);

/** What a server is answered that asks something the person will not tell it. */
export const UNTOLD = { $declined: true };

/** Whether a server was answered so. */
const isUntold = (value: unknown): boolean =>
  (value as Partial<typeof UNTOLD> | null | undefined)?.$declined === true;

/** What the person wants instead of what they said no to; empty where they did not say. */
export const insteadOf = (value: unknown): string => {
  const { instead } = (value ?? {}) as { instead?: unknown };
  return typeof instead === 'string' ? instead : '';
};

/** A confirmation that was answered with no, in words; `null` for any other question. */
export function declined({ widget, change, answer }: QuestionBody): Key | null {
  if (widget.widgetId === 'server_question') return isUntold(answer) ? 'server.untold' : null;
  if (widget.type !== 'confirmation' || !isNo(answer)) return null;
  if (isServerCall(change)) return 'server.declined';
  return isApproval(change) ? 'approval.declined' : 'confirm.declined';
}

/** What the person allowed, in words. */
export function outcome(answer: unknown, change: ChangeView | undefined): Key {
  const { forFolder, unseen, whole } = (answer ?? {}) as Record<string, unknown>;
  if (unseen) return saidOf(change).unseen;
  if (whole) return saidOf(change).whole;
  if (!isApproval(change)) return 'confirm.confirmed';
  return forFolder ? 'approval.allowed.folder' : 'approval.allowed';
}

/** Esc and Ctrl+Enter, in the whole window, while they are printed on the dialog. */
function useDecisionKeys(on: boolean, yes: Yes, onSubmit: (value: unknown) => void) {
  const submit = useRef({ onSubmit, yes });
  submit.current = { onSubmit, yes };
  const canConfirm = yes.ready && !yes.unseen;
  useEffect(() => {
    if (!on) return;
    const keys = (event: KeyboardEvent) => {
      const confirms = canConfirm && event.key === 'Enter' && (event.ctrlKey || event.metaKey);
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      if ((event.key !== 'Escape' && !confirms) || isElsewhere(event.target)) return;
      event.preventDefault();
      const { onSubmit, yes } = submit.current;
      onSubmit(confirms ? yes.value : { confirmed: false });
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  }, [on, canConfirm]);
}

/** Confirm or cancel, with what the click authorises; the value is `{confirmed}`. */
export function ConfirmationWidget(props: WidgetProps) {
  const { widget, change, unbound, answer, locked, asked, keys, onSubmit } = props;
  const { t } = useWords();
  const instead = useInstead(props);
  const scroller = useRef<HTMLDivElement>(null);
  const opening = useOpening(props);
  const looking = useLooking(props, opening);
  const open = !locked;
  const approval = isApproval(change);
  const no = isNo(answer);
  const yes = yesTo(widget.cut === true, opening);
  // Words that are written there are no bare no.
  const hasKeys = keys && !instead.isOpen && instead.words === '';
  useDecisionKeys(open && hasKeys, yes, onSubmit);
  // The button that opened it is gone: now the keys scroll what it opened.
  useEffect(() => {
    if (opening.whole && isFocusFree()) scroller.current?.focus({ preventScroll: true });
  }, [opening.whole]);
  return (
    <div className="confirmation">
      <Looks looking={looking} />
      <DecisionBody open={open} label={t(labelOf(change))} ref={scroller}>
        {asked}
        {change && (
          <Change
            change={change}
            refused={no}
            locked={locked}
            opening={opening}
            looking={looking}
            scroller={scroller}
          />
        )}
      </DecisionBody>
      <Cautions
        widget={widget}
        change={change}
        unbound={unbound}
        answer={answer}
        opening={opening}
      />
      {opening.failure && <FailureBox failure={opening.failure} />}
      {open && (
        <Buttons {...props} keys={hasKeys} yes={yes} approval={approval} instead={instead} />
      )}
      {no && insteadOf(answer) && <p className="outcome">{visible(insteadOf(answer))}</p>}
      {answer !== undefined && !no && <p className="outcome">{t(outcome(answer, change))}</p>}
    </div>
  );
}
