import { useLayoutEffect } from 'react';

const told = new Set<() => void>();

/** Calls back when something has come to lie over the page or has gone. Returns the way to stop. */
export function onCover(tell: () => void): () => void {
  told.add(tell);
  return () => told.delete(tell);
}

/** Within whatever lies over the page while it is open: a browser calls what it hides visible. */
export function Cover() {
  useLayoutEffect(() => {
    // When it is in the document, or is out of it.
    const say = () => queueMicrotask(() => [...told].forEach((tell) => void tell()));
    say();
    return say;
  }, []);
  return null;
}
