// What the program refuses, the fake bridge refuses too, with the same codes and details.
import type {
  Command,
  Failure,
  Item,
  PackageReport,
  ProjectView,
  RunSummary,
  Widget,
} from '../wire';
import { badReport } from './data';
import type { Scene } from './pieces';

/** Refuses as the host does: with a failure as a value. */
export function refuse(code: Failure['code'], message: string): never {
  throw { code, message } satisfies Failure;
}

type Question = Item & { body: Extract<Item['body'], { type: 'question' }> };

/** A question that can still be answered. */
export function questionIn({ items }: Scene, messageId: string): Question {
  const item = items.find((i) => i.id === messageId);
  if (item?.body.type !== 'question' || item.body.closed) {
    return refuse('WIDGET_NOT_FOUND', 'no such question waits');
  }
  if (item.body.answer !== undefined) {
    return refuse('WIDGET_ALREADY_SUBMITTED', 'the question was answered before');
  }
  return { ...item, body: item.body };
}

/** Whoever is talked with works: the run, or somebody else. */
const isRunning = ({ status }: Scene) => (status.talk ?? status.run)?.phase === 'running';

/** Words and answers come when whoever is talked with rests. */
export function mustRest(scene: Scene) {
  if (isRunning(scene)) refuse('RUN_BUSY', 'the run is at work');
}

/**
 * A yes to a change that is not shown whole names it when it was opened, or says that it was not, and
 * no other does; a folder has to be offered.
 */
export function refuseUnfit({ type, cut, grant }: Widget, value: unknown, whole?: string) {
  if (type !== 'confirmation') return;
  const given = (value ?? {}) as Record<string, unknown>;
  const { confirmed, unseen, forFolder } = given;
  const opened = given.whole !== undefined && given.whole === whole && unseen === undefined;
  const seen = unseen === undefined && given.whole === undefined;
  const isUnseen = unseen === true && given.whole === undefined;
  const fits = cut && confirmed === true ? opened || isUnseen : seen;
  const offered = forFolder === undefined || (grant !== undefined && !cut);
  if (typeof confirmed === 'boolean' && fits && offered) return;
  const shapes = '{"confirmed": true, "whole": "…"} / {"confirmed": true, "unseen": true}';
  refuse('WIDGET_VALUE_INVALID', `expected ${cut ? shapes : '{"confirmed": true}'}`);
}

/** A call waits for the person to allow it. */
const approvalWaits = ({ items, status }: Scene) =>
  items.some(
    ({ id, body }) =>
      body.type === 'question' &&
      body.change?.callId !== undefined &&
      status.waitingWidgets.includes(id),
  );

/** What works can be stopped, and a call that waits. */
export function mustRun(scene: Scene) {
  if (!isRunning(scene) && !approvalWaits(scene)) refuse('NOT_NOW', 'nothing is running');
}

/** A call that waits for the person goes on by their answer. */
export function mustResume(scene: Scene) {
  mustRest(scene);
  if (approvalWaits(scene)) refuse('NOT_NOW', 'a call waits for an answer');
}

/** A run joins a conversation in which no other is gone on with. */
export function mustHaveNoRun({ status: { run } }: Scene) {
  if (run && run.phase !== 'completed') refuse('NOT_NOW', 'the conversation has a run');
}

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

/** Refuses to install what has errors or was not shown: a file named `exchanged` is another one by now. */
export function installs(
  { path, contentHash }: Extract<Command, { type: 'installPackage' }>,
  shown: PackageReport,
) {
  if (path.includes('broken')) {
    refuse('PACKAGE_INVALID', badReport.findings[0]?.message ?? 'it cannot be used');
  }
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
