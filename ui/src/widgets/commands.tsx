import { Ellipsis } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MenuLine } from '../bridge/wire';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Button } from '../kit/button';

/** Rows of buttons that are shown at first. */
const ROWS = 2;

/** How many of the buttons stand in the first rows; all of them where nothing is laid out. */
function fitting(box: HTMLElement): number {
  const tops: number[] = [];
  const buttons = [...box.children] as HTMLElement[];
  for (const [at, { offsetTop }] of buttons.entries()) {
    if (tops.at(-1) !== offsetTop) tops.push(offsetTop);
    if (tops.length > ROWS) return at;
  }
  return buttons.length;
}

/** Measures how many buttons there is room for, and again when the room is another one. */
function useFitting(box: RefObject<HTMLElement | null>, items: readonly MenuLine[]) {
  const [fits, setFits] = useState<{ of: readonly MenuLine[]; count: number } | null>(null);
  const known = fits?.of === items ? fits.count : null;
  useLayoutEffect(() => {
    if (known === null && box.current) setFits({ of: items, count: fitting(box.current) });
  }, [known, box, items]);
  useEffect(() => {
    const part = box.current;
    if (!part) return;
    let width = part.parentElement?.clientWidth;
    const observer = new ResizeObserver(() => {
      const now = part.parentElement?.clientWidth;
      if (now !== width) setFits(null);
      width = now;
    });
    observer.observe(part);
    return () => observer.disconnect();
  }, [box]);
  return known;
}

/** What a command is called: what to type, or what it does where there is nothing to type. */
export const labelOf = ({ trigger, description }: MenuLine): string => trigger ?? description;

/** Whether what is typed says nothing by itself, such as `CE`. */
const isCode = ({ trigger }: MenuLine): boolean => /^[A-Z0-9]{1,4}$/.test(trigger ?? '');

/** What is sent to call a command, with the words that go along. */
export function calling({ trigger, number }: MenuLine, words: string): string {
  return [trigger ?? String(number), words.trim()].filter(Boolean).join('\n');
}

interface Props {
  /** Whose commands they are. */
  name: string;
  items: readonly MenuLine[];
  /** The number of the one that is chosen. */
  chosen: number | null;
  onChoose: (item: MenuLine) => void;
}

/** What an agent can be asked to do: one click chooses it, and words may go along. */
export function Commands({ name, items, chosen, onChoose }: Props) {
  const { t, number } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const fits = useFitting(box, items);
  const [isOpen, setOpen] = useState(false);
  const isCut = fits === null || fits < items.length;
  const shown = isOpen || fits === null ? items : items.slice(0, fits);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div
      className="commands"
      role="group"
      aria-label={t('commands.label', { name })}
      data-measured={(!isOpen && fits === null) || undefined}
      data-open={isOpen || undefined}
      data-testid="commands"
    >
      <div className="commands-list" ref={box}>
        {shown.map((item) => (
          <button
            key={item.number}
            type="button"
            className="command clip"
            aria-pressed={item.number === chosen}
            title={visible(item.description)}
            data-testid="command"
            onClick={() => onChoose(item)}
          >
            {visible(labelOf(item))}{' '}
            {isCode(item) && <span className="command-about">{visible(item.description)}</span>}
          </button>
        ))}
      </div>
      {isCut && (
        <Button
          size="s"
          kind="quiet"
          icon={Ellipsis}
          aria-expanded={isOpen}
          data-testid="commands-more"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen
            ? t('commands.less')
            : t('commands.more', { count: number(items.length - (fits ?? 0)) })}
        </Button>
      )}
    </div>
  );
}
