import { FileInput, FileMinus, FilePen, FilePlus, type LucideIcon } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { fileName } from '../bridge/path';
import type { EffectKind, LineCount } from '../bridge/wire';
import { type Key, useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Name } from '../kit/name';
import { FilesContext } from './file-link';
import { Lines } from './lines';

/** What became of a file. */
export const effectIcons: Record<EffectKind, LucideIcon> = {
  created: FilePlus,
  changed: FilePen,
  deleted: FileMinus,
  moved: FileInput,
};

interface Props {
  path: string;
  effect: EffectKind;
  lines?: LineCount;
  /** Its name alone would not tell it from another one beside it. */
  isNamesake?: boolean;
  /** What else is known of it. */
  note?: ReactNode;
  /** Stands beside the file. */
  more?: ReactNode;
}

/** A file that was changed, which opens. */
export function FileChip({ path, effect, lines, isNamesake, note, more }: Props) {
  const { open } = useContext(FilesContext);
  const { t } = useWords();
  const Icon = effectIcons[effect];
  return (
    <div className="chip" data-effect={effect}>
      <button
        type="button"
        className="chip-file"
        data-testid="open-file"
        title={t('file.open', { path: visible(path) })}
        onClick={() => open(path)}
      >
        <Icon size={14} aria-hidden />
        <Name className="mono clip" text={isNamesake ? path : fileName(path)} />
        {lines && <Lines lines={lines} />}
        <span className="hint">{t(`changes.${effect}` as Key)}</span>
        {note}
      </button>
      {more}
    </div>
  );
}
