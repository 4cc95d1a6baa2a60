// A text as it is written. Of a very long one the beginning, and more of it on demand: laying out
// millions of characters would stop the window for seconds.
import { type ReactNode, useMemo, useState } from 'react';
import { useWords } from '../i18n';
import { cutNear, visible } from '../i18n/visible';
import { Button } from '../kit/button';

/** How many characters are shown at first: several such texts may come into sight at once. */
export const FIRST_PART = 12_000;
/** How many more with each press. */
const NEXT_PART = 50_000;

/**
 * What `children` makes of the text as far as it is shown, and below it how more is. While it
 * grows, its end is shown, where the new words come.
 */
export function LongText({
  text,
  grows = false,
  children,
}: {
  text: string;
  grows?: boolean;
  children: (shown: string) => ReactNode;
}) {
  const { t, number } = useWords();
  const [most, setMost] = useState(FIRST_PART);
  const [from, to] = grows ? [text.length - FIRST_PART, text.length] : [0, most];
  const [begin, end] = [cutNear(text, from), cutNear(text, to)];
  const shown = useMemo(() => visible(text.slice(begin, end)), [text, begin, end]);
  const left = text.length - end;
  return (
    <>
      {children(shown)}
      {left > 0 && (
        <Button
          size="s"
          kind="quiet"
          data-testid="more-of-text"
          onClick={() => setMost(most + NEXT_PART)}
        >
          {t('message.more', { left: number(left) })}
        </Button>
      )}
    </>
  );
}
