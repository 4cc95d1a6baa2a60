import { FileDiff, TriangleAlert } from 'lucide-react';
import type { ChangeView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';
import { Diff } from '../kit/diff';
import type { QuestionBody, WidgetProps } from './question';
import { RestoredFiles } from './restored';

/** True when the runtime itself asks about a call that waits; then it, not the model, has the words. */
export const isApproval = (change: ChangeView | undefined): boolean => change?.callId !== undefined;

/** What the click authorises: the change as the runtime computed it, or that it is not known. */
function Authorised({
  change,
  unbound,
  refused,
}: Pick<WidgetProps, 'change' | 'unbound'> & { refused: boolean }) {
  const { t, change: says } = useWords();
  const diff = change?.diff && <Diff diff={change.diff} label={t('confirm.diff')} />;
  return (
    <>
      {change && (
        <>
          <p className="affected">
            <FileDiff size={15} aria-hidden />
            <span>{t('confirm.file')}</span>
            <span className="mono">{change.path}</span>
          </p>
          <p className="hint" data-testid="change-summary">
            {says(change.parts, change.summary)}
          </p>
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
      {change?.undoesCompletion && (
        <p className="caution" data-testid="undoes-completion">
          <TriangleAlert size={15} aria-hidden />
          {t('confirm.undoes')}
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

// One click authorises one change: a bare Enter, held or meant for something else, must not.
const noBareEnter = (event: React.KeyboardEvent) => {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
};

/** The choices of an approval: never wider than what is shown above them. */
function ApprovalButtons({
  widget,
  busy,
  onSubmit,
}: Pick<WidgetProps, 'widget' | 'busy' | 'onSubmit'>) {
  const { t } = useWords();
  const { grant } = widget;
  return (
    <>
      {grant && (
        <p className="hint" data-testid="approval-folder-hint">
          {t('approval.folder.hint', { tool: grant.tool, folder: grant.folder })}
        </p>
      )}
      <div className="widget-footer">
        <span className="hint">{t('approval.keys')}</span>
        <Button
          data-testid="widget-cancel"
          disabled={busy}
          onClick={() => onSubmit({ confirmed: false })}
        >
          {t('approval.no')}
        </Button>
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
      </div>
    </>
  );
}

function Buttons({ busy, onSubmit }: Pick<WidgetProps, 'busy' | 'onSubmit'>) {
  const { t } = useWords();
  return (
    <div className="widget-footer">
      <span className="hint">{t('confirm.keys')}</span>
      <Button
        data-testid="widget-cancel"
        disabled={busy}
        onClick={() => onSubmit({ confirmed: false })}
      >
        {t('confirm.cancel')}
      </Button>
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
    </div>
  );
}

/** A confirmation that was answered with no, in words; `null` for any other question. */
export function declined({ widget, change, answer }: QuestionBody): Key | null {
  const said = answer as { confirmed?: boolean } | undefined;
  if (widget.type !== 'confirmation' || said?.confirmed !== false) return null;
  return isApproval(change) ? 'approval.declined' : 'confirm.declined';
}

/** What the person allowed, in words. */
function outcome(answer: unknown, approval: boolean): Key {
  const { forFolder } = (answer ?? {}) as { forFolder?: boolean };
  if (!approval) return 'confirm.confirmed';
  return forFolder ? 'approval.allowed.folder' : 'approval.allowed';
}

/** Confirm or cancel, with what the click authorises; the value is `{confirmed}`. */
export function ConfirmationWidget({
  widget,
  change,
  unbound,
  answer,
  locked,
  busy,
  onSubmit,
}: WidgetProps) {
  const { t } = useWords();
  const open = !locked;
  const approval = isApproval(change);
  const no = (answer as { confirmed?: boolean } | undefined)?.confirmed === false;
  const keys = (event: React.KeyboardEvent) => {
    if (!open) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      onSubmit({ confirmed: false });
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit({ confirmed: true });
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc and Ctrl+Enter work wherever the focus is inside
    <div className="confirmation" onKeyDown={keys}>
      <Authorised change={change} unbound={unbound} refused={no} />
      {open && approval && <ApprovalButtons widget={widget} busy={busy} onSubmit={onSubmit} />}
      {open && !approval && <Buttons busy={busy} onSubmit={onSubmit} />}
      {answer !== undefined && !no && <p className="outcome">{t(outcome(answer, approval))}</p>}
    </div>
  );
}
