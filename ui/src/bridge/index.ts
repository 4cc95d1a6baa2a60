import type { Bridge, DialogTitles } from './bridge';

export type { Bridge, Result } from './bridge';
export { asFailure } from './bridge';

/** True inside the app's own window, false in a plain browser. */
const inWindow = (): boolean => '__TAURI_INTERNALS__' in window;

/**
 * The bridge of this page. In a plain browser it is the fake one, which plays recorded frames so
 * that every state can be seen; its code is a chunk of its own that the app's window never loads.
 */
export async function loadBridge(titles: () => DialogTitles): Promise<Bridge> {
  if (inWindow()) return (await import('./tauri')).tauriBridge(titles);
  const { fakeBridge } = await import('./fake');
  return fakeBridge(new URLSearchParams(location.search).get('fake') ?? 'start');
}
