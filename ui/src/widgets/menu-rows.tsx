import { X } from 'lucide-react';
import { useId } from 'react';
import type { MenuLine } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { IconButton } from '../kit/button';
import { markMoreBelow } from '../kit/more-below';

interface Props {
  /** The whole menu was asked for, or these rows may be meant. */
  kind: 'menu' | 'choice';
  /** Whose menu it is. */
  name: string;
  rows: readonly MenuLine[];
  disabled?: boolean;
  onChoose: (row: MenuLine) => void;
  onClose: () => void;
}

/** Rows of an agent's menu, of which one is chosen: by a click, or by its number in the composer. */
export function MenuRows({ kind, name, rows, disabled, onChoose, onClose }: Props) {
  const { t } = useWords();
  const titleId = useId();
  return (
    <section
      className="menu-rows"
      aria-labelledby={titleId}
      data-kind={kind}
      data-testid="menu-rows"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <header>
        <span className="words">
          <strong id={titleId}>{t(`rows.${kind}`, { name })}</strong>
          <span className="hint">{t('rows.hint')}</span>
        </span>
        <IconButton
          icon={X}
          label={t('rows.close')}
          data-testid="menu-rows-close"
          onClick={onClose}
        />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
      <ol ref={markMoreBelow} tabIndex={0} aria-labelledby={titleId}>
        {rows.map((row) => (
          <li key={row.number}>
            <button
              type="button"
              disabled={disabled}
              data-testid="menu-row"
              onClick={() => onChoose(row)}
            >
              <span className="no">{row.number}</span>
              {row.trigger && <span className="trigger">{visible(row.trigger)}</span>}
              <span className="what">{visible(row.description)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
