// Measures of a layout.

import { type Layout, type LayoutInput, MARK_HEIGHT } from "../../../src/panels/graphs/layout/types";

export type Segment = readonly [number, number, number, number];

/** All routes as straight segments. */
export function segmentsOf({ routes: { count, start, points } }: Layout): Segment[] {
  const found: Segment[] = [];
  for (let route = 0; route < count; route++) {
    for (let k = (start[route] as number) + 1; k < (start[route + 1] as number); k++) {
      found.push([
        points[2 * k - 2] as number,
        points[2 * k - 1] as number,
        points[2 * k] as number,
        points[2 * k + 1] as number,
      ]);
    }
  }
  return found;
}

/** The number of crossings of two segments; touching ends do not count. */
export function crossings(segments: readonly Segment[]): number {
  const sorted = segments
    .filter(([ax, ay, bx, by]) => ax !== bx || ay !== by)
    .map(([ax, ay, bx, by]): Segment => (ay < by || (ay === by && ax < bx) ? [ax, ay, bx, by] : [bx, by, ax, ay]))
    .sort((a, b) => a[1] - b[1]);
  let found = 0;
  let active: Segment[] = [];
  for (const one of sorted) {
    active = active.filter((other) => other[3] > one[1]);
    for (const other of active) {
      found += areCrossing(one, other) ? 1 : 0;
    }
    active.push(one);
  }
  return found;
}

function areCrossing(a: Segment, b: Segment): boolean {
  return areApart(side(a, b[0], b[1]), side(a, b[2], b[3])) && areApart(side(b, a[0], a[1]), side(b, a[2], a[3]));
}

/** The distance of a point from the line through a segment. */
function side([ax, ay, bx, by]: Segment, x: number, y: number): number {
  return ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / Math.hypot(bx - ax, by - ay);
}

function areApart(one: number, other: number): boolean {
  return (one > 0.001 && other < -0.001) || (one < -0.001 && other > 0.001);
}

/** Left, top, right and bottom. */
export type Rectangle = readonly [number, number, number, number];

export function boxOf({ x, y, w, h }: Layout, box: number): Rectangle {
  const [left, top] = [x[box] as number, y[box] as number];
  return [left, top, left + (w[box] as number), top + (h[box] as number)];
}

/** Each box together with the icons beside it. */
export function roomsOf(input: LayoutInput, layout: Layout): Rectangle[] {
  const rooms = Array.from(
    { length: input.count },
    (_, box) => [...boxOf(layout, box)] as [number, number, number, number],
  );
  for (let mark = 0; mark < input.marks.count; mark++) {
    const room = rooms[input.marks.box[mark] as number] as [number, number, number, number];
    const [left, top] = [layout.markX[mark] as number, layout.markY[mark] as number];
    room[0] = Math.min(room[0], left);
    room[1] = Math.min(room[1], top);
    room[2] = Math.max(room[2], left + (layout.markW[mark] as number));
    room[3] = Math.max(room[3], top + MARK_HEIGHT);
  }
  return rooms;
}

/** Pairs of siblings that overlap, icons included. */
export function overlapping(input: LayoutInput, layout: Layout): string[] {
  const rooms = roomsOf(input, layout);
  const byParent = new Map<number, number[]>();
  for (let box = 0; box < input.count; box++) {
    const parent = input.parent[box] as number;
    byParent.set(parent, [...(byParent.get(parent) ?? []), box]);
  }
  const found: string[] = [];
  for (const boxes of byParent.values()) {
    boxes.sort((a, b) => (rooms[a] as Rectangle)[1] - (rooms[b] as Rectangle)[1]);
    let active: number[] = [];
    for (const one of boxes) {
      const [left, top, right] = rooms[one] as Rectangle;
      active = active.filter((other) => (rooms[other] as Rectangle)[3] > top + 0.01);
      for (const other of active) {
        const [l, , r] = rooms[other] as Rectangle;
        if (l < right - 0.01 && left < r - 0.01) {
          found.push(`${input.path[one]} and ${input.path[other]}`);
        }
      }
      active.push(one);
    }
  }
  return found;
}

/** Boxes that stick out of their parent, or of the drawing. */
export function outside(input: LayoutInput, layout: Layout): string[] {
  const rooms = roomsOf(input, layout);
  return input.path.filter((_, box) => {
    const parent = input.parent[box] as number;
    const [left, top, right, bottom] =
      parent < 0 ? ([0, 0, layout.width, layout.height] as const) : (boxOf(layout, parent) as Rectangle);
    const [l, t, r, b] = rooms[box] as Rectangle;
    const title = parent < 0 ? 0 : (layout.title[parent] as number);
    return l < left || t < top + title || r > right || b > bottom;
  });
}

