// A view → the input of the layout: boxes that leave the main drawing, bundles with a route, and icons beside boxes.

import { Area, type LayoutInput, MarkKind, type Marks } from "../layout/types";
import { orderPairs } from "./bundles";
import { Inlined, Role, type Rows, type Structure } from "./structure";
import { rowOf, rowsBy } from "./tree";
import { BoxKind, type View } from "./view";

export interface LayoutOptions {
  /** Paths of boxes that the user wants in the main drawing, and out of it. */
  readonly main: ReadonlySet<string>;
  readonly auxiliary: ReadonlySet<string>;
  /** Ops whose nodes are drawn nowhere. */
  readonly hiddenOps?: ReadonlySet<string>;
}

/** Most routes from an outside box to boxes inside an opened one; with more, one route to the border stands for all. */
const MAX_BRIDGES = 4;

export function layoutInput(view: View, structure: Structure | null, options: LayoutOptions): LayoutInput {
  const { count, edges } = view;
  const label = writtenLabels(view);
  const lifted = lift(view);
  const { area, shortcut } = extractAll(view, lifted, options);
  const bridges = countBridges(view, lifted);
  const bundle: number[] = [];
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
    const pair = lifted.pairOfBundle[number] as number;
    const outer = lifted.source[pair] as number;
    const inner = lifted.target[pair] as number;
    const isShortcut = shortcut[pair] === 1;
    const isCutAtSource = outer !== from && (bridges.get(outer * count + to) ?? 0) > MAX_BRIDGES;
    const isCutAtTarget = inner !== to && (bridges.get(from * count + inner) ?? 0) > MAX_BRIDGES;
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
      bundle.push(number);
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
    bundle: Int32Array.from(bundle),
    source: Int32Array.from(source),
    target: Int32Array.from(target),
    control: Uint8Array.from(bundle, (number) => (edges.data[number] === 0 ? 1 : 0)),
    size: Float64Array.from(bundle, (number) =>
      (edges.data[number] as number) > 0 ? (edges.size[number] as number) : 0,
    ),
    marks: makeMarks(view, structure, label, partners, options.hiddenOps),
  };
}

/** `Area` of each box, and which pairs of siblings are not connected by routes. */
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
    // An edge inside a closed scope is no edge of the scope around it.
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

