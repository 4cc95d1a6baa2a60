import { useEffect } from 'react';

/** What has a text of its own to mark. */
const FIELD = 'textarea, input:not([type=checkbox], [type=radio])';

/** Ctrl+A, on a Mac Cmd+A, marks the text of a field. Elsewhere it would mark every word of the
 * window, those of its buttons too. */
export function useSelectAllKey() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!command || event.key.toLowerCase() !== 'a') return;
      if (event.target instanceof Element && event.target.matches(FIELD)) return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
