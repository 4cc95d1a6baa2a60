import { emoji, hidden, joined, joiners, selectors } from '../bridge/hidden';

const isWithin = (code: number, [from, to]: readonly [number, number]) =>
  from <= code && code <= to;

const isIn = (code: number, ranges: readonly (readonly [number, number])[]) =>
  ranges.some((range) => isWithin(code, range));

/** What a character is to a joiner or a selector beside it. */
function besideOf(code: number): 'joined' | 'emoji' | 'other' {
  if (code < 0x80) return 'other';
  if (isIn(code, joined)) return 'joined';
  return isIn(code, emoji) ? 'emoji' : 'other';
}

/** Makes a key of the digit before it, with a selector between them. */
const KEYCAP = 0x20e3;

/** Says of one character after the other whether it cannot be seen there. */
function judge(): (code: number, next: number | undefined) => boolean {
  let before = '';
  let beside: ReturnType<typeof besideOf> = 'other';
  return (code, next) => {
    const isSelector = isWithin(code, selectors);
    let isHidden: boolean;
    if (isSelector) {
      const isKey = /^[0-9#*]$/.test(before) && next === KEYCAP;
      const isSecond = before !== '' && isWithin(before.codePointAt(0) ?? 0, selectors);
      isHidden = isSecond || (beside !== 'emoji' && !isKey);
    } else if (isWithin(code, joiners)) {
      const joins = beside === 'joined' || (beside === 'emoji' && code === joiners[1]);
      isHidden = !joins || next === undefined || besideOf(next) !== beside;
    } else {
      isHidden = !isWithin(code, [0x20, 0x7e]) && isIn(code, hidden);
    }
    // A selector belongs to its emoji.
    if (!isSelector || isHidden) beside = besideOf(code);
    before = String.fromCodePoint(code);
    return isHidden;
  };
}

/** A picture of a control character, or the number of any other. */
function sign(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** A place in a text with something that cannot be seen, in UTF-16 units. */
export interface Unseen {
  from: number;
  to: number;
  /** What is shown in its place: nothing where a carriage return ends a line. */
  sign: string;
}

/**
 * What cannot be seen in a text that others wrote: control characters, characters that turn the
 * direction of the text round them, characters without width. In a name or a changed file they
 * make one thing look like another. The kernel's `visible`. `isEnd`: a line may end with the text.
 */
export function unseen(text: string, isEnd = true): Unseen[] {
  const found: Unseen[] = [];
  let to = 0;
  const isHiddenHere = judge();
  for (const c of text) {
    const from = to;
    to += c.length;
    const code = c.codePointAt(0) ?? 0;
    // A carriage return that ends a line is how some systems end it.
    const endsLine = c === '\r' && (to === text.length ? isEnd : text[to] === '\n');
    const isHidden = isHiddenHere(code, text.codePointAt(to));
    if (endsLine || isHidden) found.push({ from, to, sign: endsLine ? '' : sign(code) });
  }
  return found;
}

/** A part of a text as it is, or the sign of a character that cannot be seen. */
export interface Piece {
  text: string;
  isSign: boolean;
}

/** Text that others wrote, with signs for what cannot be seen (`unseen`). */
export function pieces(text: string, isEnd = true): Piece[] {
  const found: Piece[] = [{ text: '', isSign: false }];
  let shown = 0;
  const asItIs = (end: number) => {
    const part = text.slice(shown, end);
    const last = found.at(-1);
    if (last && !last.isSign) last.text += part;
    else if (part) found.push({ text: part, isSign: false });
  };
  for (const { from, to, sign } of unseen(text, isEnd)) {
    asItIs(from);
    if (sign) found.push({ text: sign, isSign: true });
    shown = to;
  }
  asItIs(text.length);
  return found;
}

const range = ([from, to]: readonly [number, number]) =>
  `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`;

/** Whatever may become a sign. */
const SUSPECT = new RegExp(`[${[...hidden, joiners, selectors].map(range).join('')}]`, 'u');

/** Whether some of the text may have to be shown by a sign. */
export const isSuspect = (text: string): boolean => SUSPECT.test(text);

const SUSPECTS = new RegExp(SUSPECT, 'gu');

/** How many signs a text takes at most. */
export const mostSigns = (text: string): number => text.match(SUSPECTS)?.length ?? 0;

/** The same as one text. */
export const visible = (text: string): string =>
  isSuspect(text)
    ? pieces(text)
        .map((piece) => piece.text)
        .join('')
    : text;

/** Whether the unit at this place is judged by what stands beside it. */
function looksBeside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isWithin(code, joiners) || isWithin(code, selectors);
}

/** Whether both halves of the text cut there are shown as they are within the whole. */
const isBetween = (text: string, at: number) =>
  !/[\uDC00-\uDFFF]/.test(text[at] ?? '') && !looksBeside(text, at - 1) && !looksBeside(text, at);

/** How far back a better place for a cut is looked for. Failing that, a sign too many is shown. */
const BACK = 16;

/** Where the text can be cut near this place: each half is shown as it is within the whole. */
export function cutNear(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.min(Math.max(at, 0), text.length);
  const places = Array.from({ length: Math.min(BACK, at) }, (_, back) => at - back);
  return places.find((it) => text[it - 1] !== '\r' && isBetween(text, it)) ?? at;
}

/** The text cut into parts of about `most` characters, each shown as it is within the whole. */
export function slices(text: string, most: number): string[] {
  const found: string[] = [];
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = Math.min(from + most, text.length);
    const places = Array.from({ length: Math.min(BACK, end - from - 1) }, (_, back) => end - back);
    if (end < text.length) end = places.find((at) => isBetween(text, at)) ?? end;
    const part = text.slice(from, end);
    // No line ends within it: there a carriage return is a sign.
    found.push(end < text.length ? part.replace(/\r$/, sign(0x0d)) : part);
  }
  return found;
}
