import type { Command, Failure, SessionCommand } from '../bridge/wire';
import { ask, busyWith, keep, set } from './ask';
import { forgetDraft } from './drafts';
import { loadConversations } from './list';
import { loadPackages, loadProjects, loadSettings } from './load';
import { openConversation } from './opening';
import { type App, closed, type ModelField, type Panel, type Screen, unread } from './store';
import { onRouted } from './talk';

/** Goes to a screen. */
export function go(app: App, screen: Screen) {
  const { screen: here, behind } = app.store.getState();
  set(app, {
    screen,
    behind: here === 'settings' ? behind : here,
    failure: null,
    ...closed,
  });
  if (screen !== 'start') return;
  app.moves += 1;
  // Nobody looks at the conversation any more; the way back opens it anew.
  app.unwatch();
  app.unwatch = () => undefined;
  set(app, { conversationId: null, ...unread });
  void loadProjects(app);
}

/** Goes to Start and closes whatever is open: one of them may be what cannot be shown. */
export function leave(app: App) {
  set(app, { inspection: null, toInspect: [], projectQuestion: null, saved: null });
  go(app, 'start');
}

/** Shows a list of the sidebar; the one that is shown already gives its place back to the runs. */
export const showPanel = (app: App, panel: Panel, over = false) => {
  const { panel: here, panelOpen, sidebarOver } = app.store.getState();
  const isShown = here === panel && (over ? sidebarOver : panelOpen);
  set(app, {
    panel: isShown ? 'works' : panel,
    ...(over ? { sidebarOver: true } : { panelOpen: true }),
  });
};

/** Shows the files of the open run, below the list of the sidebar. */
export const showFiles = (app: App, over: boolean) =>
  set(app, { filesOpen: true, ...(over ? { sidebarOver: true } : { panelOpen: true }) });

/** Starts a run in the open project. */
export async function startRun(
  app: App,
  choice: Omit<Extract<Command, { type: 'startRun' }>, 'type' | 'projectId'>,
) {
  const { projectId } = app.store.getState();
  if (!projectId) return;
  const receipt = await busyWith(app, 'startRun', () =>
    ask(app, { type: 'startRun', projectId, ...choice }),
  );
  if (!receipt?.conversationId) return;
  forgetDraft(app, { type: 'newRun', projectId });
  openConversation(app, receipt.conversationId);
  await loadConversations(app);
}

/** Shows the form for a new run. */
export function newRun(app: App, packageId: string | null = null) {
  app.moves += 1;
  set(app, { startingRun: true, runPackage: packageId, screen: 'workspace', ...closed });
}

/** Submits what the person says to a conversation; a failure is shown. */
const tell = (app: App, conversationId: string, command: SessionCommand) =>
  ask(app, { type: 'session', conversationId, command });

/** The person has done something in the conversation: what comes of it is at its end. */
export const acted = (app: App) => set(app, { acts: app.store.getState().acts + 1 });

/** Says something. False when it was not taken: the words stay in the composer. */
export async function say(app: App, text: string): Promise<boolean> {
  const { conversationId } = app.store.getState();
  if (!conversationId) return false;
  if (text.trim() === '/compact') return compact(app, false);
  set(app, { echo: text, failure: null, jump: null, routed: null });
  const receipt = await tell(app, conversationId, { type: 'say', text });
  if (receipt) await onRouted(app, receipt, conversationId, text);
  else set(app, { echo: null });
  return receipt !== null;
}

/** Answers a widget that was shown that long. The failure belongs to the widget: it is given back. */
export async function answer(
  app: App,
  messageId: string,
  value: unknown,
  shownMs: number,
): Promise<Failure | null> {
  const { conversationId } = app.store.getState();
  if (!conversationId) return null;
  const command = { type: 'answer', messageId, value, shownMs } as const;
  const result = await app.bridge.submit({ type: 'session', conversationId, command });
  if (!result.ok) return result.failure;
  forgetDraft(app, { type: 'widget', conversationId, messageId });
  acted(app);
  return null;
}

export async function stop(app: App) {
  const { conversationId } = app.store.getState();
  if (conversationId)
    await busyWith(app, 'stop', () => tell(app, conversationId, { type: 'stop' }));
}

export async function resume(app: App) {
  const { conversationId, busy } = app.store.getState();
  if (!conversationId || busy.has('resume')) return;
  set(app, { failure: null });
  await busyWith(app, 'resume', () => tell(app, conversationId, { type: 'resume' }));
}

/** Makes the conversation shorter for its model. True when that was done. */
export async function compact(app: App, hard: boolean): Promise<boolean> {
  const { conversationId, busy } = app.store.getState();
  if (!conversationId || busy.has('compact')) return false;
  set(app, { failure: null });
  const command = { type: 'compact', hard } as const;
  const receipt = await busyWith(app, 'compact', () => tell(app, conversationId, command));
  return receipt !== null;
}

/** Lets the run go on from its state document alone. True when that was done. */
export async function startAfresh(app: App): Promise<boolean> {
  const { conversationId, busy } = app.store.getState();
  if (!conversationId || busy.has('compact')) return false;
  set(app, { failure: null });
  const command = { type: 'startAfresh' } as const;
  const receipt = await busyWith(app, 'compact', () => tell(app, conversationId, command));
  return receipt !== null;
}

/** Lets the words stand that were not accepted. */
export async function acceptAnyway(app: App, messageId: string) {
  const { conversationId, busy } = app.store.getState();
  if (!conversationId || busy.has('acceptAnyway')) return;
  set(app, { failure: null });
  await busyWith(app, 'acceptAnyway', () =>
    tell(app, conversationId, { type: 'acceptAnyway', messageId }),
  );
}

