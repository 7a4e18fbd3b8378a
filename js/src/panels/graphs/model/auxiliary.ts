// Boxes of a scope that are drawn beside it: bookkeeping, and small sources of scalars that very many boxes read. Twin of
// tbwidget/graph/auxiliary.py.

import { Area } from "../layout/types";
import { Role } from "./structure";

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
export interface Siblings {
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

export interface Extraction {
  /** `Area` of each box. */
  readonly area: Uint8Array;
  /** By edge: drawn as marks at its ends instead of a route. */
  readonly shortcut: Flags;
}

/**
 * Decides which boxes are taken out. An edge of one that is kept is drawn unless its other end was removed by hand, and
 * what has an edge that is drawn is not taken out. Where all would be taken out, only what was removed by
 * hand is.
 */
export function extract(siblings: Siblings): Extraction {
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
  // Of one neighbor, such as the variable that it initializes, it would otherwise be seen apart.
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
