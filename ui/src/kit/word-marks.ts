import { diffArrays } from 'diff';

/** A part of a line, and whether the line that it is compared with has something else there. */
export interface Part {
  text: string;
  differs: boolean;
}

/** Longer lines, and lines with more differences than this, are shown without marks. */
const LONGEST_LINE = 2000;
const MOST_DIFFERENCES = 200;

/** Lines with less than this share in common are two lines, and not one that was changed. */
const LEAST_IN_COMMON = 1 / 3;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const words = (line: string) => [...segmenter.segment(line)].map(({ segment }) => segment);

const isBlank = (text: string) => text.trim() === '';
const inkOf = (parts: readonly Part[]) => parts.reduce((n, { text }) => n + text.trim().length, 0);

/** A space between two words that differ differs with them: one mark is calmer than two. */
function withSpaces(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const [at, { text, differs }] of parts.entries()) {
    const last = joined.at(-1);
    const isBetween = isBlank(text) && last?.differs === true && parts[at + 1]?.differs === true;
    const part = { text, differs: differs || isBetween };
    if (last?.differs === part.differs) last.text += text;
    else joined.push(part);
  }
  return joined;
}

/**
 * The words of a line that another line, of which it was made or which was made of it, has not.
 * `null` where marks would say nothing: the lines have little in common, or are too long.
 */
export function wordMarks(line: string, other: string): Part[] | null {
  if (Math.max(line.length, other.length) > LONGEST_LINE) return null;
  const changes = diffArrays(words(other), words(line), { maxEditLength: MOST_DIFFERENCES });
  const parts = changes
    ?.filter(({ removed }) => !removed)
    .map(({ value, added }) => ({ text: value.join(''), differs: added }));
  if (!parts) return null;
  const common = inkOf(parts.filter(({ differs }) => !differs));
  const longer = Math.max(line.trim().length, other.trim().length);
  return common < longer * LEAST_IN_COMMON ? null : withSpaces(parts);
}
