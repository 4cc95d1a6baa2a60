// Conversations beside the one that is open: the list, what a search finds, and what a person does
// with them.
import { asFailure } from '../bridge';
import type { ExportFormat, Language, SearchPage } from '../bridge/wire';
import { busyWith } from './ask';
import { loadConversations } from './list';
import { openConversation } from './opening';
import { type App, fail, unread } from './store';

/** Hits of one conversation in a list of results: it is to show which conversations there are. */
const PER_CONVERSATION = 3;

/** Calls a conversation by another title; an empty one brings the generated title back. */
export async function renameConversation(app: App, conversationId: string, title: string) {
  const result = await app.bridge.submit({ type: 'renameConversation', conversationId, title });
  if (!result.ok) fail(app, result.failure);
  await loadConversations(app);
}

/** Leaves a conversation that is no more: to the newest one, or to the form for a new run. */
function leave(app: App) {
  app.unwatch();
  app.unwatch = () => undefined;
  app.store.setState({ conversationId: null, ...unread });
  const next = app.store.getState().conversations?.[0]?.conversationId;
  if (next) openConversation(app, next);
  else app.store.setState({ startingRun: true });
}

/** Deletes a conversation for good. False when it was refused. */
export async function deleteConversation(app: App, conversationId: string): Promise<boolean> {
  const result = await busyWith(app, 'deleteConversation', () =>
    app.bridge.submit({ type: 'deleteConversation', conversationId }),
  );
  if (!result.ok) {
    fail(app, result.failure);
    return false;
  }
  await loadConversations(app);
  if (app.store.getState().conversationId === conversationId) leave(app);
  return true;
}

/** Deletes every conversation of a project for good. False when it was refused. */
export async function deleteProjectData(app: App, projectId: string): Promise<boolean> {
  const result = await busyWith(app, 'deleteProjectData', () =>
    app.bridge.submit({ type: 'deleteProjectData', projectId }),
  );
  if (!result.ok) {
    fail(app, result.failure);
    return false;
  }
  if (app.store.getState().projectId === projectId) {
    await loadConversations(app);
    leave(app);
  }
  return true;
}

/** A title as the name of a file, on every system. */
export const fileNameOf = (title: string): string =>
  title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|\.+$/g, '')
    .slice(0, 80) || 'conversation';

const ENDINGS: Record<ExportFormat, string> = {
  md: 'md',
  jsonl: 'jsonl',
  'messages.json': 'json',
};

/** Asks where, and writes a conversation there. */
export async function exportConversation(
  app: App,
  conversationId: string,
  title: string,
  format: ExportFormat,
  language: Language,
) {
  const ending = ENDINGS[format];
  const name = format === 'messages.json' ? 'messages.json' : `${fileNameOf(title)}.${ending}`;
  let path: string | null;
  try {
    path = await app.bridge.pickSave(name, ending);
  } catch (thrown) {
    return fail(app, asFailure(thrown));
  }
  if (!path) return;
  const command = { type: 'exportConversation', conversationId, format, path, language } as const;
  const result = await busyWith(app, 'export', () => app.bridge.submit(command));
  if (!result.ok) return fail(app, result.failure);
  app.store.setState({
    saved: {
      words: 'conversations.saved',
      name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1),
    },
  });
}

/** Looks for words in the conversations of the open project; null when that went wrong. */
export async function search(
  app: App,
  text: string,
  before: number | null = null,
): Promise<SearchPage | null> {
  const { projectId } = app.store.getState();
  const result = await app.bridge.query({
    type: 'search',
    text,
    projectId,
    conversationId: null,
    limit: null,
    perConversation: PER_CONVERSATION,
    before,
  });
  if (result.ok) return result.value;
  fail(app, result.failure);
  return null;
}

/** Opens a conversation at one of its items. */
export function openAt(app: App, conversationId: string, itemId: string, seq: number) {
  const { conversationId: here, startingRun } = app.store.getState();
  if (here !== conversationId || startingRun) openConversation(app, conversationId);
  app.store.setState({ jump: { id: itemId, seq, above: 0, why: 'sought' } });
}
