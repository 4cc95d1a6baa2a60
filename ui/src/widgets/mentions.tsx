import { FileText } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { Cover } from '../kit/cover';

/** Where a mention is being written: from its `@` to the caret. */
interface Written {
  from: number;
  to: number;
  matching: string;
}

/** How long nobody types before files are looked for, in milliseconds. */
const PAUSE = 120;
const PROJECT = '@project/';
/** Signs that end a path that stands in no quotes, as the runtime reads it. */
const ENDS = '\\s"`<>|*?:;,，。；：！？、（）「」『』【】《》〈〉“”…';
/** An `@` that no word stands before, and what was typed after it. */
const WRITTEN = new RegExp(`(?:^|[^A-Za-z0-9.+\\-_%/@\\\\])@(?:["“]([^"“”\\n]*)|([^${ENDS}]*))$`);
const QUOTED = new RegExp(`[${ENDS}'’!()\\[\\]{}]|\\.$`);

/** The mention that the caret stands at the end of. */
function writtenAt(text: string, caret: number): Written | null {
  const found = WRITTEN.exec(text.slice(0, caret));
  if (!found) return null;
  const typed = found[1] ?? found[2] ?? '';
  const sign = text.lastIndexOf('@', caret - typed.length - 1);
  return { from: sign, to: caret, matching: typed };
}

/** How a file is mentioned: as it lies in the project, in quotes where it has to be. */
export function mentionOf(path: string): string {
  const below = path.startsWith(PROJECT) ? path.slice(PROJECT.length) : path.slice(1);
  const name = /^(project|pkg|state)\//.test(below) ? path.slice(1) : below;
  if (!QUOTED.test(name)) return `@${name} `;
  return name.includes('"') ? `@“${name}” ` : `@"${name}" `;
}

interface Field {
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  /** Files whose path holds a text. */
  find?: (matching: string) => Promise<readonly string[]>;
}

/** Offers files while a mention is being written in a field. */
export function useMentions({ area, text, onText, find }: Field) {
  const id = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [left, setLeft] = useState<number | null>(null);
  const [found, setFound] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const place = useRef<number>(null);
  const written = find && caret !== null ? writtenAt(text, caret) : null;
  const matching = written && written.from !== left ? written.matching : null;
  // What was found for fewer letters, until more is known.
  const letters = matching?.toLowerCase() ?? '';
  const files = found.filter((path) => path.toLowerCase().includes(letters));
  const open = matching !== null && files.length > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever offers files is the same
  useEffect(() => {
    setAt(0);
    if (matching === null || !find) {
      setFound([]);
      return;
    }
    let late = false;
    const timer = setTimeout(async () => {
      const fitting = await find(matching);
      if (!late) setFound(fitting);
    }, PAUSE);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [matching]);

  // The caret stands behind what was put in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when the text has changed
  useEffect(() => {
    if (place.current === null) return;
    area.current?.setSelectionRange(place.current, place.current);
    place.current = null;
  }, [text]);

  const take = (path: string | undefined) => {
    if (!written || path === undefined) return;
    const mention = mentionOf(path);
    place.current = written.from + mention.length;
    // A quote that was closed before, and a space, stand there already.
    const rest = text.slice(written.to).replace(/^["”]? ?/, '');
    onText(text.slice(0, written.from) + mention + rest);
    setCaret(null);
    area.current?.focus();
  };

  /** Mentions a file where the person writes, or behind what they wrote. */
  const put = (path: string) => {
    const box = area.current;
    const writes = box !== null && document.activeElement === box;
    const [from, to] = writes ? [box.selectionStart, box.selectionEnd] : [text.length, text.length];
    const before = text.slice(0, from);
    const mention = (/\S$/.test(before) ? ' ' : '') + mentionOf(path);
    place.current = from + mention.length;
    onText(before + mention + text.slice(to));
    setCaret(null);
    box?.focus();
  };

  /** True when a key was meant for the list. */
  const onKey = (event: React.KeyboardEvent): boolean => {
    if (!open) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((at + step + files.length) % files.length);
    else if (event.key === 'Escape') setLeft(written?.from ?? null);
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') take(files[at]);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return {
    onKey,
    put,
    look: () => {
      const box = area.current;
      const now = box && box.selectionStart === box.selectionEnd ? box.selectionStart : null;
      setCaret(now);
      // Another mention is offered files again.
      if (left !== null && (now === null || writtenAt(box?.value ?? '', now)?.from !== left)) {
        setLeft(null);
      }
    },
    leave: () => setCaret(null),
    // Where it was let go, and chosen: what is typed next would replace it.
    dropped: () =>
      setTimeout(() => {
        const box = area.current;
        if (!box) return;
        const { value, selectionStart: from, selectionEnd: to } = box;
        box.setSelectionRange(to, to);
        // Right behind a word it would be no mention.
        if (value[from] !== '@' || !/\S$/.test(value.slice(0, from))) return;
        place.current = to + 1;
        onText(`${value.slice(0, from)} ${value.slice(from)}`);
      }),
    field: open
      ? ({
          'aria-autocomplete': 'list',
          'aria-haspopup': 'listbox',
          'aria-controls': id,
          'aria-activedescendant': `${id}-${at}`,
        } as const)
      : {},
    list: open && <Offered id={id} files={files} at={at} onPoint={setAt} onTake={take} />,
  };
}

interface OfferedProps {
  id: string;
  files: readonly string[];
  at: number;
  onPoint: (at: number) => void;
  onTake: (path: string) => void;
}

/** The files that may be meant. The focus stays in the field. */
function Offered({ id, files, at, onPoint, onTake }: OfferedProps) {
  const { t, count } = useWords();
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one was chosen
  useEffect(() => {
    chosen.current?.scrollIntoView?.({ block: 'nearest' });
  }, [at]);
  return (
    <>
      <Cover />
      <div
        data-covers
        className="offered"
        role="listbox"
        id={id}
        aria-label={t('composer.files')}
        data-testid="offered-files"
      >
        {files.map((path, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={path}
            id={`${id}-${n}`}
            ref={n === at ? chosen : undefined}
            role="option"
            aria-selected={n === at}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => n !== at && onPoint(n)}
            onClick={() => onTake(path)}
          >
            <FileText size={14} aria-hidden />
            <span>{visible(path.startsWith(PROJECT) ? path.slice(PROJECT.length) : path)}</span>
          </div>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {count('composer.files.count', files.length)}
      </p>
    </>
  );
}
