// What the log drawer shows: a copy of the newest rows. Pure.
import type { LogLevel, LogRow } from '../bridge/wire';

/** How many rows are kept. */
export const LOG_ROWS = 1_000;

/** A row with a key of its own: two rows may say the same at the same time. */
export interface LogLine {
  key: number;
  row: LogRow;
}

/** The copy of the log. */
export interface Log {
  lines: readonly LogLine[];
  /** How many were lost on the way since the view was cleared. */
  dropped: number;
  /** The next key. */
  next: number;
}

/** Before anything was read. */
export const emptyLog: Log = { lines: [], dropped: 0, next: 0 };

/** The log after more rows came. */
export function withRows(log: Log, rows: readonly LogRow[], dropped: number): Log {
  const fresh = rows.map((row, at) => ({ key: log.next + at, row }));
  return {
    lines: [...log.lines, ...fresh].slice(-LOG_ROWS),
    dropped: log.dropped + dropped,
    next: log.next + rows.length,
  };
}

/** The levels, the gravest first. */
export const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug', 'trace'];

/** The lines that are at least as grave as `level` and hold all the words of `text`. */
export function filterLog(log: Log, level: LogLevel, text: string): readonly LogLine[] {
  const most = levels.indexOf(level);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return log.lines.filter(({ row }) => {
    if (levels.indexOf(row.level) > most) return false;
    if (words.length === 0) return true;
    const all = `${row.source} ${row.message} ${JSON.stringify(row.fields)}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
