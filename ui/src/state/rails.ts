// How a graph is drawn as a list: one row for each step, and beside the rows the ways between them,
// each in a lane of its own for as long as it passes others.
import type { GraphEdge, GraphView } from '../bridge/wire';

/** Where a step stands: its row from the top, and its lane from the left. */
interface Spot {
  row: number;
  lane: number;
}

/** A way between two steps, through the lane in which it passes the rows between them. */
export interface Rail {
  edge: GraphEdge;
  from: Spot;
  to: Spot;
  lane: number;
  /** Whether it leads back up. */
  back: boolean;
}

/** A graph as a list. */
export interface Rails {
  /** The ids of the steps, from the top. */
  order: string[];
  spots: ReadonlyMap<string, Spot>;
  rails: Rail[];
  /** How many lanes there are. */
  lanes: number;
}

/** Where the ways from each step lead; a way from a step to itself is none. */
function waysOf({ edges }: GraphView): Map<string, GraphEdge[]> {
  const ways = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    if (edge.from === edge.to) continue;
    const others = ways.get(edge.from);
    if (others) others.push(edge);
    else ways.set(edge.from, [edge]);
  }
  return ways;
}

/** The ways that lead back to where one came from, each way followed as the package lists it. */
function backWays(graph: GraphView, ways: Map<string, GraphEdge[]>): Set<GraphEdge> {
  const back = new Set<GraphEdge>();
  const [open, done] = [new Set<string>(), new Set<string>()];
  for (const root of [graph.entry, ...graph.nodes.map(({ id }) => id)]) {
    if (done.has(root)) continue;
    open.add(root);
    const path = [{ id: root, next: 0 }];
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const edge = ways.get(at.id)?.[at.next];
      at.next += 1;
      if (!edge) {
        open.delete(at.id);
        done.add(at.id);
        path.pop();
      } else if (open.has(edge.to)) {
        back.add(edge);
      } else if (!done.has(edge.to)) {
        open.add(edge.to);
        path.push({ id: edge.to, next: 0 });
      }
    }
  }
  return back;
}

/** The steps, each after all from which ways lead to it; among equals, as the program lists them. */
function inOrder(graph: GraphView, forward: readonly GraphEdge[]): string[] {
  const listed = new Map(graph.nodes.map(({ id }, at) => [id, at]));
  const waits = new Map(graph.nodes.map(({ id }) => [id, 0]));
  const ways = new Map<string, string[]>();
  for (const { from, to } of forward) {
    waits.set(to, (waits.get(to) ?? 0) + 1);
    const others = ways.get(from);
    if (others) others.push(to);
    else ways.set(from, [to]);
  }
  const free = graph.nodes.map(({ id }) => id).filter((id) => waits.get(id) === 0);
  const order: string[] = [];
  for (let id = free.shift(); id !== undefined; id = free.shift()) {
    order.push(id);
    for (const to of ways.get(id) ?? []) {
      const left = (waits.get(to) ?? 0) - 1;
      waits.set(to, left);
      if (left > 0) continue;
      const place = free.findIndex((other) => (listed.get(other) ?? 0) > (listed.get(to) ?? 0));
      free.splice(place < 0 ? free.length : place, 0, to);
    }
  }
  return order;
}

/** Which step each lane leads to at a row; a lane that leads nowhere can be taken. */
class Lanes {
  private to: (string | null)[] = [];

  get count() {
    return this.to.length;
  }

  /** The lane in which a step stands: the first that leads to it. The others end there. */
  arrive(id: string): number {
    const lane = this.to.indexOf(id);
    this.to = this.to.map((to) => (to === id ? null : to));
    return lane < 0 ? this.take(null, 0) : lane;
  }

  /** Leads a lane to a step: the one that does already, the one wished for, or the first free one. */
  lead(id: string, wished: number): number {
    const lane = this.to.indexOf(id);
    return lane < 0 ? this.take(id, wished) : lane;
  }

  private take(to: string | null, wished: number): number {
    const free = this.to[wished] === null ? wished : this.to.indexOf(null);
    const lane = free < 0 ? this.to.length : free;
    this.to[lane] = to;
    return lane;
  }
}

/**
 * Lays a graph out, or those of its steps that are listed. Ways to or from steps that are not there are
 * left out.
 */
export function railsOf(graph: GraphView, listed?: readonly string[]): Rails {
  const wanted = listed && new Set(listed);
  const nodes = graph.nodes.filter(({ id }) => wanted?.has(id) ?? true);
  const known = new Set(nodes.map(({ id }) => id));
  const edges = graph.edges.filter(({ from, to }) => known.has(from) && known.has(to));
  const whole = { ...graph, nodes, edges };
  const ways = waysOf(whole);
  const back = backWays(whole, ways);
  const forward = [...ways.values()].flat().filter((edge) => !back.has(edge));
  const order = inOrder(whole, forward);
  const lanes = new Lanes();
  const spots = new Map<string, Spot>();
  const through = new Map<GraphEdge, number>();
  order.forEach((id, row) => {
    const lane = lanes.arrive(id);
    spots.set(id, { row, lane });
    for (const edge of ways.get(id) ?? []) {
      if (!back.has(edge)) through.set(edge, lanes.lead(edge.to, lane));
    }
  });
  const right = lanes.count;
  const rails = [...ways.values()].flat().flatMap((edge): Rail[] => {
    const [from, to] = [spots.get(edge.from), spots.get(edge.to)];
    if (!from || !to) return [];
    return [{ edge, from, to, lane: through.get(edge) ?? right, back: back.has(edge) }];
  });
  return { order, spots, rails, lanes: right + (back.size > 0 ? 1 : 0) };
}
