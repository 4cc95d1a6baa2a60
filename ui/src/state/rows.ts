// What the conversation shows one below the other: its items, with calls that only look at something
// in one line, and what belongs to a step that is done in one line as well.
import type { Item, NoticeKind, ToolName } from '../bridge/wire';

type Body<T extends Item['body']['type']> = Extract<Item['body'], { type: T }>;
type ItemOf<T extends Item['body']['type']> = Item & { body: Body<T> };

/** A call, or several, that changed nothing. */
export type CallItem = ItemOf<'call'>;

/** What is told of a step that is done, in place of what belongs to it. */
export interface StepSummary {
  /** When the next step began. */
  until: string;
  /** The run completed it, and did not only leave it. */
  completed: boolean;
  /** It waits for the workflow that it called. */
  calls: boolean;
  /** Who spoke last. */
  agent: string | undefined;
  /** What the person wrote first. */
  words: string | null;
  /** The questions that were answered. */
  answered: readonly ItemOf<'question'>[];
  /** How many files were changed. */
  files: number;
  /** How many texts the runtime did not accept. */
  refused: number;
  /** How often the runtime kept the order of the steps. */
  kept: number;
  /** How many things went wrong, or are not as somebody may think. */
  troubles: number;
  /** Nothing stands below its title, folded or not. */
  isEmpty: boolean;
}

/** One row of the conversation. */
export type Row =
  | { kind: 'item'; id: string; item: Item; headed: boolean }
  | { kind: 'calls'; id: string; items: readonly CallItem[] }
  | { kind: 'step'; id: string; item: ItemOf<'step'>; done: StepSummary | null; open: boolean };

/** The rows, and where each item is among them; what is folded away is where its step is. */
export interface Rows {
  rows: readonly Row[];
  /** The step that has to be opened first for an item to be seen; null when it is in sight. */
  placeOf: (id: string) => { at: number; within: string | null } | undefined;
}

const is =
  <T extends Item['body']['type']>(type: T) =>
  (item: Item | undefined): item is ItemOf<T> =>
    item?.body.type === type;

const isStep = is('step');
const isCall = is('call');
const isQuestion = is('question');

const LOOKED: ReadonlySet<string> = new Set<Body<'call'>['state']>(['running', 'done', 'missing']);

/** Tools that look at something, and those that keep the run's own notes. */
const LOOKS: readonly ToolName[] = [
  'fs.read',
  'fs.list',
  'fs.search',
  'fs.glob',
  'todo.list',
  'skill.activate',
  'skill.read',
];
const NOTES: readonly ToolName[] = ['fs.write', 'fs.apply_patch'];

/** True for a call that needs no line of its own: it only looked, or kept the run's own notes. */
function isQuiet(item: Item | undefined): item is CallItem {
  if (!isCall(item)) return false;
  const { class: effect, state, tool } = item.body;
  const isOf = (tools: readonly ToolName[]) => tools.some((name) => name === tool);
  if (isOf(LOOKS)) return LOOKED.has(state);
  if (state !== 'done') return false;
  return tool === 'todo.write' || (effect === 'write_state' && isOf(NOTES));
}

/** Notices of something that went wrong, or is not as somebody may think. */
const TROUBLES: ReadonlySet<string> = new Set<NoticeKind>([
  'model_error',
  'limit',
  'interrupted',
  'state_rejected',
  'store_error',
  'unchanged',
  'foreign_change',
  'not_put_back',
  'not_went_back',
]);

function isTrouble({ body }: Item): boolean {
  if (body.type === 'call') return body.state === 'failed' || body.state === 'inDoubt';
  if (body.type === 'hook') return body.status !== 'passed';
  return body.type === 'notice' && TROUBLES.has(body.kind);
}

/** True for what still goes on, or waits for the person: it is never folded away. */
function isOpenStill({ body }: Item): boolean {
  if (body.type === 'question') return body.answer === undefined && !body.closed;
  const open: readonly string[] = ['running', 'waiting', 'inDoubt'];
  return body.type === 'call' && open.includes(body.state);
}

/** The file that a call changed; nothing for one that changed none. */
function changedBy({ body }: Item): string | undefined {
  if (body.type !== 'call' || body.class !== 'write_project' || body.state !== 'done') return;
  return body.details?.noop ? undefined : (body.details?.to ?? body.path);
}

