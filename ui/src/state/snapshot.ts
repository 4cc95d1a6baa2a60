// What is known of a run beside its conversation, read while somebody looks. For the snapshot the
// program reads and compares every file of the run: it is asked one question at a time, and not anew
// for every call.
import type { Frame, Item, NoticeKind, TodoSummary } from '../bridge/wire';
import type { Conversation } from './reduce';
import type { App, Followed, Reading, View } from './store';

type CallBody = Extract<Item['body'], { type: 'call' }>;

/** How often each is read at most, in milliseconds. */
const EVERY = 500;

const ask: Record<Followed, (app: App, conversationId: string) => Promise<Partial<View>>> = {
  snapshot: async ({ bridge }, conversationId) => ({
    snapshot: await bridge.query({ type: 'snapshot', conversationId }),
  }),
  evidence: async ({ bridge }, conversationId) => ({
    evidence: await bridge.query({ type: 'evidence', conversationId }),
  }),
  todos: async ({ bridge }, conversationId) => ({
    todos: await bridge.query({ type: 'todos', conversationId }),
  }),
};

/** Follows one of them for the open conversation's run. Returns the way to stop. */
export function follow(app: App, what: Followed): () => void {
  const { conversationId } = app.store.getState();
  const known = app.reading[what];
  const reading =
    known?.conversationId === conversationId
      ? known
      : { conversationId, followers: 0, wanted: false, busy: false };
  reading.followers += 1;
  app.reading[what] = reading;
  want(app, what);
  return () => {
    reading.followers -= 1;
    if (reading.followers === 0 && app.reading[what] === reading) delete app.reading[what];
  };
}

/** Reads it again, when somebody follows it. */
export function want(app: App, what: Followed) {
  const reading = app.reading[what];
  if (!reading) return;
  reading.wanted = true;
  if (!reading.busy) void read(app, what, reading);
}

async function read(app: App, what: Followed, reading: Reading) {
  reading.busy = true;
  while (reading.wanted && app.reading[what] === reading) {
    reading.wanted = false;
    const { conversationId } = app.store.getState();
    if (conversationId === null) break;
    const part = await ask[what](app, conversationId);
    // Nobody follows it any more, or another conversation.
    if (app.reading[what] !== reading) break;
    if (app.store.getState().conversationId !== conversationId) break;
    app.store.setState(part);
    await new Promise((done) => setTimeout(done, EVERY));
  }
  reading.busy = false;
}

const hasEnded = ({ state }: CallBody) => state !== 'waiting' && state !== 'running';

/** A call that may have changed a file, or proves something that was missing. */
const mayProve = ({ class: kind, result }: CallBody) =>
  kind.startsWith('write') ||
  (typeof result === 'object' && result !== null && 'verification' in result);

/** Notices that say of files that they are others by now. */
const ofFiles: readonly NoticeKind[] = ['foreign_change', 'put_back', 'not_put_back', 'went_back'];

/** A judgement, what a command found, or that files were changed by others or put back. */
const isNews = (body: Item['body']) =>
  body.type === 'decision' ||
  body.type === 'hook' ||
  (body.type === 'notice' && ofFiles.includes(body.kind));

/** A judgement, or a question that was answered. */
const isJudged = (body: Item['body']) =>
  body.type === 'decision' || (body.type === 'question' && body.answer !== undefined);

const isSame = (one: TodoSummary, other: TodoSummary | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

/** Reads again what these frames, which led from one to the other, may have changed. */
export function readAgain(
  app: App,
  { status: was }: Conversation,
  { status: is }: Conversation,
  frames: readonly Frame[],
) {
  if (!is?.run) return;
  const bodies = frames.flatMap((frame) => (frame.type === 'upsert' ? [frame.item.body] : []));
  const calls = bodies.filter((body) => body.type === 'call').filter(hasEnded);
  const others = is.run.runId !== was?.run?.runId || !isSame(is.todos, was?.todos);
  if (others) want(app, 'todos');
  const moved = is.run.phase !== was?.run?.phase || is.talk?.phase !== was?.talk?.phase;
  // Todos are a part of what is open.
  if (others || moved || bodies.some(isNews) || calls.some(mayProve)) want(app, 'snapshot');
  // A judgement, or an answer, is followed by what the run goes on with.
  if (moved || bodies.some(isJudged)) want(app, 'evidence');
}
