// What the window knows of a conversation: a copy of the items it was sent, and nothing else
// (law G). Pure, so that a reload and a live window cannot differ.
import type { Frame, Item, MessageId, Status } from '../bridge/wire';

/** The copy of one conversation. */
export interface Conversation {
  /** The items in order. */
  items: readonly Item[];
  /** Where each item stands in `items`. */
  index: ReadonlyMap<MessageId, number>;
  /** Null until the first `whole`. */
  status: Status | null;
}

/** Before anything was sent. */
export const nothing: Conversation = { items: [], index: new Map(), status: null };

function indexOf(items: readonly Item[]): Map<MessageId, number> {
  return new Map(items.map((item, at) => [item.id, at]));
}

/** A message that grows before it was put: made here, replaced when the whole one is put. */
function begun(id: MessageId, text: string, thinking: string, at: string): Item {
  const body: Item['body'] = {
    type: 'message',
    by: 'assistant',
    text,
    streaming: true,
    cut: false,
    ...(thinking ? { thinking } : {}),
  };
  return { id, at, body };
}

/** Mutable while one batch is applied: one copy a batch, not one a frame. */
class Draft {
  items: Item[];
  index: Map<MessageId, number>;
  status: Status | null;

  constructor(from: Conversation) {
    this.items = [...from.items];
    this.index = new Map(from.index);
    this.status = from.status;
  }

  put(item: Item) {
    const at = this.index.get(item.id);
    if (at === undefined) {
      this.index.set(item.id, this.items.length);
      this.items.push(item);
    } else {
      this.items[at] = item;
    }
  }

  grow(id: MessageId, text: string, thinking: string) {
    const at = this.index.get(id);
    const old = at === undefined ? undefined : this.items[at];
    if (!old) {
      this.put(begun(id, text, thinking, this.items.at(-1)?.at ?? ''));
      return;
    }
    // Only a message has an end that can grow; anything else would be a fault of the sender.
    if (old.body.type !== 'message') return;
    const before = old.body.thinking ?? '';
    const body = { ...old.body, text: old.body.text + text, streaming: true };
    if (before || thinking) body.thinking = before + thinking;
    this.put({ ...old, body });
  }

  gone(id: MessageId) {
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
      case 'whole':
        draft.items = [...frame.items];
        draft.index = indexOf(frame.items);
        draft.status = frame.status;
        break;
      case 'put':
        draft.put(frame.item);
        break;
      case 'grow':
        draft.grow(frame.id, frame.text, frame.thinking);
        break;
      case 'status':
        draft.status = frame.status;
        break;
      case 'gone':
        draft.gone(frame.id);
        break;
    }
  }
  return { items: draft.items, index: draft.index, status: draft.status };
}
