// The shapes of lines, kept while the pointer moves over their chart: then nothing changes but which line stands out.

import type { PaintContext, PaintPath } from "../../charts/geometry";

/** A line, and its points between two gaps. */
export interface LinePath {
  readonly path: PaintPath;
  readonly dots: PaintPath;
}

interface Kept {
  readonly lines: readonly unknown[];
  /** Where the lines lie on the canvas. */
  readonly place: string;
  readonly byCurve: Map<object, LinePath>;
}

/** Of the chart that the pointer is on: those of all would take too much memory. */
const kept = new WeakMap<PaintContext, Kept>();

/** The shapes of some lines that were made for the same place on the same canvas, by curve; to be filled by the caller. */
export function keptPaths(context: PaintContext, lines: readonly unknown[], place: string): Map<object, LinePath> {
  const known = kept.get(context);
  if (known?.lines === lines && known.place === place) {
    return known.byCurve;
  }
  const byCurve = new Map<object, LinePath>();
  kept.set(context, { lines, place, byCurve });
  return byCurve;
}

/** Drops what was kept of a canvas: the pointer has left it. */
export function dropPaths(context: PaintContext): void {
  kept.delete(context);
}
