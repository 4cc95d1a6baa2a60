import { FileX, Lock, type LucideIcon, Undo2 } from 'lucide-react';
import type { Conflict } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { Name } from '../kit/name';
import { restoredOf } from './tool';

/** A file of a rewind: back as it was, or gone as it was. */
type FileFate = { path: string; removed: boolean; replacesOthers?: boolean };

/** Whether a file goes with a rewind, or what somebody else made of it. */
export const isLost = (file: { postHash?: string; replacesOthers?: boolean }): boolean =>
  file.postHash === undefined || file.replacesOthers === true;

interface GroupProps {
  title: Key;
  icon: LucideIcon;
  files: readonly { path: string; note?: Key; title?: string }[];
  /** Something is lost with them. */
  loses?: boolean;
}

/** Files of which the same becomes, and what that is. */
function Group({ title, icon: Icon, files, loses }: GroupProps) {
  const { t } = useWords();
  if (files.length === 0) return null;
  return (
    <section data-loses={loses || undefined}>
      <h3>
        <Icon size={14} aria-hidden />
        {t(title)}
      </h3>
      <ul>
        {files.map((file) => (
          <li key={file.path} title={file.title}>
            <Name className="mono" text={file.path} />
            {file.note && (
              <span className="note" data-loses={file.note === 'rewind.theirs' || undefined}>
                {t(file.note)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  files: FileFate[];
  conflicts: Conflict[];
  /** It has happened. */
  done: boolean;
}

/** The files of a rewind: which come back, which are removed, and which stay, and why. */
export function RestoredFiles({ files, conflicts, done }: Props) {
  const { lang } = useWords();
  const tense = done ? 'done' : 'will';
  const of = (removed: boolean) =>
    files
      .filter((file) => file.removed === removed)
      .map(({ path, replacesOthers }) => ({
        path,
        note: replacesOthers ? ('rewind.theirs' as const) : undefined,
      }));
  const stays = conflicts.map(({ path, reason, message }) => ({
    path,
    note: `rewind.stays.${reason}` as Key,
    title: lang === 'en' ? message : undefined,
  }));
  return (
    <div className="restored" data-testid="restored-files">
      <Group title={`rewind.back.${tense}`} icon={Undo2} files={of(false)} />
      <Group title={`rewind.removed.${tense}`} icon={FileX} files={of(true)} loses={!done} />
      <Group title={`rewind.stays.${tense}`} icon={Lock} files={stays} />
    </div>
  );
}

/** What a rewind's result says of files; nothing when it says nothing. */
export function ResultFiles({ result }: { result: unknown }) {
  const { restored, conflicts } = restoredOf(result);
  if (restored.length + conflicts.length === 0) return null;
  const files = restored.map(({ path, removed }) => ({ path, removed: removed === true }));
  return <RestoredFiles files={files} conflicts={conflicts} done />;
}