/** Ends the run where it stands. The failure belongs to the dialog: it is given back. */
export async function endRun(app: App, reason: string): Promise<Failure | null> {
  const { conversationId, busy } = app.store.getState();
  if (!conversationId || busy.has('endRun')) return null;
  const command = { type: 'endRun', reason: reason.trim() || null } as const;
  const result = await busyWith(app, 'endRun', () =>
    app.bridge.submit({ type: 'session', conversationId, command }),
  );
  return result.ok ? null : result.failure;
}

/** Takes the approval of a folder back. */
export async function revokeApproval(app: App, changeId: string) {
  const { conversationId } = app.store.getState();
  if (!conversationId) return;
  await busyWith(app, `revoke-${changeId}`, () =>
    tell(app, conversationId, { type: 'revokeApproval', changeId }),
  );
}

const modelChanged = (app: App) => set(app, { modelChangedAt: new Date().toISOString() });

/** Merges a part into the settings. The failure belongs to the field, so it is given back. */
export async function configure(app: App, patch: unknown): Promise<Failure | null> {
  const result = await app.bridge.submit({ type: 'configure', patch });
  if (!result.ok) return result.failure;
  if (typeof patch === 'object' && patch && 'model' in patch) modelChanged(app);
  await loadSettings(app);
  return null;
}

/** Keeps the model's key; an empty text forgets it. */
export async function storeApiKey(app: App, key: string): Promise<Failure | null> {
  const result = await app.bridge.submit({ type: 'storeApiKey', key });
  if (!result.ok) return result.failure;
  modelChanged(app);
  await loadSettings(app);
  return null;
}

/** Lets the person choose a package and shows what it holds. */
export async function pickAndInspect(app: App) {
  const path = await app.bridge.pickPackage();
  if (path) await inspect(app, path);
}

/** The same with a folder in which a package is written: what changes there is looked at again. */
export async function pickFolderAndInspect(app: App) {
  const path = await app.bridge.pickPackageFolder();
  if (path) await inspect(app, path);
}

/** Shows what a package file or folder holds. */
export async function inspect(app: App, path: string) {
  // What is being installed is what was seen.
  if (app.store.getState().busy.has('install')) return;
  const shown = { path, report: null, failure: null };
  set(app, { inspection: shown });
  const result = await app.bridge.query({ type: 'inspectPackage', path });
  // Meanwhile it may have been closed, and opened again.
  if (app.store.getState().inspection !== shown) return;
  const found = result.ok ? { report: result.value } : { failure: result.failure };
  set(app, { inspection: { ...shown, ...found } });
}

/** Shows the report of an installed package. */
export async function showPackage(app: App, packageId: string) {
  const result = await app.bridge.query({ type: 'package', packageId });
  keep(app, result, (report) => ({ inspection: { path: null, report, failure: null } }));
}

/** Shows package files, one after another: the next one when the one before is closed. */
export function inspectEach(app: App, paths: readonly string[]) {
  const { inspection, toInspect } = app.store.getState();
  const known = new Set([inspection?.path, ...toInspect]);
  set(app, { toInspect: [...toInspect, ...paths.filter((path) => !known.has(path))] });
  if (!inspection) inspectNext(app);
}

function inspectNext(app: App) {
  const [next, ...rest] = app.store.getState().toInspect;
  if (!next) return;
  set(app, { toInspect: rest });
  void inspect(app, next);
}

/** Closes the package that is shown, unless it is being installed; another one may wait. */
export async function closeInspection(app: App) {
  const { busy, inspection } = app.store.getState();
  if (busy.has('install')) return;
  const { path, report, failure } = inspection ?? {};
  set(app, { inspection: null });
  // Before the next one begins, which may be the same.
  if (path && !report && !failure) await stopReading(app, path, false);
  if (!app.store.getState().inspection) inspectNext(app);
}

/** Ends the looking at a package, or its install: what was written of it goes. */
export const stopReading = (app: App, path: string, installs: boolean) =>
  app.bridge.submit({ type: 'stopPackageReading', path, installs });

/** Installs what is being inspected. */
export async function installInspected(app: App) {
  const { inspection } = app.store.getState();
  if (!inspection?.path || !inspection.report) return;
  const { path, report } = inspection;
  const { contentHash } = report;
  const result = await busyWith(app, 'install', () =>
    app.bridge.submit({ type: 'installPackage', path, contentHash }),
  );
  if (!result.ok) {
    // Who stops it sees the package as before.
    if (result.failure.code === 'PACKAGE_READING_STOPPED') return;
    set(app, { inspection: { ...inspection, failure: result.failure } });
    return;
  }
  const name = report.manifest?.name ?? '';
  set(app, {
    panel: 'packages',
    panelOpen: true,
    saved: { words: 'packages.installed', name, packageId: result.value.packageId },
  });
  await closeInspection(app);
  await loadPackages(app);
}

/** In a demo: the person's own model answers from now on. What waits for a model goes on. */
export async function useOwnModel(app: App, waits: boolean) {
  const { conversationId } = app.store.getState();
  if (!conversationId) return;
  const took = await busyWith(app, 'useModel', () =>
    tell(app, conversationId, { type: 'useModel' }),
  );
  if (took && waits) await resume(app);
}

/** Opens the settings at a field of the model. */
export function goToModel(app: App, field: ModelField) {
  set(app, { settingsField: field });
  go(app, 'settings');
}
