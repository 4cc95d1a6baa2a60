import { useCallback, useState } from 'react';

/** State about one thing. When it is about another one, it is as it was at first. */
export function useStateOf<T>(of: unknown, first: T): [T, (next: T) => void] {
  const [held, setHeld] = useState({ of, value: first });
  if (held.of !== of) setHeld({ of, value: first });
  const set = useCallback((value: T) => setHeld({ of, value }), [of]);
  return [held.of === of ? held.value : first, set];
}
