import { FileText, FileX } from 'lucide-react';
import type { FileGiven } from '../bridge/wire';
import { type Key, useWords } from '../i18n';

/** What is said of a file: that it went along, that its beginning did, or why nothing of it did. */
function said({ cut, withheld }: FileGiven): Key {
  if (withheld === 'folder') return 'given.folder';
  if (withheld === 'not_text') return 'given.notText';
  if (withheld === 'refused') return 'given.refused';
  if (withheld === 'too_many') return 'given.tooMany';
  return cut ? 'given.beginning' : 'given.file';
}

/** The files that went along with a person's words, which mention them. */
export function GivenFiles({ files }: { files?: readonly FileGiven[] }) {
  const { t, size } = useWords();
  if (!files?.length) return null;
  return (
    <ul className="given" aria-label={t('given.label')} data-testid="given-files">
      {files.map((file) => {
        const Icon = file.withheld ? FileX : FileText;
        return (
          <li key={file.path} data-withheld={file.withheld}>
            <Icon size={13} aria-hidden />
            <span>{t(said(file), { path: file.path, size: size(file.bytes) })}</span>
          </li>
        );
      })}
    </ul>
  );
}
