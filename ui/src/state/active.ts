// What became of the runs of all projects since they were read last.
import type { ConversationSummary } from '../bridge/wire';
import { standingIn } from './standing';

/** True when it stands until the person does something: who is talked with, or the newest run. */
export function needsPerson(conversation: ConversationSummary): boolean {
  const standing = standingIn(conversation);
  return standing !== undefined && standing.phase !== 'running';
}

/** What is worth telling somebody who looks elsewhere. */
export interface News {
  /** Those that came to wait for the person. */
  wait: readonly ConversationSummary[];
  /** Those that neither work nor wait any more: complete, ended, stopped or deleted. */
  gone: readonly ConversationSummary[];
}

/** What changed from one reading of the active runs to the next. */
export function newsOf(
  before: readonly ConversationSummary[],
  after: readonly ConversationSummary[],
): News {
  const was = new Map(before.map((one) => [one.conversationId, one]));
  const is = new Set(after.map((one) => one.conversationId));
  const cameToWait = (one: ConversationSummary) => {
    const old = was.get(one.conversationId);
    // One that worked in between, too shortly to be seen at it, waits since then.
    return !old || !needsPerson(old) || old.runs[0]?.since !== one.runs[0]?.since;
  };
  return {
    wait: after.filter((one) => needsPerson(one) && cameToWait(one)),
    gone: before.filter((one) => !is.has(one.conversationId)),
  };
}
