import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ChangeView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';
import { Diff } from '../kit/diff';
import { isCovered } from '../kit/focus';
import type { QuestionBody, WidgetProps } from './question';
import { RestoredFiles } from './restored';

/** True when the runtime itself asks about a call that waits; then it, not the model, has the words. */
export const isApproval = (change: ChangeView | undefined): boolean => change?.callId !== undefined;

const verbs: Record<string, Key> = {
  'fs.write': 'decide.write',
  'fs.delete': 'decide.delete',
  'fs.move': 'decide.move',
  'workflow.rewind': 'decide.rewind',
};

const questions: Record<string, Key> = {
  'fs.delete': 'approval.ask.delete',
  'fs.move': 'approval.ask.move',
};

/** What the window asks about a call that waits; what it is about is named beside it. */
export const asks = (change: ChangeView | undefined): Key =>
  questions[change?.tool ?? ''] ?? 'approval.ask';

/** What a change does to the file named beside it. */
export const verbOf = (change: ChangeView): Key => verbs[change.tool] ?? 'decide.change';

/** What the click authorises, as the runtime computed it. */
function Change({ change, refused }: Pick<WidgetProps, 'change'> & { refused: boolean }) {
  const { t } = useWords();
  const diff = change?.diff && <Diff diff={change.diff} label={t('confirm.diff')} />;
  return (
    <>
      {change && (
        <>
          {(change.files ?? change.conflicts) && (
            <RestoredFiles
              files={(change.files ?? []).map((f) => ({ ...f, removed: !f.postHash }))}
              conflicts={change.conflicts ?? []}
              done={false}
            />
          )}
          {diff && refused ? (
            <details data-testid="refused-diff">
              <summary className="hint">{t('confirm.diff.refused')}</summary>
              {diff}
            </details>
          ) : (
            diff
          )}
        </>
      )}
    </>
  );
}

/** What must not be overlooked: in sight however long the change is. */
function Cautions({ change, unbound, widget }: Pick<WidgetProps, 'change' | 'unbound' | 'widget'>) {
  const { t } = useWords();
  return (
    <>
      {change?.undoesCompletion && (
        <p className="caution" data-testid="undoes-completion">
          <TriangleAlert size={15} aria-hidden />
          {t('confirm.undoes')}
        </p>
      )}
      {widget.cut && (
        <p className="caution" data-testid="not-all-shown">
          <TriangleAlert size={15} aria-hidden />
          {t(change?.diff ? 'confirm.cut' : 'confirm.cut.all')}
        </p>
      )}
      {unbound && (
        <p className="caution" data-testid="unbound">
          <TriangleAlert size={15} aria-hidden />
          {t('confirm.unbound')}
        </p>
      )}
    </>
  );
}

interface BodyProps {
  open: boolean;
  label: string;
  children: ReactNode;
}

/** The part between what is named above and answered below; the only one that scrolls. */
export function DecisionBody({ open, label, children }: BodyProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields are grouped here, and no landmark is meant
    <div className="decision-body" role="group" tabIndex={open ? 0 : undefined} aria-label={label}>
      {children}
    </div>
  );
}

// One click authorises one change: a bare Enter, held or meant for something else, must not.
const noBareEnter = (event: React.KeyboardEvent) => {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
};

type ButtonsProps = Pick<WidgetProps, 'widget' | 'busy' | 'keys' | 'onSubmit'>;

interface FooterProps extends Omit<ButtonsProps, 'widget'> {
  hint: string;
  no: string;
  children: ReactNode;
}

/** What can be answered; a no is always the first. */
function Footer({ busy, keys, onSubmit, hint, no, children }: FooterProps) {
  return (
    <div className="widget-footer">
      {keys && <span className="hint">{hint}</span>}
      <Button
        data-testid="widget-cancel"
        disabled={busy}
        onClick={() => onSubmit({ confirmed: false })}
      >
        {no}
      </Button>
      {children}
    </div>
  );
}

