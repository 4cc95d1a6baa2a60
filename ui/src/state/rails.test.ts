import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GraphView } from '../bridge/wire';
import { railsOf } from './rails';

const graph = (nodes: string, edges: string): GraphView => ({
  entry: nodes[0] ?? '',
  nodes: [...nodes].map((id) => ({ id, title: id, type: 'step', inputs: [], outputs: [] })),
  edges: edges
    .split(' ')
    .filter(Boolean)
    .map((way) => ({ from: way[0] ?? '', to: way[1] ?? '', label: way })),
});

/** Each row as its step and its lane. */
const rows = (of: GraphView) => {
  const { order, spots } = railsOf(of);
  return order.map((id) => `${id}${spots.get(id)?.lane}`).join(' ');
};

test('steps one after the other stand in one lane', () => {
  expect(rows(graph('abc', 'ab bc'))).toBe('a0 b0 c0');
});

test('a branch has a lane of its own until it meets the other one', () => {
  const branched = graph('abcd', 'ab ac bd cd');
  expect(rows(branched)).toBe('a0 b0 c1 d0');
  const through = railsOf(branched).rails.map(({ edge, lane }) => `${edge.label}${lane}`);
  expect(through).toEqual(['ab0', 'ac1', 'bd0', 'cd0']);
});

test('a step stands below all from which ways lead to it, though the program lists it before', () => {
  // As it is listed: breadth first.
  expect(rows(graph('adb', 'ad ab bd'))).toBe('a0 b1 d0');
});

test('a way back goes beside all lanes, and a way to itself is not drawn', () => {
  const { rails, lanes, order } = railsOf(graph('abc', 'ab bc ca bb'));
  expect(order).toEqual(['a', 'b', 'c']);
  expect(rails.map(({ edge, lane, back }) => [edge.label, lane, back])).toEqual([
    ['ab', 0, false],
    ['bc', 0, false],
    ['ca', 1, true],
  ]);
  expect(lanes).toBe(2);
});

test('a way to a step that is not there is left out', () => {
  expect(railsOf(graph('a', 'ab ba')).rails).toEqual([]);
});

test('in every graph each step has a place of its own, and no way runs through another step', () => {
  const ids = 'abcdefgh';
  const edge = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)).map((it) => it.join(''));
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
      const { order, spots, rails, lanes } = railsOf(graph(ids, edges.join(' ')));
      expect([...order].sort().join('')).toBe(ids);
      for (const { from, to, lane, back } of rails) {
        expect(back).toBe(from.row > to.row);
        expect(lane).toBeLessThan(lanes);
        for (const spot of spots.values()) {
          const between = spot.row > from.row && spot.row < to.row;
          expect(between && spot.lane === lane).toBe(false);
        }
      }
    }),
  );
});
