import { Check } from 'lucide-react';
import { fileName } from '../bridge/path';
import type { FileEffect } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';
import { Name } from '../kit/name';
import { openFile } from '../state/files';

import { want } from '../state/snapshot';
import { useApp, useView } from '../state/store';
import { FailureBox } from '../widgets/failure';
import { effectIcons } from '../widgets/file-chip';
import { Lines } from '../widgets/lines';
import './changes.css';

function Change({ effect }: { effect: FileEffect }) {
  const app = useApp();
  const { t } = useWords();
  const opened = useView((v) => v.file?.path === effect.path);
  const Icon = effectIcons[effect.kind];
  return (
    <li data-kind={effect.kind}>
      <button
        type="button"
        data-testid="change"
        data-kind={effect.kind}
        title={visible(effect.path)}
        aria-current={opened || undefined}
        onClick={() => void openFile(app, effect.path)}
      >
        <Icon size={14} aria-hidden />
        <span className="words">
          <Name className="clip" text={fileName(effect.path)} />
          <Name className="hint mono clip" text={effect.path} />
          {effect.from && (
            <Name className="hint mono clip" text={t('changes.from', { path: effect.from })} />
          )}
          {effect.foreign && <span className="hint foreign">{t('changes.foreign')}</span>}
          {effect.verified && !effect.foreign && (
            <span className="hint verified">
              <Check size={11} strokeWidth={2.4} aria-hidden />
              {t('changes.verified')}
            </span>
          )}
        </span>
        <span className="what">
          <span>{t(`changes.${effect.kind}` as Key)}</span>
          {effect.lines && <Lines lines={effect.lines} />}
        </span>
      </button>
    </li>
  );
}

/** Why what is known of the run could not be read, and the way to try again. */
export function SnapshotFailure() {
  const { t } = useWords();
  const app = useApp();
  const snapshot = useView((v) => v.snapshot);
  if (snapshot?.ok !== false) return null;
  return (
    <>
      <FailureBox failure={snapshot.failure} />
      <Button size="s" data-testid="changes-again" onClick={() => want(app, 'snapshot')}>
        {t('changes.again')}
      </Button>
    </>
  );
}

/** What the run changed in the project, file by file: what is different in the end. */
export function Changes({ most = Number.POSITIVE_INFINITY }: { most?: number }) {
  const { t, number } = useWords();
  const app = useApp();
  const snapshot = useView((v) => v.snapshot);
  const changes = snapshot?.ok ? snapshot.value.changes : null;
  const more = (changes?.length ?? 0) - most;
  return (
    <section>
      <h2>
        {t('changes.title')}
        {!!changes?.length && <span className="hint">{number(changes.length)}</span>}
      </h2>
      <SnapshotFailure />
      {snapshot?.ok !== false && !changes?.length && <p className="hint">{t('changes.empty')}</p>}
      <ul className="artifacts changes">
        {changes?.slice(0, most).map((effect) => (
          <Change key={effect.path} effect={effect} />
        ))}
      </ul>
      {more > 0 && (
        <Button
          size="s"
          kind="quiet"
          data-testid="all-changes"
          onClick={() => app.store.setState({ inspectorTab: 'changes' })}
        >
          {t('changes.all', { count: number(more) })}
        </Button>
      )}
    </section>
  );
}
