import { FileText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useWords } from '../i18n';
import { visible } from '../i18n/visible';
import { type Field, useOffered, usePut, useWritten, type Written } from './offered';

/** How long nobody types before files are looked for, in milliseconds. */
const PAUSE = 120;
const PROJECT = '@project/';
/** Signs that end a path that stands in no quotes, as the runtime reads it. */
const ENDS = '\\s"`<>|*?:;,，。；：！？、（）「」『』【】《》〈〉“”…';
/** An `@` that no word stands before, and what was typed after it. */
const WRITTEN = new RegExp(`(?:^|[^A-Za-z0-9.+\\-_%/@\\\\])@(?:["“]([^"“”\\n]*)|([^${ENDS}]*))$`);
const QUOTED = new RegExp(`[${ENDS}'’!()\\[\\]{}]|\\.$`);

/** The mention that the caret stands at the end of: from its `@` to there. */
function writtenAt(text: string, caret: number): Written | null {
  const found = WRITTEN.exec(text.slice(0, caret));
  if (!found) return null;
  const typed = found[1] ?? found[2] ?? '';
  const sign = text.lastIndexOf('@', caret - typed.length - 1);
  return { from: sign, to: caret, matching: typed };
}

const unwritten = () => null;

/** A path as it lies in the project. */
const below = (path: string) => (path.startsWith(PROJECT) ? path.slice(PROJECT.length) : path);

/** How a file is mentioned: as it lies in the project, in quotes where it has to be. */
export function mentionOf(path: string): string {
  const bare = path.startsWith(PROJECT) ? below(path) : path.slice(1);
  const name = /^(project|pkg|state)\//.test(bare) ? path.slice(1) : bare;
  if (!QUOTED.test(name)) return `@${name} `;
  return name.includes('"') ? `@“${name}” ` : `@"${name}" `;
}

/** Files whose path holds a text. */
type Find = (matching: string) => Promise<readonly string[]>;

/** The files that fit what was typed. */
function useFound(matching: string | null, find: Find | undefined): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever offers files is the same
  useEffect(() => {
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
  // What was found for fewer letters, until more is known.
  const letters = matching?.toLowerCase() ?? '';
  return found.filter((path) => path.toLowerCase().includes(letters));
}

/** Offers files while a mention is being written in a field. */
export function useMentions({ find, ...field }: Field & { find?: Find }) {
  const { t, count } = useWords();
  const { area, text } = field;
  const { written, close, leave, look } = useWritten(field, find ? writtenAt : unwritten);
  const put = usePut(field);
  const files = useFound(written?.matching ?? null, find);

  const take = (path: string) => {
    if (!written) return;
    const mention = mentionOf(path);
    // A quote that was closed before, and a space, stand there already.
    const rest = text.slice(written.to).replace(/^["”]? ?/, '');
    put(text.slice(0, written.from) + mention + rest, written.from + mention.length);
    leave();
    area.current?.focus();
  };

  const offered = useOffered({
    written,
    options: files,
    keyOf: (path) => path,
    row: (path) => (
      <>
        <FileText size={14} aria-hidden />
        <span>{visible(below(path))}</span>
      </>
    ),
    label: t('composer.files'),
    status: count('composer.files.count', files.length),
    testId: 'offered-files',
    onTake: take,
    onClose: close,
  });

  return {
    ...offered,
    look,
    leave,
    /** Mentions a file where the person writes, or behind what they wrote. */
    put: (path: string) => {
      const box = area.current;
      const writes = box !== null && document.activeElement === box;
      const end = text.length;
      const [from, to] = writes ? [box.selectionStart, box.selectionEnd] : [end, end];
      const before = text.slice(0, from);
      const mention = (/\S$/.test(before) ? ' ' : '') + mentionOf(path);
      put(before + mention + text.slice(to), from + mention.length);
      leave();
      box?.focus();
    },
    // Where it was let go, and chosen: what is typed next would replace it.
    dropped: () =>
      setTimeout(() => {
        const box = area.current;
        if (!box) return;
        const { value, selectionStart: from, selectionEnd: to } = box;
        box.setSelectionRange(to, to);
        // Right behind a word it would be no mention.
        if (value[from] !== '@' || !/\S$/.test(value.slice(0, from))) return;
        put(`${value.slice(0, from)} ${value.slice(from)}`, to + 1);
      }),
  };
}
