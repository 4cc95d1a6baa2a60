import { pieces } from '../i18n/visible';

interface Props {
  /** A path, or a line of a file. */
  text: string;
  className?: string;
}

/** A name or a line as it is: every character in its place, every space, and the unseen ones named. */
export function Name({ text, className = '' }: Props) {
  return <bdi className={`name ${className}`}>{characters(text)}</bdi>;
}

/** The same of a part of a line. A carriage return ends the line only where that ends. */
export const characters = (text: string, endsLine = true) =>
  pieces(text, endsLine).map((piece, at) =>
    piece.isSign ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
  );
