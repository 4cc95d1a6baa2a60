import { useEffect, useState } from 'react';

/** The window has no room for the inspector beside the conversation. */
export const TIGHT = '(max-width: 1060px)';

/** Nor for the sidebar. */
export const NARROW = '(max-width: 900px)';

/** It has room for a file beside the conversation. */
export const WIDE = '(min-width: 1440px)';

/** It has room for wider columns. */
export const BROAD = '(min-width: 1600px)';

/** Whether a media query is true now. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const show = () => setMatches(list.matches);
    show();
    list.addEventListener('change', show);
    return () => list.removeEventListener('change', show);
  }, [query]);
  return matches;
}
