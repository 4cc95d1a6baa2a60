// What is being written, and what may be answered: as the host keeps and refuses it.
import type { Command, Draft, Failure, Widget } from '../wire';

const KEY = 'crewagent.fake.drafts';

/** What a click authorises was on the screen at least this long (the host's own limit). */
const SHOWN_AT_LEAST_MS = 400;
const DRAFT_BYTES = 256 * 1024;

/** Drafts by place. They outlive a reload, as they do on the disk. */
export function keptDrafts(): Map<string, Draft> {
  const drafts = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Draft[];
  return new Map(drafts.map((draft) => [JSON.stringify(draft.place), draft]));
}

const store = (drafts: Map<string, Draft>) =>
  sessionStorage.setItem(KEY, JSON.stringify([...drafts.values()]));

export function keepDraft(
  drafts: Map<string, Draft>,
  { place, value }: Extract<Command, { type: 'keepDraft' }>,
) {
  const key = JSON.stringify(place);
  if (value === null || value === undefined) drafts.delete(key);
  else if (new TextEncoder().encode(JSON.stringify(value)).length > DRAFT_BYTES) {
    throw { code: 'BAD_REQUEST', message: 'The draft is too large.' } satisfies Failure;
  } else drafts.set(key, { place, value, at: new Date().toISOString() });
  store(drafts);
}

export function forgetAnswered(
  drafts: Map<string, Draft>,
  conversationId: string,
  messageId: string,
) {
  drafts.delete(JSON.stringify({ type: 'widget', conversationId, messageId }));
  store(drafts);
}

/** Refuses what nobody can have read in the time it was there, and a window that does not say how long it was shown. */
export function refuseUnread(
  widget: Widget,
  value: unknown,
  shownMs: number | null | undefined,
  thereMs: number,
) {
  if (typeof shownMs !== 'number') {
    throw { code: 'BAD_REQUEST', message: '`shownMs` is missing.' } satisfies Failure;
  }
  const authorises = widget.type === 'confirmation' || widget.type === 'plan_review';
  const isNo = (value as { confirmed?: unknown } | null)?.confirmed === false;
  if (authorises && !isNo && Math.min(shownMs, thereMs) < SHOWN_AT_LEAST_MS) {
    const message = `It was shown for ${Math.round(shownMs)} ms.`;
    throw { code: 'WIDGET_TOO_SOON', message } satisfies Failure;
  }
}
