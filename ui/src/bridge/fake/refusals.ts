// What the program refuses, the fake bridge refuses too, with the same codes and details.
import type { Command, Failure, PackageReport, ProjectView, RunSummary } from '../wire';

/** The project of a folder. One with the project id of another folder is refused. */
export function openedFolder(projects: readonly ProjectView[], path: string): string {
  const known = projects.find((p) => p.location === path);
  const elsewhere = projects.find((p) => p.exists === path.endsWith(' copy'));
  if (!known && elsewhere && / (copy|moved)$/.test(path)) {
    const { projectId, name, exists: there } = elsewhere;
    throw {
      code: 'PROJECT_COPIED',
      message: there
        ? `the project \`${name}\` is known in another folder that is there`
        : `the project \`${name}\` was last opened in another folder, and is not found there now`,
      details: { projectId, name, there },
    } satisfies Failure;
  }
  return known?.projectId ?? 'p-notes';
}

/** The projects after one was found again. A folder of no project is refused until it is adopted. */
export function rebound(
  projects: readonly ProjectView[],
  { projectId, path, adopt }: Extract<Command, { type: 'rebindProject' }>,
): ProjectView[] {
  const name = projects.find((p) => p.projectId === projectId)?.name ?? '';
  if (!adopt) {
    throw {
      code: 'PROJECT_MISMATCH',
      message: `the folder belongs to no project, so not to \`${name}\``,
      details: { found: 'none', projectId, name },
    } satisfies Failure;
  }
  return projects.map((p) =>
    p.projectId === projectId ? { ...p, exists: true, location: path } : p,
  );
}

/** Refuses to install what was not shown: a file named `exchanged` is another one by now. */
export function installs(
  { path, contentHash }: Extract<Command, { type: 'installPackage' }>,
  shown: PackageReport,
) {
  const isShown = contentHash === shown.contentHash && !path.includes('exchanged');
  if (contentHash === null || isShown) return;
  throw {
    code: 'PACKAGE_CHANGED',
    message: 'it changed after it was shown, so nothing was installed',
  } satisfies Failure;
}

/** Refuses to remove a package that runs need. */
export function inUse(
  runs: readonly RunSummary[],
  projects: readonly ProjectView[],
  packageId: string,
) {
  const using = runs.filter((run) => run.packageId === packageId);
  if (using.length === 0) return;
  throw {
    code: 'PACKAGE_IN_USE',
    message: `the package \`${packageId}\` belongs to ${using.length} runs`,
    details: {
      runs: using.map(({ runId, conversationId, projectId, title, phase }) => ({
        runId,
        conversationId,
        projectId,
        projectName: projects.find((p) => p.projectId === projectId)?.name ?? '',
        title,
        phase,
      })),
    },
  } satisfies Failure;
}
