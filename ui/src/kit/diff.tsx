import { Name } from './name';

/** One line of a unified diff. */
export interface DiffLine {
  kind: 'add' | 'del' | 'same' | 'hunk';
  /** Line number in the old or, for added and unchanged lines, the new text. */
  no: number | null;
  text: string;
  /** It is the rest of a line that began above. */
  goesOn?: boolean;
}

/** What the runtime writes for lines that it leaves out. */
const CUT = '…';

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

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
  return lines;
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
                  <td className="text">{line.text ? <Name text={line.text} /> : ' '}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
