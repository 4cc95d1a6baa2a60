// Conversations beside the one that is open: the list, what a search finds, and what a person does
// with them.
import { asFailure } from '../bridge';
import type {
  Command,
  ConversationRun,
  ExportFormat,
  Language,
  SearchPage,
  SearchQuery,
} from '../bridge/wire';
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
  // Nothing of it stays in the memory, either.
  app.ahead = null;
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
  app.ahead = null;
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

/** Asks where, has it written there, and says so. */
export async function save(app: App, name: string, ending: string, to: (path: string) => Command) {
  if (app.store.getState().busy.has('save')) return;
  const saved = await busyWith(app, 'save', async () => {
    try {
      const path = await app.bridge.pickSave(name, ending);
      return path && { path, result: await app.bridge.submit(to(path)) };
    } catch (thrown) {
      fail(app, asFailure(thrown));
      return null;
    }
  });
  if (!saved) return;
  const { path, result } = saved;
  if (!result.ok) return fail(app, result.failure);
  app.store.setState({
    saved: {
      words: 'conversations.saved',
      name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1),
    },
  });
}

/** Writes a conversation to where the person says. */
export function exportConversation(
  app: App,
  conversationId: string,
  title: string,
  format: ExportFormat,
  language: Language,
) {
  const ending = ENDINGS[format];
  const name = format === 'messages.json' ? 'messages.json' : `${fileNameOf(title)}.${ending}`;
  return save(app, name, ending, (path) => ({
    type: 'exportConversation',
    conversationId,
    format,
    path,
    language,
  }));
}

/** Writes a run, with all that is needed to play it again, to where the person says. */
export const exportRun = (app: App, { runId }: ConversationRun, title: string) =>
  save(app, `${fileNameOf(title)}.crewrun`, 'crewrun', (path) => ({
    type: 'exportRun',
    runId,
    path,
    // The system's dialog has asked.
    replace: true,
  }));

async function found(app: App, wanted: SearchQuery): Promise<SearchPage | null> {
  const result = await app.bridge.query({ type: 'search', ...wanted });
  if (result.ok) return result.value;
  fail(app, result.failure);
  return null;
}

/** Looks for words in the conversations of the open project; null when that went wrong. */
export const search = (app: App, text: string, before: number | null = null) =>
  found(app, {
    text,
    projectId: app.store.getState().projectId,
    conversationId: null,
    limit: null,
    perConversation: PER_CONVERSATION,
    before,
  });

/** Looks for all places of the words in one conversation, page by page; null when that went wrong. */
export const searchIn = (app: App, conversationId: string, text: string, before: number | null) =>
  found(app, { text, projectId: null, conversationId, limit: null, perConversation: null, before });

/** Opens a conversation at one of its items. */
export function openAt(app: App, conversationId: string, itemId: string, seq: number) {
  const { conversationId: here, startingRun } = app.store.getState();
  if (here !== conversationId || startingRun) openConversation(app, conversationId);
  app.store.setState({ jump: { id: itemId, seq, above: 0, why: 'sought' } });
}
