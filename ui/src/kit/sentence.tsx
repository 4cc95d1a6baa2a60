import type { ReactNode } from 'react';

/** Begins with a capital letter, unless its first word is a name of something. */
const begun = (text: string) =>
  text.replace(/^\p{Ll}(?=\p{Ll}*[\s,])/u, (letter) => letter.toUpperCase());

/** Text of the program, of which what is in backticks is set as code. */
export function Coded({ text }: { text: string }): ReactNode {
  // A backtick without its other half, and one right after the other, are what they are.
  return text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? <code key={at}>{part.slice(1, -1)}</code> : part));
}

/** The same, where it stands alone. */
export const Sentence = ({ text }: { text: string }): ReactNode => <Coded text={begun(text)} />;
