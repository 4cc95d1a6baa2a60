// Folders that are opened as projects, and the way to a conversation of any of them.
import type { Command, Copied, Failure } from '../bridge/wire';
import { resolveLanguage } from '../i18n';
import { ask, busyWith, set } from './ask';
import { loadHooks } from './hooks';
import { loadConversations } from './list';
import { loadPackages, loadProjects } from './load';
import { openConversation } from './opening';
import { type App, closed, fail, type ProjectQuestion, unread } from './store';

/** Opens a folder as a project and shows it. */
export const openProject = (app: App, path: string, create = false): Promise<boolean> =>
  enterWith(app, path, { type: 'openProject', path, create });

/** Opens a folder that has another one's project id, as what the person says it is. */
export function openCopied(app: App, path: string, copied: Copied): Promise<boolean> {
  const wanted = app.store.getState().projectQuestion?.conversationId;
  return enterWith(app, path, { type: 'openCopiedProject', path, copied }, wanted);
}

/** Says where the folder of a project is now, and shows it. */
export const rebindProject = (
  app: App,
  projectId: string,
  path: string,
  adopt = false,
): Promise<boolean> => enterWith(app, path, { type: 'rebindProject', projectId, path, adopt });

/** Opens a folder; where it is not clear what the folder is, the person is asked. */
async function enterWith(
  app: App,
  path: string,
  command: Command,
  conversationId?: string,
  projectWanted?: string,
): Promise<boolean> {
  set(app, { projectQuestion: null });
  app.moves += 1;
  const { moves } = app;
  const result = await busyWith(app, 'openProject', () => app.bridge.submit(command));
  // The person wanted something else in the meantime.
  if (app.moves !== moves) return false;
  if (!result.ok) {
    const question = questionAbout(path, result.failure);
    if (question) set(app, { projectQuestion: { ...question, conversationId } });
    else {
      fail(app, result.failure);
      // A folder that went since the list was read is offered to be found.
      if (result.failure.code === 'PROJECT_ROOT_INVALID') await loadProjects(app);
    }
    return false;
  }
  const { projectId } = result.value;
  if (!projectId) return false;
  // Another project lies in the folder by now: that is shown, and what is not in it is not.
  const isOther = projectWanted !== undefined && projectWanted !== projectId;
  await enterProject(app, projectId, isOther ? undefined : conversationId);
  return true;
}

function questionAbout(
  path: string,
  failure: Failure,
): Omit<ProjectQuestion, 'conversationId'> | null {
  const kinds: Partial<Record<Failure['code'], ProjectQuestion['kind']>> = {
    PROJECT_COPIED: 'copied',
    PROJECT_MISMATCH: 'mismatch',
  };
  const kind = kinds[failure.code];
  return kind ? { kind, path, details: failure.details as ProjectQuestion['details'] } : null;
}

/** Lets the person show where a project's folder is now. */
export async function pickAndRebind(app: App, projectId: string) {
  const path = await app.bridge.pickFolder();
  if (path) await rebindProject(app, projectId, path);
}

/** Shows a project and the newest of its runs. */
export async function enterProject(app: App, projectId: string, conversationId?: string) {
  app.unwatch();
  app.moves += 1;
  const { moves } = app;
  set(app, {
    screen: 'workspace',
    projectId,
    conversations: null,
    moreConversations: null,
    conversationId: null,
    hooks: null,
    servers: null,
    ...unread,
    ...closed,
    panel: 'works',
    searchText: null,
    startingRun: false,
    failure: null,
  });
  await Promise.all([loadProjects(app), loadConversations(app), loadPackages(app), loadHooks(app)]);
  // The person went elsewhere in the meantime: to another run, or to the form for a new one.
  if (app.moves !== moves) return;
  const newest = conversationId ?? app.store.getState().conversations?.[0]?.conversationId;
  if (newest) openConversation(app, newest);
  else set(app, { startingRun: true });
}

/** Shows a conversation of any project; that of another one is opened with it. */
export async function goToConversation(
  app: App,
  projectId: string,
  conversationId: string,
  location?: string,
) {
  const { projectId: here, projects, screen } = app.store.getState();
  if (here === projectId && screen === 'workspace') return openConversation(app, conversationId);
  const project = projects?.find((one) => one.projectId === projectId);
  const path = project?.location ?? location;
  if (path === undefined) return;
  await enterWith(
    app,
    path,
    { type: 'openProject', path, create: false },
    conversationId,
    projectId,
  );
}

/** Lets the person choose a folder and opens it. */
export async function pickAndOpenProject(app: App) {
  const path = await app.bridge.pickFolder();
  if (path) await openProject(app, path);
}

export async function forgetProject(app: App, projectId: string) {
  if (await ask(app, { type: 'forgetProject', projectId })) await loadProjects(app);
}

/** Plays the bundled demo and shows it. */
export async function playDemo(app: App) {
  const { settings } = app.store.getState();
  const chosen = settings?.settings.appearance.language ?? 'system';
  // The whole package is in the reader's language: its steps, its people and what they write.
  const chinese = resolveLanguage(chosen, navigator.languages) === 'zh';
  const receipt = await busyWith(app, 'playDemo', () =>
    ask(app, { type: 'playDemo', path: null, package: chinese ? 'plan-a-project-zh' : null }),
  );
  if (receipt?.projectId) await enterProject(app, receipt.projectId, receipt.conversationId);
}
