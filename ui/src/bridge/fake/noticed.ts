// What the window is told beside its conversations: files that were opened outside, and the log.
import type { Noticed, WatchTarget } from '../wire';
import { logRows } from './data';

/** Tells what there is of a target in a scenario. Returns the way to stop. */
export function noticedIn(
  scenario: string,
  target: WatchTarget,
  onNoticed: (words: Noticed[]) => void,
): () => void {
  const isLog = scenario === 'log';
  const words: Noticed[] = [];
  if (target.type === 'app' && scenario === 'opened') {
    for (const path of ['/downloads/story.bmad', '/downloads/broken.bmad'])
      words.push({ type: 'opened', path });
  }
  if (target.type === 'log') {
    words.push({ type: 'log', rows: logRows(isLog ? 40 : 3), dropped: isLog ? 12 : 0 });
  }
  if (words.length === 0) return () => undefined;
  const timer = setTimeout(() => onNoticed(words), 0);
  return () => clearTimeout(timer);
}
