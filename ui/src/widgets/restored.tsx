import { FileX, Lock, Undo2 } from 'lucide-react';
import type { Conflict } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Name } from '../kit/name';
import { restoredOf } from './tool';

/** A file of a rewind: back as it was, or gone as it was. */
type FileFate = { path: string; removed: boolean; replacesOthers?: boolean };

/** The files of a rewind, one a line: what becomes of each, or why it stays as it is. */
export function RestoredFiles({
  files,
  conflicts,
  done,
}: {
  files: FileFate[];
  conflicts: Conflict[];
  /** It has happened. */
  done: boolean;
}) {
  const { t, lang } = useWords();
  const tense = done ? 'done' : 'will';
  const fate = (removed: boolean): Key =>
    removed ? `rewind.removed.${tense}` : `rewind.back.${tense}`;
  return (
    <ul className="restored" data-testid="restored-files">
      {files.map(({ path, removed, replacesOthers }) => (
        <li key={path}>
          {removed ? <FileX size={14} aria-hidden /> : <Undo2 size={14} aria-hidden />}
          <Name className="mono" text={path} />
          <span>{t(fate(removed))}</span>
          {replacesOthers && <strong>{t('rewind.theirs')}</strong>}
        </li>
      ))}
      {conflicts.map(({ path, reason, message }) => (
        <li key={path} data-conflict title={lang === 'en' ? message : undefined}>
          <Lock size={14} aria-hidden />
          <Name className="mono" text={path} />
          <span>{t(`rewind.stays.${reason}` as Key)}</span>
        </li>
      ))}
    </ul>
  );
}

/** What a rewind's result says of files; nothing when it says nothing. */
export function ResultFiles({ result }: { result: unknown }) {
  const { restored, conflicts } = restoredOf(result);
  if (restored.length + conflicts.length === 0) return null;
  const files = restored.map(({ path, removed }) => ({ path, removed: removed === true }));
  return <RestoredFiles files={files} conflicts={conflicts} done />;
}
