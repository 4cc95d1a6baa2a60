// A file of the run's project that the person opened: read when it is opened, and again when
// something may have changed it.
import type { Failure, OpenIn } from '../bridge/wire';
import { ask, busyWith, set } from './ask';
import type { App, View } from './store';

/** The conversation whose run has the files: that of a sub-agent has those of who asked for it. */
export const runOf = ({ task, conversationId }: View) => task?.parent ?? conversationId;

/** What lies right in a folder. */
export function readFolder(app: App, path: string) {
  const conversationId = runOf(app.store.getState()) ?? '';
  return app.bridge.query({ type: 'folder', conversationId, path });
}

/** Mentions a file in what the person writes. A file that lies over that goes. */
export function mention(app: App, path: string, beside: boolean) {
  const { file } = app.store.getState();
  set(app, {
    toWrite: { path },
    file: beside ? file : null,
    startingRun: false,
    sidebarOver: false,
  });
}

/** Opens a file over the conversation. */
export async function openFile(app: App, path: string) {
  if (runOf(app.store.getState()) === null) return;
  // In a narrow window the list lies over what is opened.
  set(app, {
    file: { path, view: null },
    drawerOpen: false,
    sidebarOver: false,
    startingRun: false,
  });
  await readFile(app);
}

/** Reads the open file again. What is shown stays until it is there. */
export async function readFile(app: App) {
  const before = app.store.getState();
  const conversationId = runOf(before);
  if (conversationId === null || before.file === null) return;
  const { path } = before.file;
  const view = await app.bridge.query({ type: 'file', conversationId, path });
  const now = app.store.getState();
  // Another one was opened meanwhile.
  if (runOf(now) !== conversationId || now.file?.path !== path) return;
  set(app, { file: { path, view } });
}

/** Opens the open file in another program, or shows where it lies. */
export async function openOutside(app: App, openIn: OpenIn) {
  const view = app.store.getState();
  const conversationId = runOf(view);
  if (conversationId === null || view.file === null || view.busy.has('outside')) return;
  const { path } = view.file;
  await busyWith(app, 'outside', () =>
    ask(app, { type: 'openOutside', conversationId, path, openIn }),
  );
}

/** Makes a file again what it was before the run. The failure belongs to the dialog. */
export async function putBack(
  app: App,
  path: string,
  sha256: string | null,
): Promise<Failure | null> {
  const view = app.store.getState();
  const conversationId = runOf(view);
  if (conversationId === null || view.busy.has('putBack')) return null;
  const command = { type: 'putBack', path, sha256 } as const;
  const result = await busyWith(app, 'putBack', () =>
    app.bridge.submit({ type: 'session', conversationId, command }),
  );
  await readFile(app);
  return result.ok ? null : result.failure;
}

export const closeFile = (app: App) => set(app, { file: null });
