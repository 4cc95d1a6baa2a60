// What the window knows of a conversation: a copy of the items it was sent, and nothing else
// (law G). Pure, so that a reload and a live window cannot differ.
import { dequal } from 'dequal/lite';
import type { Frame, Item, ItemPage, MessageId, Status } from '../bridge/wire';

/** The copy of one conversation. */
export interface Conversation {
  /** The items in order. */
  items: readonly Item[];
  /** Where each item stands in `items`. */
  index: ReadonlyMap<MessageId, number>;
  /** Where the page before the first item ends; null when there is none. */
  earlier: number | null;
  /** Null until the first `snapshot`. */
  status: Status | null;
}

/** Before anything was sent. */
export const nothing: Conversation = { items: [], index: new Map(), earlier: null, status: null };

function indexOf(items: readonly Item[]): Map<MessageId, number> {
  return new Map(items.map((item, at) => [item.id, at]));
}

/** A message whose text comes before its item: made here, replaced by the item. */
function begun(id: MessageId, text: string, thinking: string, after: Item | undefined): Item {
  const body: Item['body'] = {
    type: 'message',
    by: 'assistant',
    text,
    streaming: true,
    cut: false,
    ...(thinking ? { thinking } : {}),
  };
  return { id, seq: after?.seq ?? 0, at: after?.at ?? '', body };
}

/** Mutable while one batch is applied: one copy a batch, not one a frame. */
class Draft {
  items: Item[];
  index: Map<MessageId, number>;
  earlier: number | null;
  status: Status | null;

  constructor(from: Conversation) {
    this.items = [...from.items];
    this.index = new Map(from.index);
    this.earlier = from.earlier;
    this.status = from.status;
  }

  upsert(item: Item) {
    const at = this.index.get(item.id);
    if (at === undefined) {
      // A page that was not asked for: it comes with the new version of this item in it.
      if (this.earlier !== null && item.seq < this.earlier) return;
      this.index.set(item.id, this.items.length);
      this.items.push(item);
    } else {
      this.items[at] = item;
    }
  }

  /** Everything anew. What is as it was stays the same copy: nobody has to draw it again. */
  replace(items: readonly Item[]) {
    const old = (id: MessageId) => this.items[this.index.get(id) ?? -1];
    this.items = items.map((item) => {
      const known = old(item.id);
      return known && dequal(known, item) ? known : item;
    });
    this.index = indexOf(items);
  }

  append(id: MessageId, text: string, thinking: string) {
    const at = this.index.get(id);
    const old = at === undefined ? undefined : this.items[at];
    if (!old) {
      const made = begun(id, text, thinking, this.items.at(-1));
      this.index.set(id, this.items.length);
      this.items.push(made);
      return;
    }
    // Only a message has an end that can grow; anything else would be a fault of the sender.
    if (old.body.type !== 'message') return;
    const before = old.body.thinking ?? '';
    const body = { ...old.body, text: old.body.text + text, streaming: true };
    if (before || thinking) body.thinking = before + thinking;
    this.upsert({ ...old, body });
  }

  remove(id: MessageId) {
    if (!this.index.has(id)) return;
    this.items = this.items.filter((item) => item.id !== id);
    this.index = indexOf(this.items);
  }
}

/** The conversation after a batch of frames. */
export function reduce(before: Conversation, frames: readonly Frame[]): Conversation {
  if (frames.length === 0) return before;
  const draft = new Draft(before);
  for (const frame of frames) {
    switch (frame.type) {
      case 'snapshot':
        draft.replace(frame.items);
        draft.earlier = frame.earlier;
        draft.status = frame.status;
        break;
      case 'upsert':
        draft.upsert(frame.item);
        break;
      case 'append':
        draft.append(frame.id, frame.text, frame.thinking);
        break;
      case 'status':
        draft.status = frame.status;
        break;
      case 'remove':
        draft.remove(frame.id);
        break;
    }
  }
  const { items, index, earlier, status } = draft;
  return { items, index, earlier, status };
}

/** The conversation with the page in front that was asked for with `before`. */
export function prepend(after: Conversation, before: number, page: ItemPage): Conversation {
  // Everything was sent anew in the meantime, or the page came twice.
  if (after.earlier !== before) return after;
  const items = [...page.items, ...after.items];
  return { ...after, items, index: indexOf(items), earlier: page.earlier };
}
