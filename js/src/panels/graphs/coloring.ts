// Meaning of the colors of boxes: structure, device, cluster, time or memory; and what the legend says of them.

import { oklchToHex } from "../../lib/colors";
import { commonTexts } from "../../lib/commontexts";
import { formatBytes, formatValue } from "../../lib/format";
import { graphColors, type Theme } from "../../lib/tokens";
import type { Fill } from "./draw/scene";
import { Role, type Structure } from "./model/structure";
import type { ComposedView } from "./model/view";
import type { Coloring } from "./options";
import { graphTexts } from "./texts";

/** Times in microseconds and bytes of each node; NaN where nothing was recorded. */
export interface Measured {
  readonly time: Float64Array;
  readonly memory: Float64Array;
}

/** A color of the legend, with its name and how many nodes on the screen have it. */
export interface Key {
  readonly color: string;
  readonly name: string;
  readonly nodes: number;
}

export interface Colored {
  readonly fills: readonly (readonly Fill[])[];
  /** Text that each box shows below its label. */
  readonly notes: readonly string[];
  /** 1 for boxes without recorded figures. */
  readonly faint: Uint8Array;
  readonly keys: readonly Key[];
  /** Largest figure of a box on a ramp, as text; else null. */
  readonly most: string | null;
}

/** Colors of devices in a box beyond these are not told apart. */
const MAX_SHARES = 6;

export function plainColors(count: number): Colored {
  return { fills: listOf(count, NONE), notes: listOf(count, ""), faint: new Uint8Array(count), keys: [], most: null };
}

const NONE: readonly Fill[] = [];

function listOf<T>(count: number, value: T): T[] {
  return new Array<T>(count).fill(value);
}

export function colored(
  structure: Structure,
  view: ComposedView,
  coloring: Coloring,
  measured: Measured | null,
  theme: Theme,
): Colored {
  switch (coloring) {
    case "structure":
      return byStructure(structure, view, theme);
    case "device":
      return byShare(view, structure.device, structure.devices, structure.nodeCount, theme);
    case "cluster":
      return byShare(view, structure.cluster, structure.clusters, structure.nodeCount, theme);
    case "time":
    case "memory":
      return measured === null
        ? plainColors(view.count)
        : byAmount(view, measured[coloring], coloring === "time" ? formatMicroseconds : formatBytes, theme);
    case "none":
      return plainColors(view.count);
  }
}

/** Whether a graph has what boxes can be colored by. `hasSteps`: steps of it were recorded. */
export function hasDataFor(coloring: Coloring, structure: Structure | null, hasSteps: boolean): boolean {
  switch (coloring) {
    case "time":
    case "memory":
      return hasSteps;
    case "device":
      return structure?.devices.some((name) => name !== "") ?? false;
    case "cluster":
      return structure?.clusters.some((name) => name !== "") ?? false;
    default:
      return true;
  }
}

/** Microseconds, as people read them. */
export function formatMicroseconds(time: number): string {
  const { millisecond, second } = commonTexts().units;
  const [size, unit] = time >= 1e6 ? [1e6, second] : time >= 1e3 ? [1e3, millisecond] : [1, graphTexts().microseconds];
  return commonTexts().duration(formatValue(Number((time / size).toPrecision(3))), unit);
}

const ranks = new WeakMap<Structure, ReadonlyMap<number, number>>();

/** Of each class of scopes its place, those with most nodes in all their scopes first: a class keeps its color. */
function ranksOf(structure: Structure): ReadonlyMap<number, number> {
  let found = ranks.get(structure);
  if (found === undefined) {
    const { alike, parent, root, nodeCount } = structure;
    const inside = new Float64Array(alike.length);
    for (let node = 0; node < nodeCount; node += 1) {
      (inside[(parent[node] as number) - root] as number) += 1;
    }
    const nodes = new Map<number, number>();
    // A scope stands behind its parent.
    for (let scope = alike.length - 1; scope > 0; scope -= 1) {
      const here = inside[scope] as number;
      const known = alike[scope] as number;
      (inside[(parent[root + scope] as number) - root] as number) += here;
      if (known >= 0) {
        nodes.set(known, (nodes.get(known) ?? 0) + here);
      }
    }
    const ordered = [...nodes].sort((a, b) => b[1] - a[1]);
    found = new Map(ordered.map(([known], rank) => [known, rank]));
    ranks.set(structure, found);
  }
  return found;
}

