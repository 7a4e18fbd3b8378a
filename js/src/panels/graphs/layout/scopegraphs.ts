// A graph for each opened scope: edges that go through its border end at ports there.

import { bisect } from "../../../lib/search";
import { rowsBy } from "../model/tree";
import { BoxKind } from "../model/view";
import type { Ordering } from "./scope";
import { Area, type Component, type LayoutInput } from "./types";

/** The boxes of a view as a tree; the scope of number 0 is the root, that of number b + 1 the box b. */
export interface Tree {
  readonly depth: Int32Array;
  /** Depth-first numbers of the boxes. */
  readonly entry: Int32Array;
  readonly start: Int32Array;
  readonly children: Int32Array;
}

export function treeOf({ count, parent }: LayoutInput): Tree {
  const depth = new Int32Array(count);
  const size = new Int32Array(count + 1).fill(1);
  const { start, items } = rowsBy(
    parent.map((one) => one + 1),
    count + 1,
  );
  for (let box = count - 1; box >= 0; box--) {
    (size[(parent[box] as number) + 1] as number) += size[box + 1] as number;
  }
  const entry = new Int32Array(count);
  const next = new Int32Array(count + 1);
  for (let box = 0; box < count; box++) {
    const scope = (parent[box] as number) + 1;
    depth[box] = scope ? (depth[scope - 1] as number) + 1 : 0;
    entry[box] = next[scope] as number;
    next[box + 1] = (entry[box] as number) + 1;
    (next[scope] as number) += size[box + 1] as number;
  }
  return { depth, entry, start, children: items };
}

/** The child of a scope in which a box is, which is somewhere within. */
function childWith({ entry, start, children }: Tree, scope: number, box: number): number {
  const isUpToBox = (i: number) => (entry[children[i] as number] as number) <= (entry[box] as number);
  return children[bisect(start[scope] as number, start[scope + 1] as number, isUpToBox) - 1] as number;
}

/** Where routes go through the border of an opened scope. */
interface Port {
  readonly isBottom: boolean;
  /** Its place among others. */
  sequence: number;
}

/** Sections of bundles within one scope, three numbers each: the bundle, its start and its end in the scope. */
interface Scope {
  /** Boxes are their numbers, ports -1 - theirs. */
  readonly sections: number[];
  readonly ports: Port[];
  /** The ports of what leads from the scope's own box to its inside, and back; -1 where nothing does. */
  readonly own: [bottom: number, top: number];
}

/** Edges between two ends, in both directions. */
interface Pair {
  readonly key: number;
  readonly bundles: readonly [number[], number[]];
  size: number;
  /** 1 where something carries data, and where something ends at the end itself. */
  readonly data: [number, number];
  readonly ends: [number, number];
}

/** Graph of a scope: its boxes and ports, and the edges between them. */
export interface ScopeGraph {
  /** Ports and boxes with numbers of their own: ports first. */
  readonly component: Component;
  /** Boxes of the view behind the ports, and those of its auxiliary area. */
  readonly boxes: readonly number[];
  readonly auxiliary: readonly number[];
  /** The number of each port in the component. */
  readonly portAt: Int32Array;
  /** Bundles routed along each edge: an index or, for a bundle from its target to its source, -1 - index. */
  readonly bundles: readonly (readonly number[])[];
  /** Elements of each edge's tensors in total. */
  readonly size: Float64Array;
  /** By edge: 1 if something ends at its target itself, 2 if at its source, 3 if both. */
  readonly arrow: Uint8Array;
  /** Port of the opened box at each edge's source and at its target; -1 for none. */
  readonly inner: readonly [Int32Array, Int32Array];
}

/** Sizes of boxes that have not been laid out yet. */
const UNSIZED = new Float64Array(0);

/** The graphs of all scopes, the outer ones first: the order of a scope gives the order of the ports of its opened boxes. */
export class ScopeGraphs {
  readonly #input: LayoutInput;
  readonly #tree: Tree;
  readonly #scopes = new Map<number, Scope>();

