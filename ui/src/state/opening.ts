// The conversation that is open: followed from its newest page, and read back page by page. The one
// that may be opened next is read ahead.
import type { Failure, Frame } from '../bridge/wire';
import { busyWith, keep, set } from './ask';
import { loadConversations } from './list';
import { nothing, prepend, reduce } from './reduce';
import { summaryOf } from './select';
import { readAgain } from './snapshot';
import { type Standing, standingOf } from './standing';
import { type App, closed, fail, unread, type View } from './store';

function onFrames(app: App, frames: Frame[]) {
  const before = app.store.getState();
  // What was read ahead is shown, and has told nobody anything.
  const told = before.isAhead ? nothing : before.conversation;
  const conversation = reduce(before.conversation, frames);
  const said = frames.some(
    (f) =>
      f.type === 'snapshot' ||
      (f.type === 'upsert' && f.item.body.type === 'message' && f.item.body.by === 'user'),
  );
  set(app, { conversation, isAhead: false, ...(said ? { echo: null } : {}) });
  const is = standingOf(conversation.status);
  const was = standingOf(told.status) ?? listed(before, conversation.status?.run?.runId);
  // The lists beside the conversation are answers to queries: read them again when it is another's move.
  if (is && (is.phase !== was?.phase || is.reason !== was.reason)) void loadConversations(app);
  readAgain(app, told, conversation, frames);
}

/** How the open conversation, or that run of it, stands in the lists. */
function listed(view: View, runId: string | undefined): Standing | undefined {
  const summary = summaryOf(view, view.conversationId);
  return summary?.talk ?? summary?.runs.find((run) => run.runId === runId);
}

/** How long what was read ahead can be shown, in milliseconds: what came since is there right after. */
const FRESH = 10_000;

/** What was read ahead of a conversation, as long as it can be shown. */
function readAheadOf({ ahead }: App, conversationId: string) {
  if (ahead?.conversationId !== conversationId) return null;
  return performance.now() - ahead.at < FRESH ? ahead : null;
}

/** Reads what a conversation begins with, as it may be opened next: then it is there at once. */
export async function readAhead(app: App, conversationId: string) {
  const isOpen = app.store.getState().conversationId === conversationId;
  if (isOpen || readAheadOf(app, conversationId)) return;
  const ahead: App['ahead'] = { conversationId, at: performance.now(), opening: null };
  app.ahead = ahead;
  const answer = await app.bridge.query({ type: 'opening', conversationId });
  if (answer.ok) ahead.opening = answer.value;
  // What goes wrong is told when it is opened.
  else if (app.ahead === ahead) app.ahead = null;
}

/** What a conversation can be shown with until the first frame comes. */
function takeAhead(app: App, conversationId: string): Pick<View, 'conversation' | 'isAhead'> {
  const opening = readAheadOf(app, conversationId)?.opening;
  app.ahead = null;
  if (!opening) return { conversation: nothing, isAhead: false };
  return { conversation: reduce(nothing, [opening]), isAhead: true };
}

/** Says why a conversation cannot be followed. What was read ahead is not shown as if it were. */
function notFollowed(app: App, failure: Failure) {
  if (app.store.getState().isAhead) set(app, { conversation: nothing, isAhead: false });
  fail(app, failure);
}

/** Follows a conversation and shows it. */
export function openConversation(app: App, conversationId: string) {
  app.unwatch();
  app.moves += 1;
  const spot = app.readAt.get(conversationId);
  set(app, {
    conversationId,
    ...unread,
    ...takeAhead(app, conversationId),
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
    (failure) => notFollowed(app, failure),
  );
}

/** Reads the page before what is shown, and shows it. */
export async function showEarlier(app: App) {
  const { conversationId, conversation, isAhead, busy } = app.store.getState();
  const before = conversation.earlier;
  if (!conversationId || before === null || isAhead || busy.has('showEarlier')) return;
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
