// The conversation of a sub-agent: opened from the call that asked for it, and left again to there.
// It has no run of its own, so that how it stands is what the other conversation says.
import type { Frame, SubagentView } from '../bridge/wire';
import { ask, busyWith, set } from './ask';
import { openAt } from './conversations';
import { loadConversations } from './list';
import { openConversation } from './opening';
import { phaseOf } from './select';
import { packageAtWork, standingOf } from './standing';
import { type App, fail, type View } from './store';

/** Takes over how the sub-agent stands, as the conversation says that asked for it. */
function hear(app: App, frames: readonly Frame[]) {
  const { task } = app.store.getState();
  const told = frames.findLast((frame) => frame.type === 'status' || frame.type === 'snapshot');
  if (!task || !told) return;
  const { subagents } = told.status;
  const standing = standingOf(told.status);
  const { callId } = task.subagent;
  const subagent = subagents?.find((one) => one.callId === callId) ?? task.subagent;
  set(app, { task: { ...task, subagent, phase: standing?.phase ?? null } });
  if (standing && standing.phase !== task.phase) void loadConversations(app);
}

/** Opens a sub-agent's conversation from the item of its call in the one that is open. */
export function openSubagent(app: App, subagent: SubagentView, item: { id: string; seq: number }) {
  const view = app.store.getState();
  const { conversationId: parent } = view;
  if (parent === null) return;
  const [packageId, phase] = [packageAtWork(view), phaseOf(view.conversation)];
  openConversation(app, subagent.conversationId);
  const { id: itemId, seq } = item;
  set(app, { task: { parent, itemId, seq, packageId, phase, subagent } });
  const leave = app.unwatch;
  const unfollow = app.bridge.watch(
    parent,
    (frames) => hear(app, frames),
    (failure) => fail(app, failure),
  );
  app.unwatch = () => {
    leave();
    unfollow();
  };
}

/** Goes back to the call that asked for the sub-agent whose conversation is open. */
export function leaveSubagent(app: App) {
  const { task } = app.store.getState();
  if (task) openAt(app, task.parent, task.itemId, task.seq);
}

/** What the stopping of a sub-agent is called among what is busy. */
const stopping = (conversationId: string) => `stop/${conversationId}`;

/** Whether a sub-agent is being stopped. */
export const isStopping = ({ busy }: View, conversationId: string): boolean =>
  busy.has(stopping(conversationId));

/** Stops one sub-agent, and nothing else: whoever asked for it goes on. */
export async function stopSubagent(app: App, conversationId: string) {
  if (isStopping(app.store.getState(), conversationId)) return;
  await busyWith(app, stopping(conversationId), () =>
    ask(app, { type: 'session', conversationId, command: { type: 'stop' } }),
  );
}
