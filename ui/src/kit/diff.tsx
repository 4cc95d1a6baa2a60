import { useMemo } from 'react';
import { useWords } from '../i18n';
import { type DiffLine, type DiffRow, type DiffSource, rowsOf } from './diff-lines';
import { characters, Name } from './name';
import { wordMarks } from './word-marks';

/** What stands before each kind of line. */
const SIGN = { add: '+', del: '−', same: '', fold: '', cut: '' };

/** The text of a line. Where it was changed, the words that differ are marked. */
function LineText({ line: { kind, text, other } }: { line: DiffLine }) {
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

/** What stands in the place of lines that are not shown. */
function Gap({ line }: { line: DiffLine }) {
  const { t, count } = useWords();
  return (
    <span className="text gap">
      {line.kind === 'cut' ? t('diff.cut') : count('diff.fold', line.skipped ?? 0)}
    </span>
  );
}

/** The room that the numbers of lines take. */
export const widthOfNumbers = (rows: readonly DiffRow[]) => {
  const most = rows.flat().reduce((n, line) => Math.max(n, line?.no ?? 0), 0);
  return `calc(${String(most).length}ch + 16px)`;
};

/** One line with its number and sign, or two side by side. */
export function DiffCells({ row, width }: { row: DiffRow; width: string }) {
  return row.map((line, at) => {
    if (!line) return <span key={at} className="diff-cell" data-line="none" />;
    return (
      <span key={at} className="diff-cell" data-line={line.kind}>
        {line.kind === 'fold' || line.kind === 'cut' ? (
          <Gap line={line} />
        ) : (
          <>
            <span className="no" style={{ width }}>
              {line.no}
            </span>
            <span className="sign">{line.goesOn ? '' : SIGN[line.kind]}</span>
            <span className="text">
              <LineText line={line} />
            </span>
          </>
        )}
      </span>
    );
  });
}

/** A unified diff with its signs, so that it reads without colours too. */
export function Diff({ label, diff, asIs, split }: DiffSource & { label: string }) {
  const rows = useMemo(() => rowsOf({ diff, asIs, split }), [diff, asIs, split]);
  const width = useMemo(() => widthOfNumbers(rows), [rows]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys
    <section className="diff" aria-label={label} tabIndex={0} data-testid="diff">
      {rows.map((row, at) => (
        <div key={at} className="diff-row">
          <DiffCells row={row} width={width} />
        </div>
      ))}
    </section>
  );
}
