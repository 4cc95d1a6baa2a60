// Removing packages. A package that runs need stays, and so the runs are named.

import { deleteConversation } from './conversations';
import { loadPackages, loadProjects } from './load';
import { type App, fail } from './store';

/** A run that needs a package: why the package cannot be removed. */
export interface UsingRun {
  runId: string;
  conversationId: string;
  title: string;
  projectName: string;
}

/** Removes a package. The runs that need it when there are some: then nothing was removed. */
export async function removePackage(app: App, packageId: string): Promise<UsingRun[]> {
  const result = await app.bridge.submit({ type: 'removePackage', packageId });
  if (result.ok) {
    await loadPackages(app);
    return [];
  }
  const { code, details } = result.failure;
  const runs = code === 'PACKAGE_IN_USE' && (details as { runs?: UsingRun[] } | undefined)?.runs;
  if (runs) return runs;
  fail(app, result.failure);
  return [];
}

/** Deletes the runs that need a package, then removes it. Stops at the first that is at work. */
export async function removeWithRuns(
  app: App,
  packageId: string,
  runs: readonly UsingRun[],
): Promise<UsingRun[]> {
  for (const conversationId of new Set(runs.map((run) => run.conversationId))) {
    if (!(await deleteConversation(app, conversationId))) return [];
  }
  const left = await removePackage(app, packageId);
  await loadProjects(app);
  return left;
}
