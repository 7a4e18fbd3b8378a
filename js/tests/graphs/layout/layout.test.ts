import dagre from "@dagrejs/dagre";
import { describe, expect, test } from "vitest";
import { type LayoutCache, layOut } from "../../../src/panels/graphs/layout/layout";
import type { LayoutInput } from "../../../src/panels/graphs/layout/types";
import { closed, made, type Pairs, scopes, views } from "./inputs";
import {
  boxOf,
  crossings,
  numbersOf,
  outside,
  overlapping,
  type Segment,
  segmentsOf,
  throughBoxes,
  unconnected,
} from "./measure";

/** Timeout of tests that take seconds on a busy machine. */
const SLOW = { timeout: 60_000 };

const all = [...scopes, ...views];

describe.each(all)("%s", (_, input) => {
  const layout = layOut(input);

  test("nothing overlaps or sticks out", () => {
    expect(overlapping(input, layout)).toEqual([]);
    expect(outside(input, layout)).toEqual([]);
  });

  test("routes lead from sources to targets, and around boxes", () => {
    expect(unconnected(input, layout)).toEqual([]);
    expect(throughBoxes(input, layout)).toEqual([]);
  });

  test("every place is a number, and the same each time", () => {
    expect(numbersOf(layout).every(Number.isFinite)).toBe(true);
    expect(layOut(input)).toEqual(layout);
    const cache: LayoutCache = new Map();
    layOut(input, cache);
    expect(layOut(input, cache)).toEqual(layout);
  });
});

/** Whether the data edges alone are acyclic. */
function isAcyclic({ count, source, target, control }: LayoutInput): boolean {
  const rank = new Int32Array(count);
  for (let round = 0; round <= count; round++) {
    let moved = false;
    source.forEach((from, i) => {
      const to = target[i] as number;
      if (!control[i] && (rank[to] as number) <= (rank[from] as number)) {
        rank[to] = (rank[from] as number) + 1;
        moved = true;
      }
    });
    if (!moved) {
      return true;
    }
  }
  return false;
}

/** Whether routes turn around columns. */
function isWrapped(segments: readonly Segment[]): boolean {
  return segments.some(([ax, ay, bx, by]) => ay === by && ax !== bx);
}

test("data flows upwards", () => {
  let checked = 0;
  for (const [name, input] of scopes) {
    const layout = layOut(input);
    const segments = segmentsOf(layout);
    if (isAcyclic(input) && !isWrapped(segments)) {
      checked++;
      const { routes } = layout;
      for (let route = 0; route < routes.count; route++) {
        const isData =
          !input.control[input.bundle.indexOf(routes.bundles[routes.bundleStart[route] as number] as number)];
        for (let k = (routes.start[route] as number) + 1; isData && k < (routes.start[route + 1] as number); k++) {
          expect(routes.points[2 * k + 1], name).toBeLessThanOrEqual(routes.points[2 * k - 1] as number);
        }
      }
    }
  }
  expect(checked).toBeGreaterThan(5);
});

test("opening a scope keeps the order of the boxes around it", SLOW, () => {
  let pairs = 0;
  for (const input of views.values()) {
    const opened = [...input.open.keys()].filter((box) => input.open[box]).slice(0, 2000 / input.count);
    for (const box of opened) {
      const before = closed(input, box);
      const after = { ...input, marks: before.marks };
      const [one, other] = [layOut(before), layOut(after)];
      if (isWrapped(segmentsOf(one)) || isWrapped(segmentsOf(other))) {
        continue;
      }
      const now = new Map(after.path.map((path, i) => [path, i]));
      const siblings = [...before.path.keys()].filter(
        (at) => before.parent[at] === input.parent[box] && !before.area[at] && at !== box && before.source.includes(at),
      );
      for (const a of siblings) {
        for (const b of siblings) {
          const [aBefore, bBefore] = [boxOf(one, a), boxOf(one, b)];
          const [aNow, bNow] = [a, b].map((at) => boxOf(other, now.get(before.path[at] as string) as number));
          if (!aNow || !bNow || a === b) {
            continue;
          }
          const middle = (rectangle: typeof aNow) => (rectangle[1] + rectangle[3]) / 2;
          // This order follows from an edge: data still flows upwards.
          if (one.routes.source.some((from, i) => from === a && one.routes.target[i] === b)) {
            expect(Math.sign(middle(aNow) - middle(bNow)), before.path[a]).toBe(
              Math.sign(middle(aBefore) - middle(bBefore)),
            );
            pairs++;
          }
          if (Math.abs(middle(aBefore) - middle(bBefore)) < 1 && aBefore[2] < bBefore[0]) {
            expect(aNow[2], before.path[a]).toBeLessThan(bNow[0]);
            pairs++;
          }
        }
      }
    }
  }
  expect(pairs).toBeGreaterThan(20);
});

