/**
 * Characters that show nothing themselves, and change or hide what stands beside them: controls,
 * marks of direction, and what has no width. In a name or a changed file they make one thing look
 * like another. A carriage return that ends a line is how some systems end it.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]|\r(?!$)/gu;

const numbered = (character: string) =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** A text with its unseen characters named, for labels and tips. */
export const seen = (text: string): string => text.replace(UNSEEN, numbered);

interface Props {
  /** A path, or a line of a file. */
  text: string;
  className?: string;
}

/** A name or a line as it is: every character in its place, every space, and the unseen ones named. */
export function Name({ text, className = '' }: Props) {
  const found = text.match(UNSEEN) ?? [];
  const parts = text.split(UNSEEN);
  return (
    <bdi className={`name ${className}`}>
      {found.length === 0
        ? text
        : parts.map((part, at) => {
            const unseen = found[at];
            return (
              <span key={at}>
                {part}
                {unseen !== undefined && <mark>{numbered(unseen)}</mark>}
              </span>
            );
          })}
    </bdi>
  );
}
