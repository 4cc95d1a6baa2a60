import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Frame, Item, Status } from '../bridge/wire';
import { nothing, prepend, reduce } from './reduce';

const status = (seq: number): Status => ({
  seq,
  run: null,
  steps: [],
  waitingWidget: null,
  waitingWidgets: [],
  grants: [],
  usage: { promptTokens: 0, completionTokens: 0, estimated: false },
  todos: { total: 0, required: 0, completed: 0, failed: 0, open: 0, changes: 0 },
  retry: null,
});

const message = (id: string, text: string, streaming = false): Item => ({
  id,
  seq: id.charCodeAt(0),
  at: '2026-01-01T00:00:00.000Z',
  body: { type: 'message', by: 'assistant', text, streaming, cut: false },
});

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const item = fc.tuple(ids, fc.string()).map(([id, text]) => message(id, text));
const frame: fc.Arbitrary<Frame> = fc.oneof(
  item.map((i): Frame => ({ type: 'upsert', item: i })),
  fc
    .tuple(ids, fc.string(), fc.string())
    .map(([id, text, thinking]): Frame => ({ type: 'append', id, text, thinking })),
  fc.nat().map((seq): Frame => ({ type: 'status', status: status(seq) })),
  ids.map((id): Frame => ({ type: 'remove', id })),
  fc
    .uniqueArray(item, { selector: (i) => i.id })
    .map((items): Frame => ({ type: 'snapshot', items, earlier: null, status: status(0) })),
);

test('ids stay unique and the index always points at its item', () => {
  fc.assert(
    fc.property(fc.array(frame), (frames) => {
      const after = reduce(nothing, frames);
      expect(after.index.size).toBe(after.items.length);
      after.items.forEach((i, at) => {
        expect(after.index.get(i.id)).toBe(at);
      });
    }),
  );
});

test('how the frames are batched makes no difference', () => {
  fc.assert(
    fc.property(fc.array(frame), fc.nat(20), (frames, cut) => {
      const whole = reduce(nothing, frames);
      const parts = reduce(reduce(nothing, frames.slice(0, cut)), frames.slice(cut));
      expect(parts.items).toEqual(whole.items);
      expect(parts.status).toEqual(whole.status);
    }),
  );
});

test('a snapshot replaces everything before it', () => {
  fc.assert(
    fc.property(
      fc.array(frame),
      fc.uniqueArray(item, { selector: (i) => i.id }),
      (before, items) => {
        const after = reduce(nothing, [
          ...before,
          { type: 'snapshot', items, earlier: null, status: status(9) },
        ]);
        expect(after.items).toEqual(items);
        expect(after.status?.seq).toBe(9);
      },
    ),
  );
});

test('a page in front is put there once, and in the order of the journal', () => {
  const whole: Frame = {
    type: 'snapshot',
    items: [message('d', '')],
    earlier: 100,
    status: status(9),
  };
  const page = { items: [message('b', ''), message('c', '')], earlier: 98 };
  const shown = reduce(nothing, [whole]);
  const once = prepend(shown, 100, page);
  expect(once.items.map((i) => i.id)).toEqual(['b', 'c', 'd']);
  expect(once.earlier).toBe(98);
  expect(once.index.get('d')).toBe(2);
  expect(prepend(once, 100, page)).toBe(once);
});

test('what becomes of an item of an earlier page is not shown at the end', () => {
  const whole: Frame = {
    type: 'snapshot',
    items: [message('d', '')],
    earlier: 100,
    status: status(9),
  };
  const shown = reduce(nothing, [whole, { type: 'upsert', item: message('b', 'answered') }]);
  expect(shown.items.map((i) => i.id)).toEqual(['d']);
  const paged = prepend(shown, 100, { items: [message('b', 'asked')], earlier: null });
  const later = reduce(paged, [{ type: 'upsert', item: message('b', 'answered') }]);
  expect(later.items).toEqual([message('b', 'answered'), message('d', '')]);
});

test('merging the text of neighbouring grow frames makes no difference', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (texts) => {
      const one = reduce(
        nothing,
        texts.map((text) => ({ type: 'append', id: 'a', text, thinking: '' }) as Frame),
      );
      const merged = reduce(nothing, [
        { type: 'append', id: 'a', text: texts.join(''), thinking: '' },
      ]);
      expect(one.items).toEqual(merged.items);
    }),
  );
});

test('what was there before is not changed in place', () => {
  const first = reduce(nothing, [{ type: 'upsert', item: message('a', 'one') }]);
  const kept = structuredClone(first.items);
  reduce(first, [
    { type: 'append', id: 'a', text: ' two', thinking: '' },
    { type: 'remove', id: 'a' },
  ]);
  expect(first.items).toEqual(kept);
});

test('items that a batch does not name keep their identity, so they are not rendered again', () => {
  const first = reduce(nothing, [
    { type: 'upsert', item: message('a', 'one') },
    { type: 'upsert', item: message('b', '') },
  ]);
  const second = reduce(first, [{ type: 'append', id: 'b', text: 'x', thinking: '' }]);
  expect(second.items[0]).toBe(first.items[0]);
  expect(second.items[1]).not.toBe(first.items[1]);
});

test('a put of a growing message ends its growth', () => {
  const after = reduce(nothing, [
    { type: 'append', id: 'a', text: 'Hel', thinking: 'hm' },
    { type: 'upsert', item: message('a', 'Hello.') },
  ]);
  expect(after.items).toEqual([message('a', 'Hello.')]);
});

test('what is sent anew as it was stays the same copy', () => {
  const whole = (...items: Item[]): Frame => ({
    type: 'snapshot',
    items,
    earlier: null,
    status: status(1),
  });
  const first = reduce(nothing, [whole(message('a', 'one'), message('b', 'two'))]);
  const again = reduce(first, [whole(message('b', 'more'), message('a', 'one'))]);
  expect(again.items).toEqual([message('b', 'more'), message('a', 'one')]);
  expect(again.items[1]).toBe(first.items[0]);
  expect(again.items[0]).not.toBe(first.items[1]);
});
