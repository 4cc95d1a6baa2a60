import { hidden, joiners } from '../bridge/hidden';

const isWithin = (code: number, [from, to]: readonly [number, number]) =>
  from <= code && code <= to;

/** A picture of a control character, or the number of any other. */
function sign(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** A part of a text as it is, or the sign of a character that cannot be seen. */
export interface Piece {
  text: string;
  isSign: boolean;
}

/**
 * Text that others wrote, with signs for what cannot be seen: control characters, characters that
 * turn the direction of the text round them, characters without width. In a name or a changed file
 * they make one thing look like another. The kernel's `visible`.
 */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [{ text: '', isSign: false }];
  let at = 0;
  let before = Number.POSITIVE_INFINITY;
  for (const c of text) {
    at += c.length;
    const code = c.codePointAt(0) ?? 0;
    // A carriage return that ends a line is how some systems end it.
    const endsLine = c === '\r' && (at === text.length || text[at] === '\n');
    const isHidden =
      hidden.some((range) => isWithin(code, range)) || (isWithin(code, joiners) && before < 0x80);
    const last = found.at(-1);
    if (isHidden && !endsLine) found.push({ text: sign(code), isSign: true });
    else if (!endsLine && last && !last.isSign) last.text += c;
    else if (!endsLine) found.push({ text: c, isSign: false });
    before = code;
  }
  return found;
}

const range = ([from, to]: readonly [number, number]) =>
  `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`;

/** Whatever may become a sign. */
const SUSPECT = new RegExp(`[${[...hidden, joiners].map(range).join('')}]`, 'u');

/** The same as one text. */
export const visible = (text: string): string =>
  SUSPECT.test(text)
    ? pieces(text)
        .map((piece) => piece.text)
        .join('')
    : text;

/** The text cut into parts of about `most` characters, each shown as it is within the whole. */
export function slices(text: string, most: number): string[] {
  const found: string[] = [];
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = Math.min(from + most, text.length);
    const isLowHalf = () => /[\uDC00-\uDFFF]/.test(text[end] ?? '');
    // Whether a joiner is a sign depends on what stands before it.
    const joins = () => isWithin(text.charCodeAt(end), joiners);
    for (let back = 0; back < 2 && end < text.length && (isLowHalf() || joins()); back++) end--;
    const part = text.slice(from, end);
    // No line ends within it: there a carriage return is a sign.
    found.push(end < text.length ? part.replace(/\r$/, sign(0x0d)) : part);
  }
  return found;
}
