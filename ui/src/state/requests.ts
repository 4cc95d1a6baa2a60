// What was asked of the model: a list, and one request as it was sent. Read when somebody looks.
import { set } from './ask';
import type { App } from './store';

/** Opens the list, with the newest request. */
export async function openRequests(app: App) {
  const { conversationId } = app.store.getState();
  if (conversationId === null) return;
  set(app, { requests: { list: null, number: null, view: null } });
  const list = await app.bridge.query({ type: 'requests', conversationId });
  if (!isLookedAt(app, conversationId)) return;
  set(app, { requests: { list, number: null, view: null } });
  const newest = list.ok ? list.value.requests.at(-1) : undefined;
  if (newest) await showRequest(app, newest.number);
}

/** Shows one of the list. What was shown before stays until it is there. */
export async function showRequest(app: App, number: number) {
  const { conversationId, requests } = app.store.getState();
  if (conversationId === null || requests === null) return;
  set(app, { requests: { ...requests, number } });
  const view = await app.bridge.query({ type: 'request', conversationId, number });
  const now = app.store.getState().requests;
  // Another one was chosen meanwhile.
  if (!isLookedAt(app, conversationId) || now?.number !== number) return;
  set(app, { requests: { ...now, view } });
}

export const closeRequests = (app: App) => set(app, { requests: null });

const isLookedAt = ({ store }: App, conversationId: string) => {
  const { conversationId: open, requests } = store.getState();
  return open === conversationId && requests !== null;
};