  constructor(input: LayoutInput, tree: Tree) {
    this.#input = input;
    this.#tree = tree;
    const { source, target, parent } = input;
    const { depth } = tree;
    for (let bundle = 0; bundle < source.length; bundle++) {
      const from = source[bundle] as number;
      const to = target[bundle] as number;
      let a = from;
      let b = to;
      if (a === b) {
        continue;
      }
      while ((depth[a] as number) > (depth[b] as number)) {
        a = parent[a] as number;
      }
      while ((depth[b] as number) > (depth[a] as number)) {
        b = parent[b] as number;
      }
      while (a !== b && parent[a] !== parent[b]) {
        a = parent[a] as number;
        b = parent[b] as number;
      }
      if (a !== b) {
        this.#scope((parent[a] as number) + 1).sections.push(bundle, a, b);
      } else {
        // One end is inside of the other: it begins or ends at the border.
        const scope = a + 1;
        const child = childWith(tree, scope, a === from ? to : from);
        const port = this.#border(scope, a === from);
        this.#scope(scope).sections.push(bundle, a === from ? port : child, a === from ? child : port);
      }
    }
  }

  #scope(number: number): Scope {
    let scope = this.#scopes.get(number);
    if (!scope) {
      scope = { sections: [], ports: [], own: [-1, -1] };
      this.#scopes.set(number, scope);
    }
    return scope;
  }

  /** The port of what leads from the inside of a box to itself, or back: behind all others where nothing leads on. */
  #border(scope: number, isBottom: boolean): number {
    const { ports, own } = this.#scope(scope);
    const side = isBottom ? 0 : 1;
    if (own[side] < 0) {
      own[side] = ports.push({ isBottom, sequence: Number.POSITIVE_INFINITY }) - 1;
    }
    return -1 - own[side];
  }

  /** The graph of a scope, once those around it are ordered. */
  graphOf(number: number): ScopeGraph {
    const { sections, ports } = this.#scope(number);
    const { start, children } = this.#tree;
    const { area, kind, control, size } = this.#input;
    const portAt = new Int32Array(ports.length);
    const portsInOrder = ports.map((_, i) => i).sort((a, b) => compared(ports[a] as Port, ports[b] as Port) || a - b);
    portsInOrder.forEach((port, i) => {
      portAt[port] = i;
    });
    const connected = new Set<number>();
    for (let i = 0; i < sections.length; i += 3) {
      connected.add(sections[i + 1] as number).add(sections[i + 2] as number);
    }
    const boxes: number[] = [];
    const auxiliary: number[] = [];
    for (let i = start[number] as number; i < (start[number + 1] as number); i++) {
      const box = children[i] as number;
      (area[box] !== Area.MAIN && !connected.has(box) ? auxiliary : boxes).push(box);
    }
    const count = ports.length + boxes.length;
    const local = new Map(boxes.map((box, i) => [box, ports.length + i]));
    const at = (end: number) => (end < 0 ? (portAt[-1 - end] as number) : (local.get(end) as number));
    // Edges in both directions share a route. The order of bundles, which depends on what else is open,
    // says nothing.
    const pairs = new Map<number, Pair>();
    for (let i = 0; i < sections.length; i += 3) {
      const bundle = sections[i] as number;
      const from = at(sections[i + 1] as number);
      const to = at(sections[i + 2] as number);
      const end = this.#input.target[bundle];
      const direction = from < to ? 0 : 1;
      const key = Math.min(from, to) * count + Math.max(from, to);
      const pair = pairs.get(key) ?? { key, bundles: [[], []], size: 0, data: [0, 0], ends: [0, 0] };
      pairs.set(key, pair);
      pair.bundles[direction].push(bundle);
      pair.size += size[bundle] as number;
      pair.data[direction] |= 1 - (control[bundle] as number);
      pair.ends[direction] |= sections[i + 2] === end || number - 1 === end ? 1 : 0;
    }
    const sorted = [...pairs.values()].sort((a, b) => a.key - b.key);
    // Downwards in number where only that is there, or only that carries data.
    const turned = sorted.map(({ bundles: [there, back], data }) =>
      there.length === 0 || (back.length > 0 && data[1] > data[0]) ? 1 : 0,
    );
    const ends = (direction: number) =>
      Int32Array.from(sorted, ({ key }, i) => (turned[i] === direction ? Math.floor(key / count) : key % count));
    const component = {
      count,
      bottom: ports.filter((port) => port.isBottom).length,
      top: ports.filter((port) => !port.isBottom).length,
      source: ends(0),
      target: ends(1),
      control: Uint8Array.from(sorted, ({ data }) => 1 - (data[0] | data[1])),
      // Scopes, layers and stacks have several things in them, from which different routes may come.
      single: Uint8Array.from({ length: count }, (_, i) =>
        i < ports.length || isSingle(kind[boxes[i - ports.length] as number] as number) ? 1 : 0,
      ),
      width: UNSIZED,
      height: UNSIZED,
    };
    const none = () => new Int32Array(sorted.length).fill(-1);
    return {
      component,
      boxes,
      auxiliary,
      portAt,
      bundles: sorted.map((pair, i) => {
        const direction = turned[i] as 0 | 1;
        return [...pair.bundles[direction], ...pair.bundles[(1 - direction) as 0 | 1].map((bundle) => -1 - bundle)];
      }),
      size: Float64Array.from(sorted, (pair) => pair.size),
      arrow: Uint8Array.from(sorted, (pair, i) => {
        const direction = turned[i] as 0 | 1;
        return pair.ends[direction] + 2 * pair.ends[(1 - direction) as 0 | 1];
      }),
      inner: [none(), none()],
    };
  }

  /** Continue the sections of an ordered scope inside its opened boxes. */
  leadInside(graph: ScopeGraph, order: Ordering): void {
    const { inner } = graph;
    const portOf = this.#ownPorts(graph, order);
    eachEnd(graph, order, ({ box, edge, end, list, meeting, isBottom, place }) => {
      for (const directed of list) {
        const last = this.#last(directed, end);
        if (last === box) {
          continue;
        }
        const { ports, sections } = this.#scope(box + 1);
        const port = portOf.get(meeting) ?? ports.push({ isBottom, sequence: place }) - 1;
        portOf.set(meeting, port);
        const child = childWith(this.#tree, box + 1, last);
        const isTarget = end === (directed < 0 ? 0 : 1);
        sections.push(
          directed < 0 ? -1 - directed : directed,
          isTarget ? -1 - port : child,
          isTarget ? child : -1 - port,
        );
      }
      inner[end][edge] = portOf.get(meeting) ?? -1;
    });
  }

  /** By meeting: what ends at an opened box itself goes on from where something inside ends there, too. */
  #ownPorts(graph: ScopeGraph, order: Ordering): Map<number, number> {
    const found = new Map<number, number>();
    eachEnd(graph, order, ({ box, end, list, meeting, isBottom, place }) => {
      const scope = this.#scopes.get(box + 1);
      const port = scope?.own[isBottom ? 0 : 1] ?? -1;
      if (scope && port >= 0 && list.some((directed) => this.#last(directed, end) === box)) {
        const own = scope.ports[port] as Port;
        own.sequence = Math.min(own.sequence, place);
        found.set(meeting, port);
      }
    });
    return found;
  }

  /** The box at the source (`end` 0) or the target (1) of a bundle; reversed for a negative number. */
  #last(directed: number, end: 0 | 1): number {
    const { source, target } = this.#input;
    return (end === (directed < 0 ? 0 : 1) ? target : source)[directed < 0 ? -1 - directed : directed] as number;
  }
}

