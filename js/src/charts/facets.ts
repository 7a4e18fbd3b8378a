// The plots of a card: one for each run side by side, or one for all.

import type { Rect, Size } from "./geometry";

export interface Facet extends Rect {
  /** Places of its runs among those shown. */
  readonly runs: readonly number[];
  /** Where the room of this plot begins and ends from left to right, axes included. */
  readonly room: readonly [number, number];
  /** The first in its row. */
  readonly first: boolean;
}

export interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Plots at most; of more runs, the first are shown. */
export const MAX_FACETS = 12;

/** CSS pixels that a plot needs in width, axes included. */
const MIN_FACET_WIDTH_PX = 150;

/** CSS pixels of the name above a plot. */
export const TITLE = 18;

/** Number of plots in a row, for `count` plots in `width` CSS pixels; rows are about equally long. */
export function facetsInRow(count: number, width: number, narrowest: number = MIN_FACET_WIDTH_PX): number {
  const most = Math.max(1, Math.floor(width / narrowest));
  const rows = Math.max(1, Math.ceil(count / most));
  return Math.max(1, Math.ceil(count / rows));
}

/**
 * Where the plots are, in CSS pixels: as many in a row as there is room for, all of one size. The first of each row has
 * `beside` more pixels at its left, for labels that hold for all of the row.
 */
export function facetsOf(
  runs: number,
  together: boolean,
  { width, height }: Size,
  margins: Margins,
  beside = 0,
  narrowest: number = MIN_FACET_WIDTH_PX,
): Facet[] {
  const count = together ? Math.min(1, runs) : Math.min(MAX_FACETS, runs);
  if (count === 0) {
    return [];
  }
  const inRow = facetsInRow(count, width, narrowest);
  const cell = { width: (width - beside) / inRow, height: height / Math.ceil(count / inRow) };
  const size = {
    width: Math.max(1, Math.floor(cell.width - margins.left - margins.right)),
    height: Math.max(1, Math.floor(cell.height - margins.top - margins.bottom)),
  };
  return Array.from({ length: count }, (_, i) => {
    const column = i % inRow;
    const [from, to] = [column === 0 ? 0 : beside + column * cell.width, beside + (column + 1) * cell.width];
    return {
      runs: together ? Array.from({ length: runs }, (_, run) => run) : [i],
      room: [from, to],
      first: column === 0,
      left: Math.round(from + margins.left + (column === 0 ? beside : 0)),
      top: Math.round(Math.floor(i / inRow) * cell.height + margins.top),
      ...size,
    };
  });
}

/** CSS pixels that a card of one row of plots is high, and what each further row adds. */
const HEIGHT = 250;
const MORE = 190;

/** CSS pixels around the plots of a card as wide as all cards. */
const AROUND = 30;

/** A card with at least this many plots takes a whole row of cards. */
const MIN_WIDE_PLOTS = 3;

export function isWide(plots: number): boolean {
  return plots >= MIN_WIDE_PLOTS;
}

/** Height of a card with `plots` plots, in `width` CSS pixels. */
export function heightOf(plots: number, width: number, narrowest: number = MIN_FACET_WIDTH_PX): number {
  const rows = isWide(plots) ? Math.ceil(plots / facetsInRow(plots, width - AROUND, narrowest)) : 1;
  return HEIGHT + (rows - 1) * MORE;
}
