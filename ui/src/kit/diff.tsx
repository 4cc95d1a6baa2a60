import { useMemo } from 'react';
import { characters, Name } from './name';
import { wordMarks } from './word-marks';

/** One line of a unified diff. */
export interface DiffLine {
  kind: 'add' | 'del' | 'same' | 'hunk';
  /** Line number in the old or, for added and unchanged lines, the new text. */
  no: number | null;
  text: string;
  /** The line that was there before, or is there now. */
  other?: string;
  /** It is the rest of a line that began above. */
  goesOn?: boolean;
}

/** What the runtime writes for lines that it leaves out. */
const CUT = '…';

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Tells lines that were removed and those that came in their place, one by one, of each other. */
function pair(removed: DiffLine[], added: DiffLine[]) {
  for (const [at, before] of removed.entries()) {
    const after = added[at];
    if (!after) return;
    before.other = after.text;
    after.other = before.text;
  }
}

/** The same for all lines of a diff. */
function paired(lines: DiffLine[]): DiffLine[] {
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  for (const line of lines) {
    if (line.kind === 'add') {
      added.push(line);
      continue;
    }
    if (line.kind !== 'del' || added.length > 0) {
      pair(removed, added);
      [removed, added] = [[], []];
    }
    if (line.kind === 'del') removed.push(line);
  }
  pair(removed, added);
  return lines;
}

/** Reads a unified diff as the runtime prints it. File headers are dropped: the file is named above. */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [before, after, inside] = [0, 0, false];
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      [before, after, inside] = [Number(hunk[1]), Number(hunk[2]), true];
      lines.push({ kind: 'hunk', no: null, text: line });
    } else if (inside && line === CUT) {
      lines.push({ kind: 'hunk', no: null, text: line });
    } else if (!inside || line.startsWith('\\')) {
      // "--- a", "+++ b" before the first hunk; "\ No newline at end of file" within one.
    } else if (line.startsWith('+')) {
      lines.push({ kind: 'add', no: after++, text: line.slice(1) });
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'del', no: before++, text: line.slice(1) });
    } else {
      lines.push({ kind: 'same', no: after, text: line.slice(1) });
      before++;
      after++;
    }
  }
  return paired(lines);
}

interface Read {
  /** A unified diff. */
  diff: string;
  /** It holds what moves or goes, and no change of lines: that is shown as the text that it is. */
  asIs?: boolean;
}

/** The lines to be shown. */
export function linesOf({ diff, asIs = false }: Read): DiffLine[] {
  const lines = parseDiff(diff);
  if (!asIs) return lines;
  return lines
    .filter(({ kind, text }) => kind !== 'hunk' || text === CUT)
    .map((line) => (line.kind === 'add' ? { ...line, kind: 'same' } : line));
}

/** What stands before each kind of line. */
export const SIGN = { add: '+', del: '−', same: '', hunk: '' };

/** The text of a line. Where it was changed, the words that differ are marked. */
export function LineText({ line: { kind, text, other } }: { line: DiffLine }) {
  const parts = useMemo(() => (other === undefined ? null : wordMarks(text, other)), [text, other]);
  if (!text) return ' ';
  if (!parts) return <Name text={text} />;
  const Mark = kind === 'add' ? 'ins' : 'del';
  return (
    <bdi className="name">
      {parts.map((part, at) => {
        const Part = part.differs ? Mark : 'span';
        return <Part key={at}>{characters(part.text, at === parts.length - 1)}</Part>;
      })}
    </bdi>
  );
}

/** A unified diff with its signs, so that it reads without colours too. */
export function Diff({ label, ...read }: Read & { label: string }) {
  const lines = linesOf(read);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
    <section className="diff" aria-label={label} tabIndex={0} data-testid="diff">
      <table>
        <tbody>
          {lines.map((line, at) => (
            <tr key={at} data-line={line.kind}>
              {line.kind === 'hunk' ? (
                <td colSpan={3}>
                  <Name text={line.text} />
                </td>
              ) : (
                <>
                  <td className="no">{line.no}</td>
                  <td className="sign">{SIGN[line.kind]}</td>
                  <td className="text">
                    <LineText line={line} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
