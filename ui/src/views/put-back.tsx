import { Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Failure, FileView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Name } from '../kit/name';
import { putBack } from '../state/files';
import { phaseOf } from '../state/select';
import { useApp, useView } from '../state/store';
import { SHOWN_FOR } from '../widgets/arming';
import { FailureBox } from '../widgets/failure';

/** Whether it is known what there is now, and what was before the run. */
function canBePutBack({ now, sha256, change }: FileView): boolean {
  return (
    change !== undefined &&
    (now.kind === 'nothing' || sha256 !== undefined) &&
    // What a folder took along when it moved is kept where it lies.
    (change.before.kind !== 'not_kept' || change.effect.kind === 'moved')
  );
}

/** Makes a file again what it was before the run, after the person was told what that means. */
export function PutBack({ view }: { view: FileView }) {
  const { t } = useWords();
  const [asked, setAsked] = useState<FileView | null>(null);
  const works = useView((v) => phaseOf(v.conversation) === 'running');
  if (!canBePutBack(view) && asked === null) return null;
  return (
    <>
      <Button
        size="s"
        icon={Undo2}
        disabled={works}
        title={works ? t('file.putBack.later') : undefined}
        data-testid="file-put-back"
        onClick={() => setAsked(view)}
      >
        {t('file.putBack.open')}
      </Button>
      {asked && <PutBackDialog view={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Of what was seen when it was opened: what is there by then may be something else. */
function PutBackDialog({ view, onClose }: { view: FileView; onClose: () => void }) {
  const app = useApp();
  const { t, sentences } = useWords();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [wasShown, setWasShown] = useState(false);
  const busy = useView((v) => v.busy.has('putBack'));
  // The second click of two was meant for what opened it.
  useEffect(() => {
    const timer = setTimeout(() => setWasShown(true), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, []);
  const put = async () => {
    if (busy || !wasShown) return;
    const refused = await putBack(app, view.path, view.sha256 ?? null);
    setFailure(refused);
    if (!refused) onClose();
  };
  const effect = view.change?.effect;
  const isThere = view.now.kind !== 'nothing';
  return (
    <Dialog
      title={t('file.putBack.title')}
      onClose={onClose}
      testId="put-back-dialog"
      footer={
        <>
          <Button data-testid="put-back-cancel" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button
            kind="primary"
            icon={Undo2}
            busy={busy}
            disabled={busy || !wasShown}
            data-testid="put-back-confirm"
            onClick={() => void put()}
          >
            {t(busy ? 'file.putBack.busy' : 'file.putBack.confirm')}
          </Button>
        </>
      }
    >
      <p>
        <Name className="mono" text={view.path} />
      </p>
      {effect && <p>{t(`file.putBack.${effect.kind}` as Key, { from: effect.from ?? '' })}</p>}
      {effect?.foreign && isThere && <p>{t('file.putBack.foreign')}</p>}
      <p className="hint">{sentences(isThere && t('file.putBack.kept'), t('file.putBack.told'))}</p>
      {failure && <FailureBox failure={failure} />}
    </Dialog>
  );
}
