// Small scenes, for the tests of drawing: boxes in the order of the list, each with its position.

import type { Scene } from "../../src/panels/graphs/draw/scene";
import { roomsOf } from "../../src/panels/graphs/layout/layout";
import { type Layout, type LayoutInput, levelIn, type Marks } from "../../src/panels/graphs/layout/types";
import type { Rows } from "../../src/panels/graphs/model/structure";
import { BoxKind, type View } from "../../src/panels/graphs/model/view";

export interface BoxOf {
  readonly path: string;
  readonly at: readonly [x: number, y: number, w: number, h: number];
  readonly kind?: number;
  readonly parent?: number;
  readonly open?: boolean;
  readonly copies?: number;
  readonly nodes?: number;
}

export interface EdgeOf {
  readonly from: number;
  readonly to: number;
  readonly data?: number;
  readonly control?: number;
  readonly reference?: number;
  readonly shape?: string;
  readonly size?: number;
  /** The bundle has no route. */
  readonly hidden?: boolean;
}

/** A mark beside a box: kind, side, subject. */
export type MarkOf = readonly [box: number, kind: number, side: 0 | 1, about: number];

export function sceneOf(boxes: readonly BoxOf[], edges: readonly EdgeOf[] = [], marks: readonly MarkOf[] = []): Scene {
  const ints = (values: readonly number[]) => Int32Array.from(values);
  const bytes = (values: readonly number[]) => Uint8Array.from(values);
  const floats = (values: readonly number[]) => Float32Array.from(values);
  const count = boxes.length;
  const view: View = {
    count,
    path: boxes.map(({ path }) => path),
    label: boxes.map(({ path }) => path.slice(path.lastIndexOf("/") + 1)),
    kind: bytes(boxes.map(({ kind = BoxKind.NODE }) => kind)),
    parent: ints(boxes.map(({ parent = -1 }) => parent)),
    entry: ints(boxes.map(() => -1)),
    op: boxes.map(({ kind = BoxKind.NODE }) => (kind === BoxKind.NODE ? "MatMul" : "")),
    nodes: ints(boxes.map(({ nodes = 1 }) => nodes)),
    copies: ints(boxes.map(({ copies = 1 }) => copies)),
    odd: boxes.map(() => []),
    alike: ints(boxes.map(() => -1)),
    unordered: new Uint8Array(count),
    role: new Uint8Array(count),
    open: bytes(boxes.map(({ open = false }) => Number(open))),
    edges: {
      count: edges.length,
      source: ints(edges.map(({ from }) => from)),
      target: ints(edges.map(({ to }) => to)),
      data: ints(edges.map(({ data = 1 }) => data)),
      control: ints(edges.map(({ control = 0 }) => control)),
      reference: ints(edges.map(({ reference = 0 }) => reference)),
      size: Float64Array.from(edges, ({ size = 1 }) => size),
      shape: edges.map(({ shape = "" }) => shape),
      // Each edge has its number of tensors; all are different.
      tensors: rowsOf(edges.map(({ data = 1 }) => data)),
    },
  };
  const drawn = edges.map((_, bundle) => bundle).filter((bundle) => edges[bundle]?.hidden !== true);
  const input: LayoutInput = {
    ...view,
    area: new Uint8Array(count),
    bundle: ints(drawn),
    source: ints(drawn.map((bundle) => view.edges.source[bundle] as number)),
    target: ints(drawn.map((bundle) => view.edges.target[bundle] as number)),
    control: bytes(drawn.map((bundle) => Number(view.edges.data[bundle] === 0))),
    size: Float64Array.from(drawn, (bundle) => (view.edges.data[bundle] ? (view.edges.size[bundle] as number) : 0)),
    marks: marksOf(marks),
  };
  const routes = {
    count: drawn.length,
    start: ints([0, ...drawn.map((_, route) => 2 * (route + 1))]),
    // From the middle of the upper side of the source to the middle of the lower side of the target.
    points: floats(
      drawn.flatMap((bundle) => {
        const [x, y, w] = boxes[edges[bundle]?.from ?? 0]?.at ?? [0, 0, 0];
        const [left, top, width, height] = boxes[edges[bundle]?.to ?? 0]?.at ?? [0, 0, 0, 0];
        return [x + w / 2, y, left + width / 2, top + height];
      }),
    ),
  };
  const rooms = roomsOf(routes);
  const layout: Layout = {
    width: Math.max(0, ...boxes.map(({ at: [x, , w] }) => x + w)),
    height: Math.max(0, ...boxes.map(({ at: [, y, , h] }) => y + h)),
    x: floats(boxes.map(({ at }) => at[0])),
    y: floats(boxes.map(({ at }) => at[1])),
    w: floats(boxes.map(({ at }) => at[2])),
    h: floats(boxes.map(({ at }) => at[3])),
    title: floats(boxes.map(({ open = false }) => (open ? 22 : 0))),
    auxiliary: new Float32Array(4 * (count + 1)),
    markX: floats(marks.map(([box, , side]) => place(boxes, box, side))),
    markY: floats(marks.map(([box]) => boxes[box]?.at[1] ?? 0)),
    markW: floats(marks.map(() => 40)),
    routes: {
      ...routes,
      source: input.source,
      target: input.target,
      bundleStart: ints([0, ...drawn.map((_, route) => route + 1)]),
      bundles: ints(drawn),
      arrow: bytes(drawn.map(() => 1)),
      back: bytes(drawn.map(() => 0)),
      level: bytes(drawn.map((_, route) => levelIn(rooms[route] as number, input.size[route] as number))),
      room: rooms,
    },
  };
  return {
    view,
    input,
    layout,
    fills: boxes.map(() => []),
    faint: new Uint8Array(count),
    marked: new Uint8Array(count),
    emphasized: new Uint8Array(edges.length),
    note: boxes.map(() => ""),
  };
}

function marksOf(marks: readonly MarkOf[]): Marks {
  return {
    count: marks.length,
    box: Int32Array.from(marks, ([box]) => box),
    kind: Uint8Array.from(marks, ([, kind]) => kind),
    side: Uint8Array.from(marks, ([, , side]) => side),
    about: Int32Array.from(marks, ([, , , about]) => about),
    label: marks.map(([box]) => `mark of ${box}`),
    control: new Uint8Array(marks.length),
  };
}

function place(boxes: readonly BoxOf[], box: number, side: 0 | 1): number {
  const [x, , w] = boxes[box]?.at ?? [0, 0, 0, 0];
  return side === 0 ? x - 44 : x + w + 4;
}

/** Rows of these lengths; each number occurs once. */
function rowsOf(lengths: readonly number[]): Rows {
  const start = new Int32Array(lengths.length + 1);
  for (const [row, length] of lengths.entries()) {
    start[row + 1] = (start[row] as number) + length;
  }
  return { start, items: Int32Array.from({ length: start.at(-1) ?? 0 }, (_, item) => item) };
}