/** What is told of a step, by what belongs to it and the step behind it. */
function summaryOf(items: readonly Item[], next: ItemOf<'step'>): StepSummary {
  const said = items.map(({ body }) => body).filter((body) => body.type === 'message');
  const answered = items.filter(isQuestion).filter(({ body }) => body.answer !== undefined);
  const files = new Set(items.map(changedBy).filter((path) => path !== undefined));
  return {
    until: next.at,
    completed: next.body.afterCompleted,
    calls: next.body.isCalled ?? false,
    agent: said.findLast(({ by, agent }) => by === 'assistant' && agent !== undefined)?.agent,
    words: said.find(({ by }) => by === 'user')?.text ?? null,
    answered,
    files: files.size,
    refused: items.filter(is('decision')).length,
    kept: items.filter(({ body }) => body.type === 'notice' && body.kind === 'order_kept').length,
    troubles: items.filter(isTrouble).length,
    isEmpty: items.length === 0,
  };
}

/** What a step was summed up with, and what of. */
interface Known {
  items: readonly Item[];
  next: ItemOf<'step'>;
  summary: StepSummary;
  isOpenStill: boolean;
}

const known = new WeakMap<ItemOf<'step'>, Known>();

/** The same as before, unless something of the step is another one: most of them never change. */
function knownOf(step: ItemOf<'step'>, items: readonly Item[], next: ItemOf<'step'>): Known {
  const before = known.get(step);
  const isSame = before?.next === next && before.items.length === items.length;
  if (isSame && items.every((item, at) => item === before.items[at])) return before;
  const now = {
    items,
    next,
    summary: summaryOf(items, next),
    isOpenStill: items.some(isOpenStill),
  };
  known.set(step, now);
  return now;
}

/** Who spoke last, and whether somebody else did in between. */
type Speaker = { agent: string | undefined } | 'user' | null;

/** Whether the speaker's name belongs above an item, and who has spoken then. */
function heads({ body }: Item, before: Speaker): [boolean, Speaker] {
  // The runtime has spoken in between.
  if (body.type === 'question' || body.type === 'decision' || body.type === 'step') {
    return [false, null];
  }
  if (body.type !== 'message') return [false, before];
  if (body.by === 'user') return [false, 'user'];
  const goesOn = before !== null && before !== 'user' && before.agent === body.agent;
  return [!goesOn, { agent: body.agent }];
}

/** The most calls in one row: an open one is drawn whole. */
const MOST = 50;

/** The rows of what lies open: items, and calls that only look as one. */
function pushOpen(items: readonly Item[], rows: Row[], before: Speaker): Speaker {
  let speaker = before;
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as Item;
    if (isQuiet(item)) {
      const calls = [item];
      for (let next = items[at + 1]; isQuiet(next); next = items[at + 1]) {
        if (calls.length === MOST) break;
        calls.push(next);
        at++;
      }
      rows.push({ kind: 'calls', id: item.id, items: calls });
      continue;
    }
    const [headed, now] = heads(item, speaker);
    speaker = now;
    rows.push({ kind: 'item', id: item.id, item, headed });
  }
  return speaker;
}

/** The steps with what belongs to each; first what stands before any step. */
function sectionsOf(items: readonly Item[]): { step: ItemOf<'step'> | null; items: Item[] }[] {
  const sections: { step: ItemOf<'step'> | null; items: Item[] }[] = [{ step: null, items: [] }];
  for (const item of items) {
    if (isStep(item)) sections.push({ step: item, items: [] });
    else sections.at(-1)?.items.push(item);
  }
  return sections;
}

/** The rows of a conversation in which these steps were opened. */
export function rowsOf(items: readonly Item[], opened: ReadonlySet<string>): Rows {
  const rows: Row[] = [];
  const hidden: { step: string; at: number; items: readonly Item[] }[] = [];
  let speaker: Speaker = null;
  const sections = sectionsOf(items);
  for (const [at, { step, items: own }] of sections.entries()) {
    const next = sections[at + 1]?.step;
    const of = step && next ? knownOf(step, own, next) : null;
    const done = of?.summary ?? null;
    const open = of === null || opened.has(step?.id ?? '') || of.isOpenStill;
    if (step) {
      rows.push({ kind: 'step', id: step.id, item: step, done, open });
      speaker = null;
      if (!open) hidden.push({ step: step.id, at: rows.length - 1, items: own });
    }
    if (open) speaker = pushOpen(own, rows, speaker);
  }
  return { rows, placeOf: (id) => placeIn(rows, hidden, id) };
}

/** Whether an item stands in a row. */
export const shows = (row: Row, id: string | null): boolean =>
  row.id === id || (row.kind === 'calls' && row.items.some((item) => item.id === id));

function placeIn(
  rows: readonly Row[],
  hidden: readonly { step: string; at: number; items: readonly Item[] }[],
  id: string,
): { at: number; within: string | null } | undefined {
  const at = rows.findIndex((row) => shows(row, id));
  if (at >= 0) return { at, within: null };
  const section = hidden.find(({ items }) => items.some((item) => item.id === id));
  return section && { at: section.at, within: section.step };
}
