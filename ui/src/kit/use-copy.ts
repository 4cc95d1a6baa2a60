import { useState } from 'react';

/** Puts a text on the clipboard; `copied` until somebody goes elsewhere. */
export function useCopy() {
  const [copied, setCopied] = useState(false);
  const copy = async (text: string) => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
  };
  return { copied, copy, forget: () => setCopied(false) };
}