/** Boxes of a scope (-1: the root) that lie in its auxiliary area, and those that lie partly in it. */
export function inAuxiliary(input: LayoutInput, layout: Layout, scope: number): readonly [number[], number[]] {
  const at = 4 * (scope < 0 ? input.count : scope);
  const [left, top, width, height] = layout.auxiliary.subarray(at, at + 4) as unknown as Rectangle;
  const rooms = roomsOf(input, layout);
  const found: [number[], number[]] = [[], []];
  input.parent.forEach((parent, box) => {
    const [l, t, r, b] = rooms[box] as Rectangle;
    if (parent === scope && l < left + width && r > left && t < top + height && b > top) {
      const isInside = l >= left && t >= top && r <= left + width && b <= top + height;
      found[isInside ? 0 : 1].push(box);
    }
  });
  return found;
}

/** Routes through a closed box that is at neither of their ends. */
export function throughBoxes(input: LayoutInput, layout: Layout): string[] {
  const { count, start, points, source, target } = layout.routes;
  const boxes = Array.from({ length: input.count }, (_, box) => box).filter((box) => !input.open[box]);
  const found: string[] = [];
  for (let route = 0; route < count; route++) {
    for (let k = (start[route] as number) + 1; k < (start[route + 1] as number); k++) {
      const [ax, ay, bx, by] = [2 * k - 2, 2 * k - 1, 2 * k, 2 * k + 1].map((i) => points[i] as number) as [
        number,
        number,
        number,
        number,
      ];
      for (const box of boxes) {
        const [left, top, right, bottom] = boxOf(layout, box);
        if (box === source[route] || box === target[route] || Math.max(ay, by) <= top || Math.min(ay, by) >= bottom) {
          continue;
        }
        // The part of the segment at the height of the box.
        const at = (y: number) =>
          ay === by
            ? ax
            : ax + ((bx - ax) * (Math.max(Math.min(ay, by), Math.min(Math.max(ay, by), y)) - ay)) / (by - ay);
        const ends = ay === by ? [ax, bx] : [at(top), at(bottom)];
        if (Math.max(...ends) > left + 0.01 && Math.min(...ends) < right - 0.01) {
          found.push(
            `${input.path[source[route] as number]} → ${input.path[target[route] as number]} through ${input.path[box]}`,
          );
        }
      }
    }
  }
  return found;
}

/** Bundles whose routes do not lead all the way from their source to an arrow head at their target. */
export function unconnected(input: LayoutInput, layout: Layout): string[] {
  const { routes } = layout;
  const routesOf = new Map<number, number[]>();
  for (let route = 0; route < routes.count; route++) {
    for (let k = routes.bundleStart[route] as number; k < (routes.bundleStart[route + 1] as number); k++) {
      const bundle = routes.bundles[k] as number;
      const list = routesOf.get(bundle);
      if (list) {
        list.push(route);
      } else {
        routesOf.set(bundle, [route]);
      }
    }
  }
  const key = (point: number) =>
    `${Math.round((routes.points[2 * point] as number) * 4)} ${Math.round((routes.points[2 * point + 1] as number) * 4)}`;
  const isOn = (box: number, point: number) => {
    const [left, top, right, bottom] = boxOf(layout, box);
    const [x, y] = [routes.points[2 * point] as number, routes.points[2 * point + 1] as number];
    return x >= left && x <= right && Math.min(Math.abs(y - top), Math.abs(y - bottom)) < 0.1;
  };
  const found: string[] = [];
  input.bundle.forEach((bundle, i) => {
    const [from, to] = [input.source[i] as number, input.target[i] as number];
    if (from === to) {
      return;
    }
    const own = routesOf.get(bundle) ?? [];
    const reached = new Set<string>();
    const ends = new Set<string>();
    const steps: (readonly [string, string])[] = [];
    for (const route of own) {
      const [first, last] = [routes.start[route] as number, (routes.start[route + 1] as number) - 1];
      steps.push([key(first), key(last)]);
      for (const [point, isArrow] of [
        [first, routes.back[route]],
        [last, routes.arrow[route]],
      ] as const) {
        if (isOn(from, point)) {
          reached.add(key(point));
        }
        if (isArrow && isOn(to, point)) {
          ends.add(key(point));
        }
      }
    }
    for (let size = -1; size < reached.size; ) {
      size = reached.size;
      for (const [a, b] of steps) {
        if (reached.has(a) || reached.has(b)) {
          reached.add(a).add(b);
        }
      }
    }
    if (![...ends].some((end) => reached.has(end))) {
      found.push(`${bundle}: ${input.path[from]} → ${input.path[to]}`);
    }
  });
  return found;
}

/** Every number in a layout. */
export function numbersOf({ routes: { room, ...routes }, ...columns }: Layout): number[] {
  const numbers = [...Object.values(columns), ...Object.values(routes)].flatMap((one) =>
    typeof one === "number" ? [one] : Array.from(one as Float32Array),
  );
  // Infinite where no route is beside one.
  return [...numbers, ...room.map((one) => (one === Infinity ? 0 : one))];
}
