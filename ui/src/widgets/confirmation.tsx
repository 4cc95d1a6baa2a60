import { FileDiff, TriangleAlert } from 'lucide-react';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Diff } from '../kit/diff';
import type { WidgetProps } from './question';

/** What the click authorises: the change as the runtime computed it, or that it is not known. */
function Authorised({ change, unbound }: Pick<WidgetProps, 'change' | 'unbound'>) {
  const { t } = useWords();
  return (
    <>
      {change && (
        <>
          <p className="affected">
            <FileDiff size={15} aria-hidden />
            <span>{t('confirm.file')}</span>
            <span className="mono">{change.path}</span>
          </p>
          <p className="hint">{change.summary}</p>
          <Diff diff={change.diff} label={t('confirm.diff')} />
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

function Buttons({ busy, onSubmit }: Pick<WidgetProps, 'busy' | 'onSubmit'>) {
  const { t } = useWords();
  // One click authorises one change: a bare Enter, held or meant for something else, must not.
  const noBareEnter = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
  };
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

/** Confirm or cancel, with what the click authorises; the value is `{confirmed}`. */
export function ConfirmationWidget({
  change,
  unbound,
  answer,
  locked,
  busy,
  onSubmit,
}: WidgetProps) {
  const { t } = useWords();
  const open = !locked;
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
      <Authorised change={change} unbound={unbound} />
      {open && <Buttons busy={busy} onSubmit={onSubmit} />}
      {answer !== undefined && (
        <p className="outcome">
          {t(
            (answer as { confirmed?: boolean }).confirmed
              ? 'confirm.confirmed'
              : 'confirm.cancelled',
          )}
        </p>
      )}
    </div>
  );
}
