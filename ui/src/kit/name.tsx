import { pieces } from '../i18n/visible';

interface Props {
  /** A path, or a line of a file. */
  text: string;
  className?: string;
}

/** A name or a line as it is: every character in its place, every space, and the unseen ones named. */
export function Name({ text, className = '' }: Props) {
  return (
    <bdi className={`name ${className}`}>
      {pieces(text).map((piece, at) =>
        piece.isSign ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
      )}
    </bdi>
  );
}
