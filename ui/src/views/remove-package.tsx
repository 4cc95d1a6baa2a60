import { useState } from 'react';
import type { PackageView } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { busyWith } from '../state/ask';
import { removePackage, removeWithRuns, type UsingRun } from '../state/packages';
import { useApp, useView } from '../state/store';

/** Asks before a package is removed. Runs that need it are named, and can go with it. */
export function RemovePackage({ pack, onClose }: { pack: PackageView; onClose: () => void }) {
  const app = useApp();
  const { t, count } = useWords();
  const [runs, setRuns] = useState<UsingRun[]>([]);
  const busy = useView((v) => v.busy.has('removePackage'));
  const used = runs.length > 0;
  const remove = async () => {
    const task = () =>
      used ? removeWithRuns(app, pack.packageId, runs) : removePackage(app, pack.packageId);
    const using = await busyWith(app, 'removePackage', task);
    if (using.length > 0) setRuns(using);
    else onClose();
  };
  return (
    <Dialog
      title={t('packages.remove.title', { name: pack.name })}
      onClose={onClose}
      testId="remove-dialog"
      footer={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            kind="danger"
            busy={busy}
            disabled={busy}
            data-testid={used ? 'remove-with-runs' : 'remove-package'}
            onClick={() => void remove()}
          >
            {used ? count('packages.remove.all' as Key, runs.length) : t('action.remove')}
          </Button>
        </>
      }
    >
      {used ? (
        <>
          <p>{count('packages.remove.used' as Key, runs.length)}</p>
          <ul className="using-runs" data-testid="using-runs">
            {runs.map((run) => (
              <li key={run.runId}>
                <strong className="clip">{visible(run.title)}</strong>
                <span className="hint clip">{run.projectName}</span>
              </li>
            ))}
          </ul>
          <p>{t('packages.remove.goes')}</p>
        </>
      ) : (
        <p>{t('packages.remove.text')}</p>
      )}
    </Dialog>
  );
}
