import type { Item } from '../bridge/wire';
import { Broken } from '../kit/broken';
import { Plain } from '../widgets/markdown';

/** What of an item is somebody's words. */
function wordsOf(body: Item['body']): string | null {
  if (body.type === 'message') return body.text;
  if (body.type === 'question') return body.widget.message;
  return body.type === 'decision' ? body.decision.user_summary : null;
}

/** What others wrote can still be read where its part of the window is broken. */
export function BrokenItem({ body }: { body: Item['body'] }) {
  const words = wordsOf(body);
  return (
    <>
      <Broken part="part" />
      {words && <Plain text={words} />}
    </>
  );
}
