import { useEffect, useRef } from 'react';
import { readAhead } from '../state/opening';
import { useApp } from '../state/store';

/** How long the pointer rests on something that opens a conversation before that is read, in
 * milliseconds: on its way over a list it passes others. */
const RESTS = 40;

/** Reads a conversation ahead while the pointer rests, or the focus is, on what opens it. */
export function useReadAhead(conversationId: string) {
  const app = useApp();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const soon = () => {
    forget();
    timer.current = setTimeout(() => void readAhead(app, conversationId), RESTS);
  };
  return { onPointerEnter: soon, onPointerLeave: forget, onFocus: soon, onBlur: forget };
}
