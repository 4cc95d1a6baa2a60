import { CircleStop } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Failure } from '../bridge/wire';
import { useWords } from '../i18n';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Field, TextArea } from '../kit/field';
import { endRun } from '../state/actions';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';

/** Characters of a reason. */
const LONGEST = 2000;

/** Ends the run before its end, and says what that means. Where one writes has the focus. */
export function EndRunDialog({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const { t } = useWords();
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const busy = useView((v) => v.busy.has('endRun'));
  const field = useRef<HTMLTextAreaElement>(null);
  const end = async () => {
    if (busy) return;
    const refused = await endRun(app, reason);
    setFailure(refused);
    if (!refused) onClose();
  };
  return (
    <Dialog
      title={t('end.title')}
      onClose={onClose}
      initialFocus={field}
      testId="end-dialog"
      footer={
        <>
          <Button data-testid="end-cancel" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            kind="primary"
            icon={CircleStop}
            busy={busy}
            disabled={busy}
            data-testid="end-confirm"
            onClick={() => void end()}
          >
            {t(busy ? 'end.busy' : 'end.confirm')}
          </Button>
        </>
      }
    >
      <p>{t('end.text')}</p>
      <Field label={t('end.reason')} note={t('widget.optional')} hint={t('end.reason.hint')}>
        {(ids) => (
          <TextArea
            {...ids}
            ref={field}
            rows={3}
            maxLength={LONGEST}
            value={reason}
            data-testid="end-reason"
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {failure && <FailureBox failure={failure} />}
    </Dialog>
  );
}
