import type { LineCount } from '../bridge/wire';
import { useWords } from '../i18n';

/** How many lines came and went. */
export function Lines({ lines }: { lines: LineCount }) {
  const { t, number } = useWords();
  const added = number(lines.added);
  const removed = number(lines.removed);
  return (
    <span className="lines">
      <span aria-hidden>
        {lines.added > 0 && <span className="added">+{added}</span>}
        {lines.removed > 0 && <span className="removed">−{removed}</span>}
      </span>
      <span className="visually-hidden">{t('changes.lines', { added, removed })}</span>
    </span>
  );
}
