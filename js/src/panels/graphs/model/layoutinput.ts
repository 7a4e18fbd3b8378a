// A view → what is laid out: which boxes are taken out of the main drawing, which groups of edges are lines, and what is
// drawn beside boxes instead.

import type { LayoutInput } from "../layout/types";
import { extract } from "./auxiliary";
import { writtenLabels } from "./labels";
import { type Lifted, lift } from "./lifted";
import { makeMarks, type Partner } from "./marks";
import { Role, type Structure } from "./structure";
import { rowOf } from "./tree";
import { BoxKind, type View } from "./view";

export interface LayoutOptions {
  /** Paths of boxes that the user wants in the main drawing, and out of it. */
  readonly main: ReadonlySet<string>;
  readonly auxiliary: ReadonlySet<string>;
  /** Ops whose nodes are drawn nowhere. */
  readonly hiddenOps?: ReadonlySet<string>;
}

/** A box outside an opened one is led by lines to so many boxes inside; where it is more, a line to the border stands for all. */
const MOST_BRIDGES = 4;

export function layoutInput(view: View, structure: Structure | null, options: LayoutOptions): LayoutInput {
  const { count, edges } = view;
  const label = writtenLabels(view);
  const lifted = lift(view);
  const { area, shortcut } = extractAll(view, lifted, options);
  const bridges = countBridges(view, lifted);
  const group: number[] = [];
  const source: number[] = [];
  const target: number[] = [];
  const partners: Partner[] = [];
  const isKept = (box: number) => view.role[box] !== Role.BOOKKEEPING && view.role[box] !== Role.LARGE;
  for (let number = 0; number < edges.count; number += 1) {
    const from = edges.source[number] as number;
    const to = edges.target[number] as number;
    if (from === to) {
      continue;
    }
    const pair = lifted.pairOfGroup[number] as number;
    const outer = lifted.source[pair] as number;
    const inner = lifted.target[pair] as number;
    const isShortcut = shortcut[pair] === 1;
    const isCutAtSource = outer !== from && (bridges.get(outer * count + to) ?? 0) > MOST_BRIDGES;
    const isCutAtTarget = inner !== to && (bridges.get(from * count + inner) ?? 0) > MOST_BRIDGES;
    const control = edges.data[number] === 0 ? 1 : 0;
    // A mark of bookkeeping tells what its box is for. On the box that is initialized or saved, the mark would tell nothing.
    const hasMark = (box: number, about: number) => !isShortcut || isKept(about) || !isKept(box);
    if ((isShortcut || isCutAtSource) && hasMark(from, to)) {
      partners.push({ box: from, side: 1, about: to, control });
    }
    if ((isShortcut || isCutAtTarget) && hasMark(to, from)) {
      partners.push({ box: to, side: 0, about: from, control });
    }
    if (!isShortcut) {
      group.push(number);
      source.push(isCutAtSource ? outer : from);
      target.push(isCutAtTarget ? inner : to);
    }
  }
  return {
    count,
    parent: view.parent,
    open: view.open,
    kind: view.kind,
    copies: view.copies,
    unordered: view.unordered,
    nodes: view.nodes,
    label,
    path: view.path,
    area,
    group: Int32Array.from(group),
    source: Int32Array.from(source),
    target: Int32Array.from(target),
    control: Uint8Array.from(group, (number) => (edges.data[number] === 0 ? 1 : 0)),
    size: Float64Array.from(group, (number) =>
      (edges.data[number] as number) > 0 ? (edges.size[number] as number) : 0,
    ),
    marks: makeMarks(view, structure, label, partners, options.hiddenOps),
  };
}

/** `Area` of each box, and which pairs of siblings are not connected by lines. */
function extractAll(view: View, lifted: Lifted, { main, auxiliary }: LayoutOptions) {
  const area = new Uint8Array(view.count);
  const shortcut = new Uint8Array(lifted.count);
  const place = new Int32Array(view.count);
  const isNode = (box: number) => view.kind[box] === BoxKind.NODE || view.kind[box] === BoxKind.MISSING;
  for (let row = 0; row <= view.count; row += 1) {
    const boxes = rowOf(lifted.boxesIn, row);
    if (boxes.length === 0) {
      continue;
    }
    for (const [number, box] of boxes.entries()) {
      place[box] = number;
    }
    // What is inside a closed scope is no edge of the scope around it.
    const pairs = rowOf(lifted.pairsIn, row).filter(
      (pair) => lifted.source[pair] !== lifted.target[pair] || isNode(lifted.source[pair] as number),
    );
    const flags = (holds: (box: number) => boolean) => Uint8Array.from(boxes, (box) => (holds(box) ? 1 : 0));
    const made = extract({
      count: boxes.length,
      source: pairs.map((pair) => place[lifted.source[pair] as number] as number),
      target: pairs.map((pair) => place[lifted.target[pair] as number] as number),
      controlOnly: Uint8Array.from(pairs, (pair) => lifted.controlOnly[pair] as number),
      role: Uint8Array.from(boxes, (box) => view.role[box] as number),
      kept: flags((box) => main.has(view.path[box] as string)),
      removed: flags((box) => auxiliary.has(view.path[box] as string)),
    });
    for (const [number, box] of boxes.entries()) {
      area[box] = made.area[number] as number;
    }
    for (const [number, pair] of pairs.entries()) {
      shortcut[pair] = made.shortcut[number] as number;
    }
  }
  return { area, shortcut };
}

/** How many groups of edges lead from one end into an opened box that the other end is in, by end and box or box and end. */
function countBridges({ count, edges }: View, { source, target, pairOfGroup }: Lifted): Map<number, number> {
  const bridges = new Map<number, number>();
  const add = (from: number, to: number) => {
    const key = from * count + to;
    bridges.set(key, (bridges.get(key) ?? 0) + 1);
  };
  for (let group = 0; group < edges.count; group += 1) {
    const pair = pairOfGroup[group] as number;
    const from = edges.source[group] as number;
    const to = edges.target[group] as number;
    const outer = source[pair] as number;
    const inner = target[pair] as number;
    if (outer === inner) {
      continue;
    }
    if (outer !== from) {
      add(outer, to);
    }
    if (inner !== to) {
      add(from, inner);
    }
  }
  return bridges;
}
