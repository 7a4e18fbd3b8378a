// The parts of a card: one plot for each run side by side, or one for all.

export interface Facet {
  /** Places of its runs among those shown. */
  readonly runs: readonly number[];
  /** The plot, in CSS pixels within the card's drawing; axes are outside. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Margins {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Runs side by side at most; of more, the first. */
export const MOST_FACETS = 12;

/** CSS pixels that a facet needs in width, axes included. */
const NARROWEST = 150;

/** Facets in a line, of so many, in so much room; lines are about equally long. */
export function facetsInLine(count: number, width: number, narrowest: number = NARROWEST): number {
  const most = Math.max(1, Math.floor(width / narrowest));
  const lines = Math.max(1, Math.ceil(count / most));
  return Math.max(1, Math.ceil(count / lines));
}

/** Where the plots are: as many a line as there is room for, all of one size. */
export function facetsOf(runs: number, together: boolean, width: number, height: number, margins: Margins): Facet[] {
  const count = together ? Math.min(1, runs) : Math.min(MOST_FACETS, runs);
  if (count === 0) {
    return [];
  }
  const inLine = facetsInLine(count, width);
  const lines = Math.ceil(count / inLine);
  const cell = { width: width / inLine, height: height / lines };
  return Array.from({ length: count }, (_, i) => ({
    runs: together ? Array.from({ length: runs }, (_, run) => run) : [i],
    left: Math.round((i % inLine) * cell.width + margins.left),
    top: Math.round(Math.floor(i / inLine) * cell.height + margins.top),
    width: Math.max(1, Math.round(cell.width - margins.left - margins.right)),
    height: Math.max(1, Math.round(cell.height - margins.top - margins.bottom)),
  }));
}

/** CSS pixels that a card of one line of plots is high, and what each further line adds. */
const HEIGHT = 250;
const MORE = 190;

/** CSS pixels around the plots of a card as wide as all cards. */
const AROUND = 30;

/** From so many plots on a card takes a whole line of cards. */
const WIDE = 3;

export function isWide(plots: number): boolean {
  return plots >= WIDE;
}

/** Height of a card with so many plots, where the cards have so much room in width. */
export function heightOf(plots: number, width: number, narrowest: number = NARROWEST): number {
  const lines = isWide(plots) ? Math.ceil(plots / facetsInLine(plots, width - AROUND, narrowest)) : 1;
  return HEIGHT + (lines - 1) * MORE;
}
