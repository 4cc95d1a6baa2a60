// Markdown of others is parsed and drawn while the person waits: some of a few kilobytes takes a
// minute, or more calls than the stack holds. What is over these bounds is shown as plain text.

/** How many characters a text may have. */
const LENGTH = 200_000;
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

/** Whether a text is too much to be shown as Markdown. */
export function isTooMuch(text: string): boolean {
  if (text.length > LENGTH) return true;
  let [open, parts] = [0, 0];
  for (const line of text.split('\n')) {
    const delimiters = count(line, DELIMITERS);
    open = line.trim() === '' ? 0 : open + delimiters;
    const depth = depthOf(line);
    parts += 1 + depth + count(line, LINKS) + delimiters / 2;
    if (open > OPEN || parts > PARTS || depth > DEPTH) return true;
  }
  return false;
}
