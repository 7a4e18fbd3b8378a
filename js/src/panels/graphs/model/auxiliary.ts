// What is taken out of a scope's main drawing: sinks, and boxes so widely connected that they hide the rest. Twin of
// tbwidget/graph/auxiliary.py, whose bounds are TensorBoard's.

import { Area } from "../layout/types";

/** Scopes with fewer boxes keep those with many edges. */
const FEWEST_BOXES = 15;

/** A box with fewer neighbors is never taken out for them. */
const FEWEST_DEGREE = 5;

/** A box with more has its control edges drawn as shortcuts. */
const MOST_CONTROL_EDGES = 4;

/** Interquartile ranges above the third quartile. */
const IN_SPREAD = 1;
const OUT_SPREAD = 4;

type Flags = Uint8Array;

/** The boxes of one scope by number, and the edges between them, each pair of ends once. */
export interface Siblings {
  readonly count: number;
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** Of each edge: it carries no data. */
  readonly controlOnly: Flags;
  /** Of each box: it is taken out whatever its edges. */
  readonly sinks: Flags;
  /** Of each box: embedded nodes that it reads; embedded nodes that read it. */
  readonly reads: Flags;
  readonly isRead: Flags;
  /** Of each box: the user wants it in the main drawing, or out of it. */
  readonly kept: Flags;
  readonly removed: Flags;
  /** They are the whole graph. */
  readonly whole: boolean;
}

export interface Extraction {
  /** `Area` of each box. */
  readonly area: Uint8Array;
  /** Of each edge: drawn as marks at its ends instead of a line. */
  readonly shortcut: Flags;
}

/**
 * Decides which boxes are taken out. An edge of one that is kept is drawn unless its other end was removed by hand, and
 * what has an edge that is drawn is not taken out. Of a whole graph something is left: where all would be taken out,
 * only what was removed by hand is.
 */
export function extract(siblings: Siblings): Extraction {
  const { count, source, target, controlOnly, sinks, removed, whole } = siblings;
  const edges = source.length;
  const area = new Uint8Array(count);
  const shortcut = new Uint8Array(edges);
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

  /** Makes shortcuts of the edges of some boxes; those without others are out. */
  const take = (chosen: Flags, to: number) => {
    for (let edge = 0; edge < edges; edge += 1) {
      if (asked[edge] === 0 && (chosen[source[edge] as number] || chosen[target[edge] as number])) {
        shortcut[edge] = 1;
      }
    }
    const left = allEnds();
    for (let box = 0; box < count; box += 1) {
      if (chosen[box] && left[box] === 0) {
        area[box] = to;
      }
    }
  };

  // What the user asked for.
  const [out, into] = [ends(source), ends(target)];
  const isOutput = removed.map((isRemoved, box) => (isRemoved && (out[box] as number) > (into[box] as number) ? 1 : 0));
  const isInput = removed.map((isRemoved, box) =>
    isRemoved && !((out[box] as number) > (into[box] as number)) ? 1 : 0,
  );
  take(isOutput, Area.OUT);
  take(isInput, Area.IN);
  const byHand = area.slice();
  for (let edge = 0; edge < edges; edge += 1) {
    const [from, to] = [source[edge] as number, target[edge] as number];
    asked[edge] = (stays[from] || stays[to]) && !removed[from] && !removed[to] ? 1 : 0;
  }

  take(
    sinks.map((sink, box) => (sink && isFree(box) ? 1 : 0)),
    Area.OUT,
  );

  // Those with unusually many neighbors, by data edges, or by control edges where a box has no others.
  const free = Uint8Array.from({ length: count }, (_, box) => (isFree(box) ? 1 : 0));
  if (free.reduce((sum, one) => sum + one, 0) >= FEWEST_BOXES) {
    const degrees = (of: Int32Array) => {
      const all = ends(of);
      return ends(of, 0).map((data, box) => (data > 0 ? data : (all[box] as number)));
    };
    const [incoming, outgoing] = [degrees(target), degrees(source)];
    const mostIn = bound(incoming, free, IN_SPREAD);
    const many = free.map((one, box) => (one && (incoming[box] as number) > mostIn ? 1 : 0));
    const mostOut = bound(outgoing, free, OUT_SPREAD);
    take(many, Area.IN);
    take(
      free.map((one, box) => (one && !many[box] && (outgoing[box] as number) > mostOut ? 1 : 0)),
      Area.OUT,
    );
  }

  // Control edges where there are many of them.
  const control = allEnds(1);
  const isCrowded = (box: number) => (control[box] as number) > MOST_CONTROL_EDGES;
  for (let edge = 0; edge < edges; edge += 1) {
    if (controlOnly[edge] && !asked[edge] && (isCrowded(source[edge] as number) || isCrowded(target[edge] as number))) {
      shortcut[edge] = 1;
    }
  }

  // What has no edge left and marks on one side alone: sources and sinks of what was taken out.
  const left = allEnds();
  const reads = siblings.reads.slice();
  const isRead = siblings.isRead.slice();
  for (let edge = 0; edge < edges; edge += 1) {
    if (shortcut[edge]) {
      reads[target[edge] as number] = 1;
      isRead[source[edge] as number] = 1;
    }
  }
  for (let box = 0; box < count; box += 1) {
    if (isFree(box) && left[box] === 0 && reads[box] !== isRead[box]) {
      area[box] = reads[box] ? Area.OUT : Area.IN;
    }
  }
  const isEmpty = whole && !area.includes(Area.MAIN) && byHand.includes(Area.MAIN);
  return { area: isEmpty ? byHand : area, shortcut };
}

/** The degree of some boxes above which one is taken out. */
function bound(degrees: Int32Array, among: Flags, spread: number): number {
  const ordered = degrees.filter((_, box) => among[box]).sort();
  const at = (share: number) => ordered[Math.min(Math.floor(share * ordered.length + 0.5), ordered.length - 1)] ?? 0;
  const third = at(0.75);
  return Math.max(third + spread * (third - at(0.25)), FEWEST_DEGREE - 1);
}