function byStructure(structure: Structure, view: ComposedView, theme: Theme): Colored {
  const rank = ranksOf(structure);
  const fillOf = new Map<number, readonly Fill[]>();
  const fills = Array.from(view.alike, (known, box) => {
    // Scalars of optimizers and bookkeeping repeat too: colored, they would stand out from the model.
    if (known < 0 || view.role[box] !== Role.MODEL) {
      return NONE;
    }
    const fill = fillOf.get(known) ?? [{ color: classColor(rank.get(known) ?? 0, theme), share: 1 }];
    fillOf.set(known, fill);
    return fill;
  });
  return { ...plainColors(view.count), fills };
}

/** Fills boxes in proportion to what their nodes have. */
function byShare(
  view: ComposedView,
  of: Int32Array,
  names: readonly string[],
  nodeCount: number,
  theme: Theme,
): Colored {
  const totals = new Float64Array(names.length);
  const perBox = new Map<number, Map<number, number>>();
  for (let node = 0; node < nodeCount; node += 1) {
    const name = of[node] as number;
    const box = view.boxOfNode[node] as number;
    if (box >= 0) {
      const shares = perBox.get(box) ?? new Map<number, number>();
      perBox.set(box, shares.set(name, (shares.get(name) ?? 0) + 1));
      (totals[name] as number) += 1;
    }
  }
  // The color of a name depends on all names, and does not change with the open scopes.
  const colorOf = new Map(
    names
      .map((name, i) => [name, i] as const)
      .filter(([name]) => name !== "")
      .map(([, i], place) => [i, classColor(place, theme)]),
  );
  const fills = listOf(view.count, NONE);
  for (const [box, shares] of perBox) {
    const all = [...shares.values()].reduce((sum, n) => sum + n, 0);
    fills[box] = [...shares]
      .sort((a, b) => b[1] - a[1])
      .slice(0, MAX_SHARES)
      .flatMap(([name, n]) => {
        const color = colorOf.get(name);
        return color === undefined ? [] : [{ color, share: n / all }];
      });
  }
  const keys = [...colorOf].map(([i, color]) => ({ color, name: names[i] as string, nodes: totals[i] as number }));
  return { ...plainColors(view.count), fills, keys: keys.sort((a, b) => b.nodes - a.nodes) };
}

/** Fills boxes by the sum of what their nodes took, on a ramp up to the most that a closed box took. */
function byAmount(
  view: ComposedView,
  amounts: Float64Array,
  format: (amount: number) => string,
  theme: Theme,
): Colored {
  const sums = new Float64Array(view.count).fill(Number.NaN);
  for (let node = 0; node < amounts.length; node += 1) {
    const box = view.boxOfNode[node] ?? -1;
    const amount = amounts[node] as number;
    if (box >= 0 && !Number.isNaN(amount)) {
      sums[box] = (Number.isNaN(sums[box]) ? 0 : (sums[box] as number)) + amount;
    }
  }
  const most = sums.reduce((a, b) => (b > a ? b : a), 0);
  const fills = Array.from(sums, (sum) =>
    Number.isNaN(sum) ? NONE : [{ color: rampColor(most > 0 ? sum / most : 0, theme), share: 1 }],
  );
  // An opened box is never faint: its content is drawn by itself.
  const faint = Uint8Array.from(sums, (sum, box) => (Number.isNaN(sum) && view.open[box] === 0 ? 1 : 0));
  const notes = Array.from(sums, (sum) => (Number.isNaN(sum) ? "" : format(sum)));
  return { fills, notes, faint, keys: [], most: format(most) };
}

// Colors that boxes are filled in: soft enough for text on them, in either theme.

/** Color of the n-th of things that are to be told apart. */
export function classColor(index: number, theme: Theme): string {
  const { hues, rounds: byTheme, turn } = graphColors;
  const rounds = byTheme[theme];
  const round = Math.floor(index / hues.length);
  const [lightness, chroma] = rounds[round % rounds.length] ?? rounds[0];
  return oklchToHex(lightness, chroma, (hues[index % hues.length] ?? 0) + turn * (round % 2));
}

/** Steps of a ramp: neighbors can hardly be told apart. */
const STEPS = 32;

const ramps = new Map<Theme, readonly string[]>();

/** Color of a part (0 to 1) of the most: from nearly nothing to a warm red. */
export function rampColor(part: number, theme: Theme): string {
  let ramp = ramps.get(theme);
  if (ramp === undefined) {
    const [from, to] = graphColors.ramp[theme];
    const at = (part: number, i: 0 | 1 | 2) => from[i] + (to[i] - from[i]) * part;
    ramp = Array.from({ length: STEPS + 1 }, (_, i) => {
      const part = i / STEPS;
      return oklchToHex(at(part, 0), at(part, 1), at(part, 2));
    });
    ramps.set(theme, ramp);
  }
  return ramp[Math.round(Math.min(1, Math.max(0, part)) * STEPS)] ?? "";
}