/** Where an edge of a scope meets a box. */
interface Meeting {
  readonly box: number;
  readonly edge: number;
  /** 0 at its source, 1 at its target. */
  readonly end: 0 | 1;
  readonly list: readonly number[];
  /** The same for edges that meet the box together. */
  readonly meeting: number;
  readonly isBottom: boolean;
  readonly place: number;
}

function eachEnd(
  { component: { source, target, bottom, top }, boxes, bundles }: ScopeGraph,
  { reversed, meets, sequence }: Ordering,
  visit: (met: Meeting) => void,
): void {
  bundles.forEach((list, edge) => {
    for (const end of [0, 1] as const) {
      const at = ((end ? target : source)[edge] as number) - bottom - top;
      if (at >= 0) {
        visit({
          box: boxes[at] as number,
          edge,
          end,
          list,
          meeting: (meets[end][edge] as number) * 2 + end,
          // An edge from below meets the bottom.
          isBottom: (reversed[edge] as number) !== end,
          place: sequence[end][edge] as number,
        });
      }
    }
  });
}

function isSingle(kind: number): boolean {
  return kind === BoxKind.NODE || kind === BoxKind.MISSING;
}

function compared(a: Port, b: Port): number {
  return Number(b.isBottom) - Number(a.isBottom) || (a.sequence === b.sequence ? 0 : a.sequence - b.sequence);
}
