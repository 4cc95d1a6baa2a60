// What the person is writing: kept by the program behind the window, so that nothing is lost by
// scrolling away, looking elsewhere, a reload or a crash.
import type { DraftPlace } from '../bridge/wire';
import { type App, fail, type Queued } from './store';

/** How soon a change is on its way to the disk, in milliseconds. */
const WRITE_AFTER = 250;

function keyOf(place: DraftPlace): string {
  switch (place.type) {
    case 'newRun':
      return `newRun/${place.projectId}`;
    case 'widget':
      return `widget/${place.conversationId}/${place.messageId}`;
    case 'composer':
      return composerKey(place.conversationId);
    case 'window':
      return 'window';
  }
}

/** The composer's draft in `View.drafts`. */
export const composerKey = (conversationId: string | null): string => `composer/${conversationId}`;

/** True when a draft holds anything. */
const isSomething = (value: unknown): boolean =>
  typeof value === 'string' ? value !== '' : value !== undefined && value !== null;

/** Reads what was kept. What was written since the window opened is newer. */
export async function loadDrafts(app: App) {
  const result = await app.bridge.query({ type: 'drafts' });
  if (!result.ok) return fail(app, result.failure);
  const kept = result.value.map(({ place, value }) => [keyOf(place), value] as const);
  const drafts = new Map([...kept, ...app.store.getState().drafts]);
  app.store.setState({ drafts });
}

/** What was being written at a place. */
export const draftAt = (app: App, place: DraftPlace): unknown =>
  app.store.getState().drafts.get(keyOf(place));

async function write(app: App, place: DraftPlace) {
  const value = app.store.getState().drafts.get(keyOf(place)) ?? null;
  const result = await app.bridge.submit({ type: 'keepDraft', place, value });
  if (result.ok) return;
  // Where the window is, nobody wrote: it is kept again with the next change.
  if (place.type === 'window') return;
  // A conversation that was deleted meanwhile takes its draft with it.
  if (result.failure.code !== 'CONVERSATION_NOT_FOUND') fail(app, result.failure);
}

/** Keeps what is being written; an empty value forgets it. */
export function keepDraft(app: App, place: DraftPlace, value: unknown) {
  const key = keyOf(place);
  const drafts = new Map(app.store.getState().drafts);
  if (isSomething(value)) drafts.set(key, value);
  else drafts.delete(key);
  app.store.setState({ drafts });
  if (app.unkept.has(key)) return;
  // What is due takes what is newest by then; one after the other, so that the newest is the last.
  const due = () => {
    app.unkept.delete(key);
    app.keeping = app.keeping.then(() => write(app, place));
  };
  app.unkept.set(key, { due, timer: setTimeout(due, WRITE_AFTER) });
}

/** Writes at once what is due: the window may be gone in a moment. */
export function keepNow(app: App) {
  for (const { due, timer } of [...app.unkept.values()]) {
    clearTimeout(timer);
    due();
  }
}

/** Forgets what was sent: the program has done so already, with what was sent. */
export function forgetDraft(app: App, place: DraftPlace) {
  if (draftAt(app, place) !== undefined) keepDraft(app, place, null);
}

/** Lets the words that were written ahead in a conversation be sent when it rests, or holds them back. */
export function queueWords({ store }: App, conversationId: string, when: Queued | null) {
  const queued = new Map(store.getState().queued);
  if (when) queued.set(conversationId, when);
  else queued.delete(conversationId);
  store.setState({ queued });
}
