// Which rows of the conversation are in the document, and how high one is before it was drawn.
import type { Range } from '@tanstack/react-virtual';
import type { Row } from '../state/rows';
import { FIRST_PART } from '../widgets/long-text';
import type { MessageBody } from '../widgets/message';

/** About how high a message is: a line of some seventy characters has 22 pixels. A person's words have
 * a box, and a line for when they were said; the first of a speaker's a line for their name. */
function heightOfWords({ by, text }: MessageBody, headed: boolean): number {
  // Whole pixels, as lists are scrolled by such: a place that is come back to would drift otherwise.
  const words = Math.max(22, Math.round(0.3 * Math.min(text.length, FIRST_PART)));
  if (by === 'user') return 54 + words;
  return (headed ? 52 : 22) + words;
}

/** About how high a row is, in pixels, as long as nobody opens it. */
export function heightOf(row: Row | undefined): number {
  if (row?.kind === 'step') return row.open ? 40 : 62;
  if (row?.kind === 'calls') return 24;
  if (row?.kind !== 'item') return 96;
  const { body } = row.item;
  if (body.type === 'call' || body.type === 'question') return 38;
  return body.type === 'message' ? heightOfWords(body, row.headed) : 96;
}

/** Pixels above and below what is in sight that are drawn ahead. */
const AHEAD = 1_000;
/** Rows that these may be at most, on each side. */
const ROWS_AHEAD = 8;

/** The rows in sight, and so many pixels of those next to them: a few high ones take as long to draw
 * as many low ones. */
export function drawn(
  { startIndex, endIndex, count }: Range,
  heightAt: (at: number) => number,
  ahead = AHEAD,
): number[] {
  let [from, to] = [startIndex, endIndex];
  for (let high = 0; from > 0 && startIndex - from < ROWS_AHEAD && high < ahead; ) {
    from -= 1;
    high += heightAt(from);
  }
  for (let high = 0; to < count - 1 && to - endIndex < ROWS_AHEAD && high < ahead; ) {
    to += 1;
    high += heightAt(to);
  }
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