test("a cache that has seen other views changes nothing", () => {
  const cache: LayoutCache = new Map();
  for (const turn of [0, 1]) {
    for (const input of views.values()) {
      expect(layOut(input, cache), `${turn}`).toEqual(layOut(input));
    }
  }
});

test("routes cross no more often than dagre's", SLOW, () => {
  let ours = 0;
  let theirs = 0;
  for (const [name, input] of scopes) {
    const layout = layOut(input);
    const graph = new dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({ rankdir: "BT", nodesep: 14, ranksep: 26, edgesep: 8 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (let box = 0; box < input.count; box++) {
      graph.setNode(`${box}`, { width: layout.w[box] as number, height: layout.h[box] as number });
    }
    input.source.forEach((from, i) => {
      graph.setEdge(`${from}`, `${input.target[i]}`, {}, `${i}`);
    });
    dagre.layout(graph);
    const segments = graph.edges().flatMap((edge) => {
      const { points } = graph.edge(edge) as { points: { x: number; y: number }[] };
      return points.slice(1).map((point, i): Segment => {
        const last = points[i] as { x: number; y: number };
        return [last.x, last.y, point.x, point.y];
      });
    });
    const [one, other] = [crossings(segmentsOf(layout)), crossings(segments)];
    ours += one;
    theirs += other;
    expect(one, name).toBeLessThanOrEqual(Math.max(5, 3 * other));
  }
  expect(ours).toBeLessThanOrEqual(theirs);
});

test("crossings are counted", () => {
  expect(
    crossings([
      [0, 0, 10, 10],
      [0, 10, 10, 0],
      [20, 0, 20, 10],
      [0, 5, 30, 5],
    ]),
  ).toBe(4);
  expect(
    crossings([
      [0, 0, 10, 10],
      [0, 0, -10, 10],
      [10, 10, 0, 20],
    ]),
  ).toBe(0);
});

/** A chain of `count` boxes; each one is read by the next. */
function chain(count: number): LayoutInput {
  return made(
    count,
    Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const),
  );
}

test("a chain of hundreds of ranks is wrapped into columns", () => {
  const { width, height } = layOut(chain(700));
  expect(width / height).toBeGreaterThan(0.5);
  expect(width / height).toBeLessThan(3);
  expect(height).toBeGreaterThan(800);
});

test("a chain that has room in a notebook is one column, a longer one is wrapped", () => {
  expect(isWrapped(segmentsOf(layOut(chain(10))))).toBe(false);
  const longer = layOut(chain(30));
  expect(isWrapped(segmentsOf(longer))).toBe(true);
  expect(longer.height).toBeLessThan(640);
});

test("boxes that depend on a hub stand in tiers", () => {
  const { width, height } = layOut(
    made(
      601,
      Array.from({ length: 600 }, (_, i) => [0, i + 1] as const),
    ),
  );
  expect(width / height).toBeLessThan(4);
});

test.each([
  ["grows together", (i: number) => [i + 1, i >> 1] as const],
  ["parts", (i: number) => [i >> 1, i + 1] as const],
])("the branches of a wide tree that %s stand in tiers", (_, edge) => {
  const input = made(
    1000,
    Array.from({ length: 999 }, (_, i) => edge(i)),
  );
  const layout = layOut(input);
  expect(layout.width / layout.height).toBeLessThan(3);
  expect(overlapping(input, layout)).toEqual([]);
  expect(unconnected(input, layout)).toEqual([]);
  expect(throughBoxes(input, layout)).toEqual([]);
});

/** A tree of boxes with `each` children each; a box outside reads the innermost ones. */
function treeRead(depth: number, each: number): LayoutInput {
  const parent = [-1];
  let level = [0];
  for (let deep = 0; deep < depth; deep++) {
    level = level.flatMap((around) =>
      Array.from({ length: each }, () => {
        parent.push(around);
        return parent.length - 1;
      }),
    );
  }
  return made(
    parent.length + 1,
    level.map((leaf) => [leaf, parent.length] as const),
    parent,
  );
}

test("scopes full of scopes that all lead outside are not laid out side by side alone", () => {
  const input = treeRead(5, 4);
  const layout = layOut(input);
  expect(layout.width / layout.height).toBeLessThan(8);
  expect(overlapping(input, layout)).toEqual([]);
  expect(outside(input, layout)).toEqual([]);
  expect(unconnected(input, layout)).toEqual([]);
  expect(throughBoxes(input, layout)).toEqual([]);
  const cache: LayoutCache = new Map();
  expect(layOut(input, cache)).toEqual(layout);
  expect(layOut(input, cache)).toEqual(layout);
});

test("wide scopes above each other make no staircase", () => {
  // Each row has its inputs at one end and its outputs at the other, and is connected to both.
  const scopes = 8;
  const row = 20;
  const parent: number[] = Array.from({ length: scopes }, () => -1);
  const pairs: [number, number][] = [];
  let before = -1;
  for (let scope = 0; scope < scopes; scope++) {
    const first = parent.length;
    for (let i = 0; i < row; i++) {
      parent.push(scope);
      if (i > 0) {
        pairs.push(i % 2 ? [first + i - 1, first + i] : [first + i, first + i - 1]);
      }
    }
    if (before >= 0) {
      pairs.push([before, first]);
    }
    before = first + row - 1;
  }
  const input = made(parent.length, pairs, parent);
  const layout = layOut(input);
  expect(layout.width).toBeLessThan(3 * Math.max(...layout.w));
  expect(throughBoxes(input, layout)).toEqual([]);
});

test("long edges of one thing are one route as far as they go together", () => {
  const chain: Pairs = [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [0, 3],
    [0, 4],
  ];
  const { routes } = layOut(made(5, chain));
  const shared = Array.from(
    { length: routes.count },
    (_, i) => (routes.bundleStart[i + 1] as number) - (routes.bundleStart[i] as number),
  );
  expect(shared.filter((number) => number === 2)).toHaveLength(1);
});

test("edges there and back take one route with two heads", () => {
  const input = made(2, [
    [0, 1],
    [1, 0],
  ]);
  const { routes } = layOut(input);
  expect([routes.count, [...routes.arrow], [...routes.back], [...routes.bundles].sort()]).toEqual([
    1,
    [1],
    [1],
    [1, 3],
  ]);
});

/** A deterministic sequence of numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

describe("hostile graphs", () => {
  const next = random(7);
  const deep = Array.from({ length: 256 }, (_, i) => i - 1);
  const cases: Record<string, LayoutInput> = {
    "no boxes": made(0, []),
    "one box": made(1, []),
    "self loops": made(2, [
      [0, 0],
      [1, 1],
    ]),
    "an opened scope with nothing in it": { ...made(1, []), open: Uint8Array.of(1) },
    "8,000 boxes without edges": made(8000, []),
    "8,000 boxes with any edges": made(
      8000,
      Array.from({ length: 12_000 }, () => [Math.floor(next() * 8000), Math.floor(next() * 8000)] as const),
    ),
    "a circle of 8,000": made(
      8000,
      Array.from({ length: 8000 }, (_, i) => [i, (i + 1) % 8000] as const),
    ),
    "a hub of 20,000 edges": made(
      20_001,
      Array.from({ length: 20_000 }, (_, i) => [0, i + 1] as const),
    ),
    "a hub beside a chain": made(
      3000,
      [...Array(2999).keys()].flatMap(
        (i): Pairs => [
          [i, i + 1],
          [0, i + 1],
        ],
      ),
    ),
    "everything connected": made(
      100,
      [...Array(100).keys()].flatMap((i) => [...Array(100).keys()].map((k) => [i, k] as const)),
    ),
    "scopes 256 deep": made(
      258,
      [
        [256, 257],
        [257, 0],
        [0, 256],
      ],
      [...deep, 255, -1],
    ),
    "an edge from the inside of a box to itself": made(
      3,
      [
        [2, 0],
        [0, 1],
      ],
      [-1, 0, 1],
    ),
  };
  test.each(Object.entries(cases))("%s", (_, input) => {
    const layout = layOut(input);
    expect(numbersOf(layout).every(Number.isFinite)).toBe(true);
    if (input.count < 1000) {
      expect(unconnected(input, layout)).toEqual([]);
      expect(overlapping(input, layout)).toEqual([]);
    }
  });
});