/** The choices of an approval: never wider than what is shown above them. */
function ApprovalButtons({ widget, busy, keys, onSubmit }: ButtonsProps) {
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
      <Footer {...{ busy, keys, onSubmit }} hint={t('approval.keys')} no={t('approval.no')}>
        {grant && (
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
          kind="primary"
          data-testid="widget-submit"
          disabled={busy}
          busy={busy}
          onKeyDown={noBareEnter}
          onClick={() => onSubmit({ confirmed: true })}
        >
          {t('approval.once')}
        </Button>
      </Footer>
    </>
  );
}

/** Of a change that is not shown whole nobody says yes as if it were, and no key does. */
function UnseenButtons({ busy, keys, onSubmit }: ButtonsProps) {
  const { t } = useWords();
  return (
    <Footer {...{ busy, keys, onSubmit }} hint={t('confirm.unseen.keys')} no={t('approval.no')}>
      <Button
        kind="danger"
        data-testid="widget-unseen"
        disabled={busy}
        busy={busy}
        onKeyDown={noBareEnter}
        onClick={() => onSubmit({ confirmed: true, unseen: true })}
      >
        {t('confirm.unseen')}
      </Button>
    </Footer>
  );
}

function Buttons({ busy, keys, onSubmit }: ButtonsProps) {
  const { t } = useWords();
  return (
    <Footer {...{ busy, keys, onSubmit }} hint={t('confirm.keys')} no={t('confirm.cancel')}>
      <Button
        kind="primary"
        data-testid="widget-submit"
        disabled={busy}
        busy={busy}
        onKeyDown={noBareEnter}
        onClick={() => onSubmit({ confirmed: true })}
      >
        {t('confirm.confirm')}
      </Button>
    </Footer>
  );
}

/** True for the answer that authorises nothing. */
export const isNo = (value: unknown): boolean =>
  (value as { confirmed?: boolean } | null | undefined)?.confirmed === false;

/** A confirmation that was answered with no, in words; `null` for any other question. */
export function declined({ widget, change, answer }: QuestionBody): Key | null {
  if (widget.type !== 'confirmation' || !isNo(answer)) return null;
  return isApproval(change) ? 'approval.declined' : 'confirm.declined';
}

/** What the person allowed, in words. */
function outcome(answer: unknown, approval: boolean): Key {
  const { forFolder, unseen } = (answer ?? {}) as { forFolder?: boolean; unseen?: boolean };
  if (unseen) return 'confirm.unseen.allowed';
  if (!approval) return 'confirm.confirmed';
  return forFolder ? 'approval.allowed.folder' : 'approval.allowed';
}

/** True when the key belongs to what has the focus: a field with text in it, a menu, a dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  if (isCovered()) return true;
  if (!(target instanceof HTMLElement)) return false;
  const field = target.closest<HTMLElement>('input, textarea, select, [contenteditable]');
  return field !== null && !field.hasAttribute('data-focus-home');
}

/** Esc and Ctrl+Enter, in the whole window, while they are printed on the dialog. */
function useDecisionKeys(on: boolean, canConfirm: boolean, onSubmit: (value: unknown) => void) {
  const submit = useRef(onSubmit);
  submit.current = onSubmit;
  useEffect(() => {
    if (!on) return;
    const keys = (event: KeyboardEvent) => {
      const confirms = canConfirm && event.key === 'Enter' && (event.ctrlKey || event.metaKey);
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      if ((event.key !== 'Escape' && !confirms) || isElsewhere(event.target)) return;
      event.preventDefault();
      submit.current({ confirmed: confirms });
    };
    window.addEventListener('keydown', keys);
    return () => window.removeEventListener('keydown', keys);
  }, [on, canConfirm]);
}

/** Confirm or cancel, with what the click authorises; the value is `{confirmed}`. */
export function ConfirmationWidget(props: WidgetProps) {
  const { widget, change, unbound, answer, locked, asked, keys, onSubmit } = props;
  const { t } = useWords();
  const open = !locked;
  const approval = isApproval(change);
  const no = isNo(answer);
  const unseen = widget.cut === true;
  useDecisionKeys(open && keys, !unseen, onSubmit);
  return (
    <div className="confirmation">
      <DecisionBody open={open} label={t('confirm.diff')}>
        {asked}
        <Change change={change} refused={no} />
      </DecisionBody>
      <Cautions widget={widget} change={change} unbound={unbound} />
      {open && unseen && <UnseenButtons {...props} />}
      {open && !unseen && approval && <ApprovalButtons {...props} />}
      {open && !unseen && !approval && <Buttons {...props} />}
      {answer !== undefined && !no && <p className="outcome">{t(outcome(answer, approval))}</p>}
    </div>
  );
}
