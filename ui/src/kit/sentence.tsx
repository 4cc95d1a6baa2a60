import type { ReactNode } from 'react';

/** Begins with a capital letter, unless its first word is a name of something. */
const begun = (text: string) =>
  text.replace(/^\p{Ll}(?=\p{Ll}*[\s,])/u, (letter) => letter.toUpperCase());

/** Text that stands alone, of which what is in backticks is set as code. */
export function Sentence({ text }: { text: string }): ReactNode {
  // A backtick without its other half, and one right after the other, are what they are.
  return begun(text)
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? <code key={at}>{part.slice(1, -1)}</code> : part));
}
