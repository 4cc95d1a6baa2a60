import { type RefObject, useEffect, useState } from 'react';
import { loadServers, projectOfServers } from '../state/servers';
import { useApp, useView } from '../state/store';

/** How soon they are read again after an answer came, in milliseconds. */
const AGAIN_AFTER = 2000;

/** Keeps the servers as they are now while `on`: what they do changes by itself. */
export function useServers(on: boolean) {
  const app = useApp();
  const projectId = useView(projectOfServers);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another project others are trusted
  useEffect(() => {
    if (!on) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let here = true;
    const read = async () => {
      // Nobody sees a page that is hidden.
      if (document.visibilityState !== 'hidden') await loadServers(app);
      if (here) timer = setTimeout(() => void read(), AGAIN_AFTER);
    };
    void read();
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [app, on, projectId]);
}

/** Whether any of an element is in sight. */
export function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      setSeen(last !== undefined && (last.isIntersecting || last.intersectionRatio > 0));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isSeen;
}
