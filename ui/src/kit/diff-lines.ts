import { slices } from '../i18n/visible';

/** One line of a unified diff, or what stands for lines that are not in it. */
export interface DiffLine {
  /** `fold` stands for unchanged lines, `cut` for lines that the runtime left out. */
  kind: 'add' | 'del' | 'same' | 'fold' | 'cut';
  /** Line number in the old or, for added and unchanged lines, the new text. */
  no: number | null;
  /** Line number of an unchanged line in the old text. */
  was?: number;
  text: string;
  /** The line that was there before, or is there now. */
  other?: string;
  /** It is the rest of a line that began above. */
  goesOn?: boolean;
  /** How many unchanged lines a fold stands for. */
  skipped?: number;
}

/** What the runtime writes for lines that it leaves out. */
const CUT = '…';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,\d+)? @@/;

/** Tells lines that were removed and those that came in their place, one by one, of each other. */
function pair(removed: DiffLine[], added: DiffLine[]) {
  for (const [at, before] of removed.entries()) {
    const after = added[at];
    if (!after) return;
    before.other = after.text;
    after.other = before.text;
  }
}

/** Blocks of lines that were removed, and of those that came in their place; others one by one. */
function* blocksOf(lines: readonly DiffLine[]): Generator<[DiffLine[], DiffLine[]] | DiffLine> {
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  for (const line of lines) {
    if (line.kind === 'add') {
      added.push(line);
      continue;
    }
    const ends = line.kind !== 'del' || added.length > 0;
    if (ends && removed.length + added.length > 0) {
      yield [removed, added];
      [removed, added] = [[], []];
    }
    if (line.kind === 'del') removed.push(line);
    else yield line;
  }
  if (removed.length + added.length > 0) yield [removed, added];
}

/** Where a hunk begins in the old text: one without old lines names the line before it. */
const beginOf = (hunk: RegExpExecArray) => Number(hunk[1]) + (hunk[2] === '0' ? 1 : 0);

/** Reads a unified diff as the runtime prints it. File headers are dropped: the file is named above. */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after, inside, cut] = [1, 1, false, false];
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      const begin = beginOf(hunk);
      const skipped = begin - before;
      // Of what was left out nobody knows how much of it is unchanged.
      if (skipped > 0 && !cut) lines.push({ kind: 'fold', no: null, text: '', skipped });
      [before, after, inside, cut] = [begin, Number(hunk[3]), true, false];
    } else if (inside && line === CUT) {
      cut = true;
      lines.push({ kind: 'cut', no: null, text: '' });
    } else if (!inside || line.startsWith('\\')) {
      // "--- a", "+++ b" before the first hunk; "\ No newline at end of file" within one.
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'add', no: after++, text: line.slice(1) });
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'del', no: before++, text: line.slice(1) });
    } else {
      lines.push({ kind: 'same', no: after++, was: before++, text: line.slice(1) });
    }
  }
  for (const block of blocksOf(lines)) if (Array.isArray(block)) pair(...block);
  return lines;
}

/** What is read, and how it is laid out. */
export interface DiffSource {
  /** A unified diff. */
  diff: string;
  /** It holds what moves or goes, and no change of lines: that is shown as the text that it is. */
  asIs?: boolean;
  /** What was there and what comes in its place stand side by side. */
  split?: boolean;
}

/** What stands in one row: one line, or the old and the new one. */
export type DiffRow = readonly (DiffLine | null)[];

/** The longest text of a row. A line may have millions of characters: it takes several rows, few
 * of which are drawn, even where each character is one that needs a sign. */
const ROW = 400;

/** The rows that a row takes whose lines are long. Only the first has their numbers and signs. */
function cutRow(row: DiffRow): DiffRow[] {
  if (row.every((line) => !line || line.text.length <= ROW)) return [row];
  const columns = row.map((line) => {
    if (!line) return [];
    if (line.text.length <= ROW) return [line];
    return slices(line.text, ROW).map((text, at): DiffLine => {
      const part = { ...line, text, other: undefined };
      return at === 0 ? part : { ...part, no: null, was: undefined, goesOn: true };
    });
  });
  const height = Math.max(...columns.map((column) => column.length));
  return Array.from({ length: height }, (_, at) => columns.map((column) => column[at] ?? null));
}

/** The old lines of a block beside the new ones; an unchanged line stands on both sides. */
function sideBySide(block: [DiffLine[], DiffLine[]] | DiffLine): DiffRow[] {
  if (!Array.isArray(block)) {
    if (block.kind !== 'same') return [[block]];
    return [[{ ...block, no: block.was ?? null }, block]];
  }
  const [removed, added] = block;
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => [
    removed[at] ?? null,
    added[at] ?? null,
  ]);
}

/** The lines to be shown. */
export function linesOf({ diff, asIs = false }: DiffSource): DiffLine[] {
  const lines = parseDiff(diff);
  if (!asIs) return lines;
  return lines
    .filter(({ kind }) => kind !== 'fold')
    .map((line) => (line.kind === 'add' ? { ...line, kind: 'same' } : line));
}

/** The rows to be shown. */
export function rowsOf(source: DiffSource): DiffRow[] {
  const lines = linesOf(source);
  const rows = source.split
    ? [...blocksOf(lines)].flatMap(sideBySide)
    : lines.map((line): DiffRow => [line]);
  return rows.flatMap(cutRow);
}

/** The text that a diff makes out of nothing; `null` for any other diff, and for one that is cut. */
export function madeBy(diff: string): string | null {
  const lines = parseDiff(diff);
  if (lines.length === 0 || lines.some(({ kind }) => kind !== 'add')) return null;
  return lines.map(({ text }) => `${text}\n`).join('');
}
