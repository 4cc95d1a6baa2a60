// Talking with somebody else than a run: an agent of a package, or the model alone.
import type { Mode, Receipt, Routed } from '../bridge/wire';
import { ask, busyWith, set } from './ask';
import { loadConversations } from './list';
import { openConversation } from './opening';
import type { App } from './store';

/** Begins a conversation with somebody in the open project, and shows it. */
export async function beginTalk(app: App, partner: Mode) {
  const { projectId, busy } = app.store.getState();
  if (!projectId || busy.has('beginTalk')) return;
  set(app, { failure: null });
  const { moves } = app;
  const receipt = await busyWith(app, 'beginTalk', () =>
    ask(app, { type: 'beginConversation', projectId, with: partner, input: null }),
  );
  if (!receipt?.conversationId) return;
  // The person went elsewhere in the meantime: it stands in the list.
  if (app.moves === moves) openConversation(app, receipt.conversationId);
  await loadConversations(app);
}

/** Begins a conversation with the model alone. */
export const newChat = (app: App) => beginTalk(app, { mode: 'chat' });

/** Talks with somebody else in the open conversation from now on. */
export async function talkWith(app: App, partner: Mode) {
  const { conversationId, busy } = app.store.getState();
  if (!conversationId || busy.has('talk')) return;
  set(app, { failure: null, routed: null });
  const command = { type: 'talk', with: partner } as const;
  const receipt = await busyWith(app, 'talk', () =>
    ask(app, { type: 'session', conversationId, command }),
  );
  if (!receipt) return;
  set(app, { turns: app.store.getState().turns + 1 });
  await loadConversations(app);
}

/** What one chooses from where words may mean several things, or the menu was asked for. */
type Rows = Extract<Routed, { kind: 'menu' | 'choice' }>;

const isRows = (routed: Routed): routed is Rows =>
  routed.kind === 'menu' || routed.kind === 'choice';

/** What the program made of words in the conversation: rows to choose from are shown, a run is opened. */
export async function onRouted(app: App, receipt: Receipt, from: string, words: string) {
  const { routed, conversationId } = receipt;
  if (!routed) return;
  const isHere = app.store.getState().conversationId === from;
  if (isRows(routed)) {
    // Nothing was said: what was shown as on its way is not.
    if (isHere) set(app, { echo: null, routed: { kind: routed.kind, rows: routed.items, words } });
    return;
  }
  // Stopped, let go or gone on with: no words of the person come of it.
  if (routed.kind !== 'said' && isHere) set(app, { echo: null });
  if (routed.kind !== 'started' && routed.kind !== 'resumed') return;
  // The run may be one of another conversation.
  if (isHere && conversationId && conversationId !== from) openConversation(app, conversationId);
  await loadConversations(app);
}

/** Closes the rows. Words that were not clear come back to where one writes. */
export function closeRows(app: App) {
  const { routed } = app.store.getState();
  if (!routed) return;
  set(app, {
    routed: null,
    turns: app.store.getState().turns + 1,
    ...(routed.kind === 'choice' ? { toWrite: { words: routed.words } } : {}),
  });
}
