// The commands of the open project: read when it is opened, and trusted by the person.
import type { Failure } from '../bridge/wire';
import { busyWith, set } from './ask';
import type { App } from './store';

/** Reads them; one that cannot be read has none to show. */
export async function loadHooks(app: App) {
  const { projectId } = app.store.getState();
  if (!projectId) return;
  const result = await app.bridge.query({ type: 'hooks', projectId });
  if (app.store.getState().projectId === projectId) {
    set(app, { hooks: result.ok ? result.value : null });
  }
}

/** Trusts commands as they were shown, or trusts them no more; why not, when that is refused. */
export async function trustHooks(
  app: App,
  hooks: readonly string[],
  trusted: boolean,
): Promise<Failure | null> {
  const { projectId } = app.store.getState();
  if (!projectId) return null;
  return busyWith(app, 'hooks', async () => {
    const shown = [...hooks];
    const result = await app.bridge.submit({
      type: 'trustHooks',
      projectId,
      hooks: shown,
      trusted,
    });
    await loadHooks(app);
    return result.ok ? null : result.failure;
  });
}
