import { expect, test } from 'vitest';
import type { LogRow } from '../bridge/wire';
import { emptyLog, filterLog, LOG_ROWS, withRows } from './log';

const row = (message: string, level: LogRow['level'] = 'info'): LogRow => ({
  at: '2026-01-01T00:00:00.000Z',
  level,
  kind: 'log',
  source: 'host::store',
  message,
  fields: { path: '@project/a.md' },
});

test('the newest thousand rows are kept and each has a key of its own', () => {
  const many = Array.from({ length: LOG_ROWS }, (_, n) => row(String(n)));
  const log = withRows(withRows(emptyLog, many, 0), [row('a'), row('a')], 3);
  expect(log.lines).toHaveLength(LOG_ROWS);
  expect(log.lines[0]?.row.message).toBe('2');
  expect(new Set(log.lines.map((line) => line.key)).size).toBe(LOG_ROWS);
  expect(log.dropped).toBe(3);
});

test('a row is found by its level and by every word it holds, also in its fields', () => {
  const log = withRows(emptyLog, [row('saved'), row('cannot save', 'error')], 0);
  const found = (level: LogRow['level'], text: string) =>
    filterLog(log, level, text).map((line) => line.row.message);
  expect(found('trace', '')).toEqual(['saved', 'cannot save']);
  expect(found('warn', '')).toEqual(['cannot save']);
  expect(found('info', 'STORE a.md')).toEqual(['saved', 'cannot save']);
  expect(found('info', 'saved store')).toEqual(['saved']);
  expect(found('info', 'nowhere')).toEqual([]);
});
