// What the run has changed, read while somebody looks. The program reads and compares every file of
// the run for it: it is asked one question at a time, and not anew for every call.
import type { App, Reading } from './store';

/** How often it is read at most, in milliseconds. */
const EVERY = 500;

/** Follows what the open conversation's run has changed. Returns the way to stop. */
export function followSnapshot(app: App): () => void {
  const reading = { wanted: false, busy: false };
  app.reading = reading;
  wantSnapshot(app);
  return () => {
    if (app.reading === reading) app.reading = null;
  };
}

/** Reads it again, when somebody follows it. */
export function wantSnapshot(app: App) {
  const { reading } = app;
  if (!reading) return;
  reading.wanted = true;
  if (!reading.busy) void read(app, reading);
}

async function read(app: App, reading: Reading) {
  reading.busy = true;
  while (reading.wanted && app.reading === reading) {
    reading.wanted = false;
    const { conversationId } = app.store.getState();
    if (conversationId === null) break;
    const snapshot = await app.bridge.query({ type: 'snapshot', conversationId });
    // Nobody follows it any more, or another conversation.
    if (app.reading !== reading) return;
    app.store.setState({ snapshot });
    await new Promise((done) => setTimeout(done, EVERY));
  }
  reading.busy = false;
}
