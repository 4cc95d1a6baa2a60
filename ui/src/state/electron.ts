// The store of an older program, to be taken over.
import type { Result } from '../bridge';
import type { ImportReport } from '../bridge/wire';
import { loadEverything } from './load';
import type { App } from './store';

/** What importing an older program's store would do. The failure belongs to the form. */
export const inspectElectron = (
  app: App,
  path: string,
  withKeys: boolean,
): Promise<Result<ImportReport>> => app.bridge.query({ type: 'inspectElectron', path, withKeys });

/** Takes it over, and reads again what it may have changed. */
export async function importElectron(
  app: App,
  path: string,
  withKeys: boolean,
): Promise<Result<ImportReport>> {
  const result = await app.bridge.submit({ type: 'importElectron', path, withKeys });
  if (!result.ok) return result;
  await loadEverything(app);
  const report = result.value.import;
  if (report) return { ok: true, value: report };
  return { ok: false, failure: { code: 'E_INTERNAL', message: 'The import gave no report.' } };
}
