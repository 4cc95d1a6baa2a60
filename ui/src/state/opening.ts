// The conversation that is open: followed from its newest page, and read back page by page.
import type { Frame } from '../bridge/wire';
import { busyWith, keep, set } from './ask';
import { loadConversations } from './list';
import { prepend, reduce } from './reduce';
import { readAgain } from './snapshot';
import { type App, closed, fail, unread } from './store';

function onFrames(app: App, frames: Frame[]) {
  const before = app.store.getState();
  const conversation = reduce(before.conversation, frames);
  const said = frames.some(
    (f) =>
      f.type === 'snapshot' ||
      (f.type === 'upsert' && f.item.body.type === 'message' && f.item.body.by === 'user'),
  );
  set(app, { conversation, ...(said ? { echo: null } : {}) });
  const was = before.conversation.status?.run;
  const is = conversation.status?.run;
  // The lists beside the conversation are answers to queries: read them again when the run moves.
  if (is && (is.phase !== was?.phase || is.reason !== was.reason)) void loadConversations(app);
  readAgain(app, before.conversation, conversation, frames);
}

/** Follows a conversation and shows it. */
export function openConversation(app: App, conversationId: string) {
  app.unwatch();
  app.moves += 1;
  const spot = app.readAt.get(conversationId);
  set(app, {
    conversationId,
    ...unread,
    echo: null,
    jump: spot ? { ...spot, why: 'read' } : null,
    startingRun: false,
    ...closed,
    naming: null,
    failure: null,
    turns: app.store.getState().turns + 1,
  });
  app.unwatch = app.bridge.watch(
    conversationId,
    (frames) => onFrames(app, frames),
    (failure) => fail(app, failure),
  );
}

/** Reads the page before what is shown, and shows it. */
export async function showEarlier(app: App) {
  const { conversationId, conversation, busy } = app.store.getState();
  const before = conversation.earlier;
  if (!conversationId || before === null || busy.has('showEarlier')) return;
  const result = await busyWith(app, 'showEarlier', () =>
    app.bridge.query({ type: 'items', conversationId, before }),
  );
  // The person may have gone to another conversation in the meantime.
  if (app.store.getState().conversationId !== conversationId) return;
  keep(app, result, (page) => {
    const { conversation, openSteps } = app.store.getState();
    // What is read stays open when the page brings the beginning of its step.
    const step = page.items.findLast(({ body }) => body.type === 'step');
    const isHeadless = conversation.items[0]?.body.type !== 'step';
    return {
      conversation: prepend(conversation, before, page),
      openSteps: step && isHeadless ? new Set(openSteps).add(step.id) : openSteps,
    };
  });
}
