// Markdown of others is parsed and drawn while the person waits: some of a few kilobytes takes a
// minute, or more calls than the stack holds. What is over these bounds is shown as plain text.

/** How many characters a text may have that somebody opens. */
const LENGTH = 200_000;
/** How many one may have that comes into sight with others: laid out within 200 ms. */
const LENGTH_IN_PARTS = 40_000;
/** Lists and quotations within each other. */
const DEPTH = 100;
/** Characters that may begin or end something, between two empty lines: each is compared with the others. */
const OPEN = 2_000;
/** Everything that becomes an element of its own. */
const PARTS = 6_000;

const HEAD = /^(?:[ \t]+|>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))*/;
const MARKERS = />|[-*+]|\d+[.)]/g;
const DELIMITERS = /[*_~`[\]@]/g;
const LINKS = /\||:\/\/|www\./gi;

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** How deep a line lies: its own marks, and the indentation that stands for those above it. */
function depthOf(line: string): number {
  const head = HEAD.exec(line)?.[0] ?? '';
  const markers = count(head, MARKERS);
  const indent = /^[ \t]*/.exec(head)?.[0].replaceAll('\t', '    ').length ?? 0;
  return markers === 0 ? 0 : markers + Math.floor(indent / 2);
}

/** Characters of a line of a file that is shown as an editor shows it, which draws whole lines. */
const LINE = 5_000;

/** Whether lines are so long that a text has to be shown without an editor. */
export const isTooWide = (text: string): boolean =>
  text.length > LINE && text.split('\n').some((line) => line.length > LINE);

/** Whether Markdown is so entangled that it cannot be parsed in time. */
export const isTangled = (text: string): boolean => weighs(text, Number.POSITIVE_INFINITY);

/** Whether a text is too much to be shown as Markdown; `inParts`, where it need not be shown whole. */
export const isTooMuch = (text: string, inParts: boolean): boolean =>
  text.length > (inParts ? LENGTH_IN_PARTS : LENGTH) || weighs(text, PARTS);

/** Whether a text is over the bounds that each part of it has, or has more parts than `most`. */
function weighs(text: string, most: number): boolean {
  let [open, parts] = [0, 0];
  for (const line of text.split('\n')) {
    const delimiters = count(line, DELIMITERS);
    open = line.trim() === '' ? 0 : open + delimiters;
    const depth = depthOf(line);
    parts += 1 + depth + count(line, LINKS) + delimiters / 2;
    if (open > OPEN || parts > most || depth > DEPTH) return true;
  }
  return false;
}
