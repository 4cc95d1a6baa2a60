// The list of conversations beside the one that is open.
import { busyWith } from './ask';
import { type App, fail } from './store';

/** Reads which runs of all projects work, and which wait for the person. */
export async function loadActive(app: App) {
  app.asked.active += 1;
  const asked = app.asked.active;
  const result = await app.bridge.query({ type: 'activeConversations' });
  if (asked !== app.asked.active) return;
  if (!result.ok) return fail(app, result.failure);
  app.store.setState({ active: result.value.conversations });
}

/** Reads the active runs, and of the project's list as much as is shown, or its first page. */
export async function loadConversations(app: App) {
  await Promise.all([loadActive(app), loadList(app)]);
}

async function loadList(app: App) {
  const { projectId, conversations } = app.store.getState();
  if (!projectId) return;
  app.asked.list += 1;
  const asked = app.asked.list;
  const limit = Math.min(500, Math.max(50, conversations?.length ?? 0));
  const result = await app.bridge.query({
    type: 'conversations',
    projectId,
    limit,
    after: null,
  });
  // The person may have gone elsewhere in the meantime, or it was asked for again.
  if (app.store.getState().projectId !== projectId || asked !== app.asked.list) return;
  if (!result.ok) return fail(app, result.failure);
  const { conversations: list, next } = result.value;
  app.store.setState({ conversations: list, moreConversations: next });
}

/** Reads the next page of the list. */
export async function loadMoreConversations(app: App) {
  const { projectId, moreConversations: after } = app.store.getState();
  if (!projectId || !after) return;
  const result = await busyWith(app, 'moreConversations', () =>
    app.bridge.query({ type: 'conversations', projectId, limit: null, after }),
  );
  const now = app.store.getState();
  if (now.projectId !== projectId || now.moreConversations !== after) return;
  if (!result.ok) return fail(app, result.failure);
  const known = new Set(now.conversations?.map((c) => c.conversationId));
  const fresh = result.value.conversations.filter((c) => !known.has(c.conversationId));
  app.store.setState({
    conversations: [...(now.conversations ?? []), ...fresh],
    moreConversations: result.value.next,
  });
}
