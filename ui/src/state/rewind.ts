// Taking a run back to a step: what would become of it is shown first, and exactly that happens.
import type { Failure, Item, SessionCommand, StepView, UndoableRewind } from '../bridge/wire';
import { busyWith, set } from './ask';
import { isReached } from './nesting';
import { showEarlier } from './opening';
import { phaseOf } from './select';
import { type App, fail, type View } from './store';

type Asked = Extract<SessionCommand, { type: 'rewind' }>;

/** What the person chose of it. */
export type RewindChoice = Pick<Asked, 'nodeId' | 'undo'> &
  Required<Pick<Asked, 'keepFiles' | 'overwrite'>>;

/** Whether the open run can be taken back to a step: to one that it has come to, while it rests. */
export function canGoBack(
  { conversation, task }: Pick<View, 'conversation' | 'task'>,
  step: Pick<StepView, 'status'> | undefined,
): boolean {
  const phase = phaseOf(conversation);
  // Whoever talks with somebody else turns to the run first.
  if (!step || task || conversation.status?.talk) return false;
  if (phase === null || phase === 'running') return false;
  return isReached(step);
}

/** Shows what it would mean to go back to a step. Words are put where one writes, once it is done. */
export const askToGoBack = (app: App, nodeId: string, words: string | null = null) =>
  set(app, { rewind: { nodeId, words } });

/** The last time that the run was taken back, while that can be undone: it rests, and did nothing since. */
const undoable = (view: Pick<View, 'conversation' | 'task'>): UndoableRewind | undefined =>
  canGoBack(view, { status: 'current' }) ? view.conversation.status?.undo : undefined;

/** Something that tells that the run was taken back: the person did it, or the model. */
const tellsOfIt = ({ body }: Item): boolean =>
  body.type === 'notice'
    ? body.kind === 'went_back'
    : body.type === 'call' && body.tool === 'workflow.rewind' && body.state === 'done';

/** Whether an item is what tells of the last time, and that can be undone. */
export const canUndoAt = (view: Pick<View, 'conversation' | 'task'>, itemId: string): boolean =>
  undoable(view) !== undefined && view.conversation.items.findLast(tellsOfIt)?.id === itemId;

/** Shows what it would mean to undo it. */
export function askToUndo(app: App) {
  const undo = undoable(app.store.getState());
  if (undo) set(app, { rewind: { nodeId: undo.nodeId, words: null, undone: undo.title } });
}

/** The step to which an item belongs: the newest that the run had come to by then. */
function stepOf({ conversation: { items } }: View, itemId: string): string | null {
  const at = items.findIndex(({ id }) => id === itemId);
  const step = items.findLast(({ body }, n) => n < at && body.type === 'step')?.body;
  return step?.type === 'step' ? step.node : null;
}

/** Shows what it would mean to go back to where words were said, to change them and say them again. */
export async function sayAgain(app: App, itemId: string, words: string) {
  for (;;) {
    const view = app.store.getState();
    if (phaseOf(view.conversation) === 'running') return;
    const node = stepOf(view, itemId);
    if (node !== null) return askToGoBack(app, node, words);
    const { earlier } = view.conversation;
    // The step may have begun in an earlier page, which may be on its way.
    if (earlier === null) return;
    if (view.busy.has('showEarlier')) await new Promise((done) => setTimeout(done, 100));
    else await showEarlier(app);
    const now = app.store.getState();
    if (now.conversationId !== view.conversationId) return;
    if (now.conversation.earlier === earlier && !now.busy.has('showEarlier')) return;
  }
}

/** What would become of the run now. */
export function previewRewind(app: App, choice: RewindChoice) {
  const conversationId = app.store.getState().conversationId ?? '';
  return app.bridge.query({ type: 'rewindPreview', conversationId, ...choice });
}

/** Goes back as it was shown. The failure belongs to the dialog. */
export async function goBack(
  app: App,
  choice: RewindChoice,
  seen: string,
  reason: string,
): Promise<Failure | null> {
  const { conversationId, rewind, busy } = app.store.getState();
  if (conversationId === null || busy.has('rewind')) return null;
  const why = reason.trim() || null;
  const command = { type: 'rewind', ...choice, reason: why, seen } as const;
  const result = await busyWith(app, 'rewind', () =>
    app.bridge.submit({ type: 'session', conversationId, command }),
  );
  // The person may have left the dialog, or gone elsewhere, while it went on.
  const isHere = app.store.getState().rewind === rewind;
  if (!result.ok) {
    if (!isHere) fail(app, result.failure);
    return result.failure;
  }
  if (!isHere) return null;
  const toWrite = rewind?.words ? { words: rewind.words } : null;
  set(app, { rewind: null, toWrite, turns: app.store.getState().turns + 1 });
  return null;
}
