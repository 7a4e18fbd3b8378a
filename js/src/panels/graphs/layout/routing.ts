// Edge routing: through the gaps between ranks, around the boxes at them.

import type { Aligned, Extents } from "./align";
import type { Stacked } from "./columns";
import type { Ordered } from "./order";

/** Routes within a scope, in columns, with the edges that are drawn along each. */
export interface ScopeRoutes {
  /** Route i has the points `start[i]` to `start[i + 1]`: x, v, x, v … */
  readonly start: number[];
  readonly points: number[];
  /** At either end a box or port, in the direction of the data. */
  readonly source: number[];
  readonly target: number[];
  /** `edges[edgeStart[i]]` to `edges[edgeStart[i + 1] - 1]`. */
  readonly edgeStart: number[];
  readonly edges: number[];
  /** 1 where it ends at its target, and not where it meets others; 2 where it begins at its source; 3 for both. */
  readonly ends: number[];
}

export function noRoutes(): ScopeRoutes {
  return { start: [0], points: [], source: [], target: [], edgeStart: [0], edges: [], ends: [] };
}

/** A component that has its place in its scope. */
export interface Placed {
  readonly ordered: Ordered;
  readonly places: Stacked;
  readonly extents: Extents;
  /** Half of the height of each box. */
  readonly half: Float64Array;
  /** Numbers of its boxes and ports, and of its edges, in the scope. */
  readonly boxes: Int32Array;
  readonly edges: Int32Array;
  /** Where its left and its bottom are in the scope, and where the lower and the upper border of that is. */
  readonly left: number;
  readonly bottom: number;
  readonly border: readonly [number, number];
}

/** Adds the routes of a component. */
export function routeEdges(routes: ScopeRoutes, placed: Placed): void {
  const { ordered, places, extents, half, boxes, edges, left, bottom, border } = placed;
  const { component, lower, upper, dummy, trunk, side, level, below, above, reversed, loose } = ordered;
  const { count } = component;
  const ports = component.bottom + component.top;
  const { turns } = places;
  const x = places.x.map((one) => one + left);
  const floor = places.floor.map((one) => one + bottom);
  const ceiling = places.ceiling.map((one) => one + bottom);
  const middle = (at: number) =>
    at < ports
      ? (border[at < component.bottom ? 0 : 1] as number)
      : ((floor[level[at] as number] as number) + (ceiling[level[at] as number] as number)) / 2;
  // Segments by what they lead between.
  const segmentOf = new Map<number, number>();
  for (const segment of turns.keys()) {
    segmentOf.set((below[segment] as number) * ordered.size + (above[segment] as number), segment);
  }

  /** One route over some stops, from below: of `by`, by whose shift it meets boxes. */
  const draw = (stops: readonly number[], by: number, of: readonly number[]): void => {
    const points: number[] = [];
    const add = (px: number, v: number) => {
      const n = points.length;
      // A point amid a straight stretch says nothing.
      if (n >= 2 && Math.abs((points[n - 2] as number) - px) < 0.01) {
        if (Math.abs((points[n - 1] as number) - v) < 0.01) {
          return;
        }
        if (n >= 4 && Math.abs((points[n - 4] as number) - px) < 0.01) {
          points[n - 1] = v;
          return;
        }
      }
      points.push(px, v);
    };
    for (let i = 0; i < stops.length; i++) {
      const at = stops[i] as number;
      const rank = level[at] as number;
      const isBox = at < count;
      let px = x[at] as number;
      if (i > 0) {
        px += isBox ? (extents.upperShift[by] as number) : 0;
        const turn = turns.size
          ? turns.get(segmentOf.get((stops[i - 1] as number) * ordered.size + at) ?? -1)
          : undefined;
        if (turn) {
          add(points[points.length - 2] as number, turn[0] + bottom);
          add(turn[1] + left, turn[0] + bottom);
          add(turn[1] + left, turn[2] + bottom);
          add(px, turn[2] + bottom);
        } else {
          add(px, floor[rank] as number);
        }
        if (isBox) {
          add(px, middle(at) - (half[at] as number));
        }
      }
      if (i === 0 && !isBox && side[trunk[by] as number] === -1) {
        add(px, floor[rank] as number);
      }
      if (i + 1 < stops.length) {
        px = (x[at] as number) + (isBox ? (extents.lowerShift[by] as number) : 0);
        if (isBox) {
          add(px, middle(at) + (half[at] as number));
        }
        add(px, ceiling[rank] as number);
      } else if (!isBox && side[trunk[by] as number] === 1) {
        add(px, ceiling[rank] as number);
      }
    }
    const isReversed = reversed[by] === 1;
    const n = points.length;
    for (let k = 0; k < n; k += 2) {
      const from = isReversed ? n - 2 - k : k;
      routes.points.push(points[from] as number, points[from + 1] as number);
    }
    routes.start.push(routes.points.length / 2);
    const [source, target] = isReversed ? [upper[by], lower[by]] : [lower[by], upper[by]];
    routes.source.push(boxes[source as number] as number);
    routes.target.push(boxes[target as number] as number);
    for (const edge of of) {
      routes.edges.push(edges[edge] as number);
    }
    routes.edgeStart.push(routes.edges.length);
    const isLow = (stops[0] as number) < count ? 1 : 0;
    const isHigh = (stops[stops.length - 1] as number) < count ? 1 : 0;
    routes.ends.push(isReversed ? isLow + 2 * isHigh : isHigh + 2 * isLow);
  };

  const sharing = new Map<number, number[]>();
  for (let i = 0; i < lower.length; i++) {
    const at = trunk[i] as number;
    if (loose[i] || at < 0) {
      draw([lower[i] as number, upper[i] as number], i, [i]);
    } else {
      const others = sharing.get(at);
      if (others) {
        others.push(i);
      } else {
        sharing.set(at, [i]);
      }
    }
  }
  const last = (edge: number) =>
    (dummy[edge] as number) + (level[upper[edge] as number] as number) - (level[lower[edge] as number] as number) - 2;
  for (const [at, list] of sharing) {
    if (side[at] === 1) {
      // Together from below, parting one after the other.
      list.sort((a, b) => last(a) - last(b));
      let stops = [lower[list[0] as number] as number];
      let next = dummy[list[0] as number] as number;
      for (let i = 0; i < list.length; ) {
        const edge = list[i] as number;
        const until = last(edge);
        while (next <= until) {
          stops.push(next++);
        }
        let others = i + 1;
        while (others < list.length && last(list[others] as number) === until) {
          others++;
        }
        if (others - i === 1 && others === list.length) {
          draw([...stops, upper[edge] as number], edge, [edge]);
        } else {
          draw(stops, edge, list.slice(i));
          for (let k = i; k < others; k++) {
            draw([until, upper[list[k] as number] as number], list[k] as number, [list[k] as number]);
          }
        }
        stops = [until];
        i = others;
      }
    } else {
      list.sort((a, b) => (dummy[b] as number) - (dummy[a] as number));
      let stops = [upper[list[0] as number] as number];
      let next = last(list[0] as number);
      for (let i = 0; i < list.length; ) {
        const edge = list[i] as number;
        const until = dummy[edge] as number;
        while (next >= until) {
          stops.unshift(next--);
        }
        let others = i + 1;
        while (others < list.length && dummy[list[others] as number] === until) {
          others++;
        }
        draw(stops, edge, list.slice(i));
        for (let k = i; k < others; k++) {
          draw([lower[list[k] as number] as number, until], list[k] as number, [list[k] as number]);
        }
        stops = [until];
        i = others;
      }
    }
  }
}