/** How many bundles lead from one end into an opened box that the other end is in, by end and box or box and end. */
function countBridges({ count, edges }: View, { source, target, pairOfBundle }: Lifted): Map<number, number> {
  const bridges = new Map<number, number>();
  const add = (from: number, to: number) => {
    const key = from * count + to;
    bridges.set(key, (bridges.get(key) ?? 0) + 1);
  };
  for (let bundle = 0; bundle < edges.count; bundle += 1) {
    const pair = pairOfBundle[bundle] as number;
    const from = edges.source[bundle] as number;
    const to = edges.target[bundle] as number;
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

// The edges between the boxes of each opened scope: those of a view, with both ends lifted to siblings.

/** Pairs of siblings with edges between what they are or hold, in columns. */
export interface Lifted {
  readonly count: number;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** 1 where no data edge is among them. */
  readonly controlOnly: Uint8Array;
  /** Pair of each bundle of the view. */
  readonly pairOfBundle: Int32Array;
  /** By the box around both, plus one: pairs, and boxes. */
  readonly pairsIn: Rows;
  readonly boxesIn: Rows;
}

/** Lifts the ends of each bundle to the children of the innermost box around both; of an end in the other, to that one. */
export function lift({ count: boxes, parent, edges }: View): Lifted {
  const depth = new Int32Array(boxes);
  for (let box = 0; box < boxes; box += 1) {
    const around = parent[box] as number;
    depth[box] = around < 0 ? 0 : (depth[around] as number) + 1;
  }
  const left = edges.source.slice();
  const right = edges.target.slice();
  for (let bundle = 0; bundle < edges.count; bundle += 1) {
    let from = left[bundle] as number;
    let to = right[bundle] as number;
    while ((depth[from] as number) > (depth[to] as number)) {
      from = parent[from] as number;
    }
    while ((depth[to] as number) > (depth[from] as number)) {
      to = parent[to] as number;
    }
    while (parent[from] !== parent[to]) {
      from = parent[from] as number;
      to = parent[to] as number;
    }
    left[bundle] = from;
    right[bundle] = to;
  }
  const firsts: number[] = [];
  const pairOfBundle = new Int32Array(edges.count);
  const hasData: boolean[] = [];
  let before = -1;
  for (const bundle of orderPairs(left, right, boxes)) {
    if (before < 0 || left[bundle] !== left[before] || right[bundle] !== right[before]) {
      firsts.push(bundle);
      hasData.push(false);
    }
    before = bundle;
    pairOfBundle[bundle] = firsts.length - 1;
    hasData[firsts.length - 1] ||= (edges.data[bundle] as number) > 0;
  }
  const source = Int32Array.from(firsts, (bundle) => left[bundle] as number);
  return {
    count: firsts.length,
    source,
    target: Int32Array.from(firsts, (bundle) => right[bundle] as number),
    controlOnly: Uint8Array.from(hasData, (has) => (has ? 0 : 1)),
    pairOfBundle,
    pairsIn: rowsBy(
      source.map((box) => (parent[box] as number) + 1),
      boxes + 1,
    ),
    boxesIn: rowsBy(
      parent.map((around) => around + 1),
      boxes + 1,
    ),
  };
}

// Icons at the sides of boxes: embedded nodes, and ends of edges that are not drawn as routes.

/** Icons on a side of a box; behind them stands how many there are more. */
const MAX_MARKS = 5;

/** An end of a bundle that is not drawn as a route all the way. */
export interface Partner {
  readonly box: number;
  /** As in `Marks`. */
  readonly side: 0 | 1;
  /** The box at the other end. */
  readonly about: number;
  readonly control: 0 | 1;
}

interface Mark {
  readonly kind: number;
  readonly about: number;
  readonly label: string;
  readonly control: 0 | 1;
}

/** The marks of all boxes; `labels` are those written on boxes. */
export function makeMarks(
  view: View,
  structure: Structure | null,
  labels: readonly string[],
  partners: readonly Partner[],
  hiddenOps: ReadonlySet<string> | undefined,
): Marks {
  const partnersAt = rowsBy(
    partners.map(({ box, side }) => 2 * box + side),
    2 * view.count,
  );
  const box: number[] = [];
  const side: number[] = [];
  const made: Mark[] = [];
  for (let row = 0; row < 2 * view.count; row += 1) {
    const at = row >> 1;
    const marks =
      structure === null ? [] : embeddedBeside(structure, view.entry[at] as number, row % 2 === 1, hiddenOps);
    for (const number of rowOf(partnersAt, row)) {
      const { about, control } = partners[number] as Partner;
      marks.push({ kind: MarkKind.PARTNER, about, label: labels[about] as string, control });
    }
    const more = marks.length - MAX_MARKS;
    if (more > 0) {
      marks.splice(MAX_MARKS, more, { kind: MarkKind.MORE, about: more, label: `+${more}`, control: 0 });
    }
    for (const mark of marks) {
      box.push(at);
      side.push(row % 2);
      made.push(mark);
    }
  }
  return {
    count: made.length,
    box: Int32Array.from(box),
    kind: Uint8Array.from(made, ({ kind }) => kind),
    side: Uint8Array.from(side),
    about: Int32Array.from(made, ({ about }) => about),
    label: made.map(({ label }) => label),
    control: Uint8Array.from(made, ({ control }) => control),
  };
}

/** Inlined nodes at the sides of a node: summaries on the side of its outputs, all else on that of its inputs. */
function embeddedBeside(
  structure: Structure,
  node: number,
  summaries: boolean,
  hiddenOps: ReadonlySet<string> | undefined,
): Mark[] {
  const { root, annotations, embedded, op, ops } = structure;
  if (node < 0 || node >= root) {
    return [];
  }
  const shown = rowOf(annotations, node).filter(
    (other) =>
      (embedded[other] === Inlined.SUMMARY) === summaries &&
      hiddenOps?.has(ops[op[other] as number] as string) !== true,
  );
  return Array.from(shown, (other) => ({
    kind: embedded[other] as number,
    about: other,
    label: embeddedLabel(structure, other),
    control: 0,
  }));
}

/** The last part of an embedded node's name, or what it does. */
function embeddedLabel({ labels, callLabels }: Structure, node: number): string {
  const label = labels[node] as string;
  return callLabels.get(node) ?? (label.slice(label.lastIndexOf("/") + 1) || label);
}

// Labels of boxes: of siblings whose names begin alike, what tells them apart.

/** Beginnings shorter than that are not worth leaving out. */
const MIN_OMITTED_CHARACTERS = 4;

const SEPARATOR = /[\s_./:-]/u;
const DIGIT = /[0-9]/;
const LETTER = /\p{L}/u;

/** Of each box its label, without the beginning that it shares with all boxes beside it or with the box around it. */
export function writtenLabels({ count, parent, label }: Pick<View, "count" | "parent" | "label">): string[] {
  const written = [...label];
  const siblings = rowsBy(
    parent.map((around) => around + 1),
    count + 1,
  );
  for (let row = 0; row <= count; row += 1) {
    const boxes = rowOf(siblings, row);
    const labels = Array.from(boxes, (box) => label[box] as string);
    const shared = sharedStart(labels);
    const around = row > 0 ? (label[row - 1] as string) : "";
    for (const [i, own] of labels.entries()) {
      const start = own.startsWith(around) ? Math.max(shared, cutAt([own], around.length)) : shared;
      written[boxes[i] as number] = start >= MIN_OMITTED_CHARACTERS ? `…${own.slice(start)}` : own;
    }
  }
  return written;
}

/** How many characters all labels begin with alike, and that none of them needs. */
function sharedStart(labels: readonly string[]): number {
  const [first, ...others] = labels;
  if (first === undefined || others.length === 0) {
    return 0;
  }
  let length = first.length;
  for (const label of others) {
    let same = 0;
    while (same < length && label[same] === first[same]) {
      same += 1;
    }
    length = same;
  }
  return cutAt(labels, length);
}

/** The last place up to `most` at which a word begins in all labels and behind which all have a word left. */
function cutAt(labels: readonly string[], most: number): number {
  let cut = most;
  while (
    cut >= MIN_OMITTED_CHARACTERS &&
    !labels.every((label) => isStart(label, cut) && LETTER.test(label.slice(cut)))
  ) {
    cut -= 1;
  }
  // What separates the words goes with what is left: "…_bn".
  return cut > 0 && SEPARATOR.test(labels[0]?.[cut - 1] ?? "") ? cut - 1 : cut;
}

function isStart(label: string, at: number): boolean {
  const before = label[at - 1] ?? "";
  const behind = label[at] ?? "";
  return SEPARATOR.test(before) || SEPARATOR.test(behind) || DIGIT.test(before) !== DIGIT.test(behind);
}

// Boxes of a scope that are drawn beside it: bookkeeping, and small sources of scalars that very many boxes read. Twin of
// tbwidget/graph/auxiliary.py.

/** Scopes with fewer boxes keep sources that many of them read. */
const MIN_BOXES = 15;

/** A source with fewer readers is never taken out. */
const MIN_DEGREE = 5;

/** A box with more has its control edges drawn as shortcuts. */
const MAX_CONTROL_EDGES = 4;

/** Interquartile ranges above the third quartile. */
const SPREAD = 4;

type Flags = Uint8Array;

/** The boxes of one scope by number, and the edges between them, each pair of ends once. */
interface Siblings {
  readonly count: number;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** By edge: it carries no data. */
  readonly controlOnly: Flags;
  /** `Role` of each box. */
  readonly role: Uint8Array;
  /** By box: the user wants it in the main drawing, or out of it. */
  readonly kept: Flags;
  readonly removed: Flags;
}

interface Extraction {
  /** `Area` of each box. */
  readonly area: Uint8Array;
  /** By edge: drawn as marks at its ends instead of a route. */
  readonly shortcut: Flags;
}

/**
 * Decide which boxes are taken out. An edge of a kept box is drawn unless its other end was removed by hand, and a box with
 * a drawn edge stays. If all boxes would go, only those removed by hand do.
 */
function extract(siblings: Siblings): Extraction {
  const { count, source, target, controlOnly, role, removed } = siblings;
  const edges = source.length;
  let area = new Uint8Array(count);
  let shortcut = new Uint8Array(edges);
  const stays = siblings.kept.map((kept, box) => (kept && !removed[box] ? 1 : 0));
  const asked = new Uint8Array(edges);
  const isFree = (box: number) => area[box] === Area.MAIN && stays[box] === 0;

  /** How many drawn edges each box is an end of; those that lead back to it are none. */
  const ends = (of: Int32Array, control?: 0 | 1) => {
    const found = new Int32Array(count);
    for (let edge = 0; edge < edges; edge += 1) {
      const isCounted = control === undefined || controlOnly[edge] === control;
      if (isCounted && shortcut[edge] === 0 && source[edge] !== target[edge]) {
        const box = of[edge] as number;
        found[box] = (found[box] as number) + 1;
      }
    }
    return found;
  };

  /** Drawn edges at either end. */
  const allEnds = (control?: 0 | 1) => {
    const out = ends(source, control);
    return ends(target, control).map((into, box) => into + (out[box] as number));
  };

  const shorten = (chosen: Flags) => {
    for (let edge = 0; edge < edges; edge += 1) {
      if (asked[edge] === 0 && (chosen[source[edge] as number] || chosen[target[edge] as number])) {
        shortcut[edge] = 1;
      }
    }
  };

  /** Makes shortcuts of the edges of some boxes; those without others are out. */
  const take = (chosen: Flags, to: number) => {
    shorten(chosen);
    const left = allEnds();
    for (let box = 0; box < count; box += 1) {
      if (chosen[box] && left[box] === 0) {
        area[box] = to;
      }
    }
  };

  // The user's request.
  const [out, into] = [ends(source), ends(target)];
  const isOutput = removed.map((isRemoved, box) => (isRemoved && (out[box] as number) > (into[box] as number) ? 1 : 0));
  const isInput = removed.map((isRemoved, box) =>
    isRemoved && !((out[box] as number) > (into[box] as number)) ? 1 : 0,
  );
  take(isOutput, Area.OUT);
  take(isInput, Area.IN);
  const byHand = { area: area.slice(), shortcut: shortcut.slice() };
  for (let edge = 0; edge < edges; edge += 1) {
    const [from, to] = [source[edge] as number, target[edge] as number];
    asked[edge] = (stays[from] || stays[to]) && !removed[from] && !removed[to] ? 1 : 0;
  }

  const withRole = (wanted: number) => role.map((one, box) => (one === wanted && isFree(box) ? 1 : 0));
  take(withRole(Role.BOOKKEEPING), Area.OUT);
  // Without this, a box with one neighbor, such as the variable that it initializes, would stand apart from it.
  const around = allEnds();
  shorten(withRole(Role.LARGE).map((one, box) => (one && around[box] !== 1 ? 1 : 0)));

  // Readers by data edges, or by control edges where a box has no others.
  const free = Uint8Array.from({ length: count }, (_, box) => (isFree(box) ? 1 : 0));
  if (free.reduce((sum, one) => sum + one, 0) >= MIN_BOXES) {
    const all = ends(source);
    const readers = ends(source, 0).map((data, box) => (data > 0 ? data : (all[box] as number)));
    const most = bound(readers, free);
    take(
      withRole(Role.SCALARS).map((one, box) => (one && (readers[box] as number) > most ? 1 : 0)),
      Area.OUT,
    );
  }
  if (!area.includes(Area.MAIN) && byHand.area.includes(Area.MAIN)) {
    ({ area, shortcut } = byHand);
  }

  // Control edges where there are many of them.
  const control = allEnds(1);
  const isCrowded = (box: number) => (control[box] as number) > MAX_CONTROL_EDGES;
  for (let edge = 0; edge < edges; edge += 1) {
    if (controlOnly[edge] && !asked[edge] && (isCrowded(source[edge] as number) || isCrowded(target[edge] as number))) {
      shortcut[edge] = 1;
    }
  }

  return { area, shortcut };
}

/** The degree of some boxes above which one is taken out. */
function bound(degrees: Int32Array, among: Flags): number {
  const ordered = degrees.filter((_, box) => among[box]).sort();
  const at = (share: number) => ordered[Math.min(Math.floor(share * ordered.length + 0.5), ordered.length - 1)] ?? 0;
  const third = at(0.75);
  return Math.max(third + SPREAD * (third - at(0.25)), MIN_DEGREE - 1);
}
