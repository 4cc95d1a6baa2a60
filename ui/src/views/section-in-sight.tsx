import { ArrowUpToLine } from 'lucide-react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { stepThere } from '../state/nesting';
import type { Row } from '../state/rows';
import { useView } from '../state/store';

/** The row of the step to which a row belongs, when that stands further up. */
export function sectionAbove(rows: readonly Row[], first: number): number | null {
  for (let at = Math.min(first, rows.length) - 1; at >= 0; at--) {
    if (rows[at]?.kind === 'step') return rows[first]?.kind === 'step' ? null : at;
  }
  return null;
}

interface Props {
  rows: readonly Row[];
  /** The first row that is in sight. */
  first: number;
  onShow: (at: number) => void;
}

/** Which step one reads, while its title is out of sight; leads to where it begins. */
export function SectionInSight({ rows, first, onShow }: Props) {
  const { t } = useWords();
  const status = useView((v) => v.conversation.status);
  const packages = useView((v) => v.packages);
  const at = sectionAbove(rows, first);
  const row = at === null ? undefined : rows[at];
  if (at === null || row?.kind !== 'step') return null;
  const step = stepThere(status, packages, row.item.body);
  const title = visible(step.title);
  return (
    <div className="section-in-sight">
      <button
        type="button"
        title={t('step.top', { title })}
        data-testid="section-in-sight"
        onClick={() => onShow(at)}
      >
        {step.number && <span className="mark">{step.number}</span>}
        <span className="clip">{title}</span>
        <ArrowUpToLine size={13} aria-hidden />
      </button>
    </div>
  );
}