// Where edges meet boxes: side by side, in the order of what they come from, and together where they share a route.

/** Part of a scope whose boxes hang together. */
export interface Part {
  readonly ordered: Aligned;
  /** Numbers of its boxes and ports, and of its edges, in the scope. */
  readonly boxes: Int32Array;
  readonly edges: Int32Array;
}

/** Columns of the edges of a scope; of pairs, the first is about their sources, the second about their targets. */
export interface Attachments {
  /** 1 if its data flows downwards. */
  readonly reversed: Uint8Array;
  /** An edge with which it shares the place where it meets the box. */
  readonly meets: readonly [Int32Array, Int32Array];
  /** There, its place among others from left to right. */
  readonly sequence: readonly [Int32Array, Int32Array];
  /** How many places it meets the box to the right of the middle. */
  readonly step: readonly [Int32Array, Int32Array];
}

export function attachmentsOf(parts: readonly Part[], edges: number): Attachments {
  const columns = () => [new Int32Array(edges), new Int32Array(edges)] as const;
  const found = {
    reversed: new Uint8Array(edges),
    meets: columns(),
    sequence: columns(),
    step: columns(),
  };
  for (const part of parts) {
    for (const direction of [0, 1] as const) {
      attach(part, direction, found);
    }
  }
  return found;
}

/** Finds the edges that meet the boxes of a part from above (`direction` 0) or from below (1). */
function attach({ ordered, edges }: Part, direction: 0 | 1, { reversed, meets, sequence, step }: Attachments): void {
  const { lower, upper, dummy, trunk, side, level, position, below, above, edge: by, straight } = ordered;
  const ends = direction ? upper : lower;
  const first = new Map<number, number>();
  const lists = new Map<number, number[]>();
  edges.forEach((edge, i) => {
    const low = lower[i] as number;
    const high = upper[i] as number;
    const turned = ordered.reversed[i] as number;
    const at = (turned ^ direction) as 0 | 1;
    const from = dummy[i] as number;
    const last = from + (level[high] as number) - (level[low] as number) - 2;
    reversed[edge] = turned;
    sequence[at][edge] = position[from < 0 ? (direction ? low : high) : direction ? last : from] as number;
    const isShared = from >= 0 && side[trunk[i] as number] === (direction ? -1 : 1);
    const other = isShared ? first.get(trunk[i] as number) : undefined;
    meets[at][edge] = other ?? edge;
    if (other === undefined) {
      first.set(trunk[i] as number, edge);
      const end = ends[i] as number;
      const list = lists.get(end);
      if (list) {
        list.push(i);
      } else {
        lists.set(end, [i]);
      }
    }
  });
  const isStraight = new Uint8Array(edges.length);
  for (const segment of straight) {
    if (segment >= 0 && (direction ? above : below)[segment] === ends[by[segment] as number]) {
      isStraight[by[segment] as number] = 1;
    }
  }
  const place = (i: number) =>
    sequence[((ordered.reversed[i] as number) ^ direction) as 0 | 1][edges[i] as number] as number;
  for (const list of lists.values()) {
    list.sort((a, b) => place(a) - place(b));
    // A straight edge meets the middle; without one, the middle edge does.
    const found = list.findIndex((i) => isStraight[i]);
    const middle = found < 0 ? list.length >> 1 : found;
    list.forEach((i, k) => {
      const at = ((ordered.reversed[i] as number) ^ direction) as 0 | 1;
      step[at][edges[i] as number] = k - middle;
    });
  }
  edges.forEach((edge, i) => {
    const at = ((ordered.reversed[i] as number) ^ direction) as 0 | 1;
    step[at][edge] = step[at][meets[at][edge] as number] as number;
  });
}
