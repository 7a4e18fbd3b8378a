// Inputs of the layout in tests: scopes and views of real graphs, and made-up ones.

import type { LayoutInput } from "../../../src/panels/graphs/layout/types";
import { BoxKind } from "../../../src/panels/graphs/model/view";
import scopesRead from "../../fixtures/scopes.json";
import viewsRead from "../../fixtures/views.json";

/** Boxes without a given order, and edges between them: [from, to] or, for control edges, [from, to, 1]. */
export type Pairs = readonly (readonly [number, number, number?])[];

const NO_MARKS: LayoutInput["marks"] = {
  count: 0,
  box: new Int32Array(0),
  kind: new Uint8Array(0),
  side: new Uint8Array(0),
  about: new Int32Array(0),
  label: [],
  control: new Uint8Array(0),
};

/** Only some bundles of a view have routes. */
function numberOf(index: number): number {
  return 2 * index + 1;
}

/** Numbers of elements of a bundle's tensors, of all magnitudes. */
function sizeOf(index: number): number {
  return 10 ** (index % 8);
}

/** Ops and the edges between them; `parent` nests them. */
export function made(count: number, pairs: Pairs, parent: readonly number[] = []): LayoutInput {
  const open = new Uint8Array(count);
  for (const one of parent) {
    if (one >= 0) {
      open[one] = 1;
    }
  }
  const label = Array.from({ length: count }, (_, i) => `n${i}`);
  return {
    count,
    parent: Int32Array.from({ length: count }, (_, i) => parent[i] ?? -1),
    open,
    kind: open.map((one) => (one ? BoxKind.SCOPE : BoxKind.NODE)),
    copies: new Int32Array(count).fill(1),
    unordered: new Uint8Array(count),
    nodes: new Int32Array(count).fill(1),
    label,
    path: label,
    area: new Uint8Array(count),
    bundle: Int32Array.from(pairs, (_, i) => numberOf(i)),
    source: Int32Array.from(pairs, ([from]) => from),
    target: Int32Array.from(pairs, ([, to]) => to),
    control: Uint8Array.from(pairs, ([, , control]) => control ?? 0),
    size: Float64Array.from(pairs, (_, i) => sizeOf(i)),
    marks: NO_MARKS,
  };
}

/** One scope each, with all boxes closed and all in the main drawing. */
export const scopes: ReadonlyMap<string, LayoutInput> = new Map(
  Object.entries(scopesRead).map(([name, { letters, op, nodes, source, target, control }]) => {
    const isControl = new Set(control);
    const pairs = source.map((from, i) => [from, target[i] as number, isControl.has(i) ? 1 : 0] as const);
    const base = made(letters.length, pairs);
    return [
      name,
      {
        ...base,
        kind: Uint8Array.from(op, (one) => (one ? BoxKind.NODE : BoxKind.SCOPE)),
        nodes: Int32Array.from(nodes),
        label: letters.map((length) => "x".repeat(length)),
      },
    ];
  }),
);

/** Views with opened scopes, auxiliary areas and icons. */
export const views: ReadonlyMap<string, LayoutInput> = new Map(
  Object.entries(viewsRead).map(([name, one]) => {
    const labels = one.labels.split("\n");
    const count = labels.length;
    const path: string[] = [];
    const named = new Map<string, number>();
    for (let box = 0; box < count; box++) {
      const around = one.parent[box] as number;
      const name = around < 0 ? (labels[box] as string) : `${path[around]}/${labels[box]}`;
      const before = named.get(name) ?? 0;
      named.set(name, before + 1);
      // Two boxes may have the same label.
      path.push(before ? `${name} (${before + 1})` : name);
    }
    const flags = (list: readonly number[], length: number) => {
      const found = new Uint8Array(length);
      for (const i of list) {
        found[i] = 1;
      }
      return found;
    };
    const { box, side } = one.marks;
    const markLabels = one.marks.labels.split("\n").slice(0, box.length);
    const copies: Partial<Record<string, number>> = one.copies;
    const area: Partial<Record<string, number>> = one.area;
    const input: LayoutInput = {
      count,
      parent: Int32Array.from(one.parent),
      open: flags(one.open, count),
      kind: Uint8Array.from(one.kind),
      copies: Int32Array.from({ length: count }, (_, i) => copies[i] ?? 1),
      unordered: new Uint8Array(count),
      nodes: Int32Array.from(one.nodes),
      label: labels,
      path,
      area: Uint8Array.from({ length: count }, (_, i) => area[i] ?? 0),
      bundle: Int32Array.from(one.source, (_, i) => numberOf(i)),
      source: Int32Array.from(one.source),
      target: Int32Array.from(one.target),
      control: flags(one.control, one.source.length),
      size: Float64Array.from(one.source, (_, i) => sizeOf(i)),
      marks: {
        count: box.length,
        box: Int32Array.from(box),
        kind: new Uint8Array(box.length).fill(1),
        side: Uint8Array.from(side),
        about: new Int32Array(box.length),
        label: markLabels,
        control: new Uint8Array(box.length),
      },
    };
    return [name, input];
  }),
);

/** The same view with a box closed: edges into its contents then lead to the box. */
export function closed(input: LayoutInput, box: number): LayoutInput {
  const to = new Int32Array(input.count);
  const kept: number[] = [];
  for (let one = 0; one < input.count; one++) {
    const around = input.parent[one] as number;
    const isInside = around >= 0 && (around === box || to[around] === -2 - box);
    if (isInside) {
      to[one] = -2 - box;
    } else {
      to[one] = kept.length;
      kept.push(one);
    }
  }
  const at = (one: number) => ((to[one] as number) < 0 ? (to[box] as number) : (to[one] as number));
  const seen = new Map<number, number>();
  const source: number[] = [];
  const target: number[] = [];
  const control: number[] = [];
  for (let bundle = 0; bundle < input.bundle.length; bundle++) {
    const from = at(input.source[bundle] as number);
    const end = at(input.target[bundle] as number);
    const key = from * input.count + end;
    const known = seen.get(key);
    if (known !== undefined) {
      (control[known] as number) &= input.control[bundle] as number;
    } else if (from !== end) {
      seen.set(key, source.length);
      source.push(from);
      target.push(end);
      control.push(input.control[bundle] as number);
    }
  }
  const pick = (column: Uint8Array) => Uint8Array.from(kept, (one) => column[one] as number);
  return {
    count: kept.length,
    parent: Int32Array.from(kept, (one) => {
      const around = input.parent[one] as number;
      return around < 0 ? -1 : (to[around] as number);
    }),
    open: Uint8Array.from(kept, (one) => (one === box ? 0 : (input.open[one] as number))),
    kind: pick(input.kind),
    copies: Int32Array.from(kept, (one) => input.copies[one] as number),
    unordered: pick(input.unordered),
    nodes: Int32Array.from(kept, (one) => input.nodes[one] as number),
    label: kept.map((one) => input.label[one] as string),
    path: kept.map((one) => input.path[one] as string),
    area: pick(input.area),
    bundle: Int32Array.from(source, (_, i) => numberOf(i)),
    source: Int32Array.from(source),
    target: Int32Array.from(target),
    control: Uint8Array.from(control),
    size: Float64Array.from(source, (_, i) => sizeOf(i)),
    marks: NO_MARKS,
  };
}
