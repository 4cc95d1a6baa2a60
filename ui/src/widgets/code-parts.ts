// Loaded on demand: what knows languages is large.
import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { classHighlighter, highlightCode } from '@lezer/highlight';
import './code-colours.css';

/** A piece of a text, and the classes that colour it. */
export interface CodePart {
  text: string;
  classes: string;
}

/** The text in pieces, by what they are in its language; null where nobody knows that language. */
export async function codePartsOf(text: string, language: string): Promise<CodePart[] | null> {
  const named = LanguageDescription.matchLanguageName(languages, language, false);
  const known = named ?? LanguageDescription.matchFilename(languages, `x.${language}`);
  if (!known) return null;
  const tree = (await known.load()).language.parser.parse(text);
  const parts: CodePart[] = [];
  highlightCode(
    text,
    tree,
    classHighlighter,
    (piece, classes) => parts.push({ text: piece, classes }),
    () => parts.push({ text: '\n', classes: '' }),
  );
  return parts;
}
