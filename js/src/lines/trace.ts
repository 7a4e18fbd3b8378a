// Turns rows into line segments, decimated to what differs at the pixels of the screen.

import { piecesOf } from "../lib/pieces";

/** Receives the segments: a Path2D, with dots. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  /** A point between two gaps. */
  dot(x: number, y: number): void;
}

/** Data to pixels: pixel = scale * value + offset. */
export interface Mapping {
  readonly xScale: number;
  readonly xOffset: number;
  readonly yScale: number;
  readonly yOffset: number;
  /** Pixels of a column. With very many lines, only the extremes of several pixels are drawn; else 1. */
  readonly column?: number;
}

/** With more points per pixel column, only the first, lowest, highest and last value of each column are drawn. */
const MAX_POINTS_PER_COLUMN = 4;

/** Vertices of all lines of a chart, about. */
const MAX_VERTICES = 150_000;
const MAX_COLUMN_WIDTH_PX = 6;

/** Width of a decimation column in pixels, so that all lines together have about MAX_VERTICES. */
export function columnWidth(lines: number, pixels: number): number {
  return Math.min(MAX_COLUMN_WIDTH_PX, Math.ceil((2 * lines * pixels) / MAX_VERTICES));
}

/**
 * Draws the rows [from, to). Values and places that are not finite break the line, as do the rows in `breaks`.
 *
 * Dense lines keep the extremes of every pixel column, so no spike is lost.
 */
export function trace(
  x: Float64Array,
  y: Float64Array,
  from: number,
  to: number,
  { xScale, xOffset, yScale, yOffset, column = 1 }: Mapping,
  pen: Pen,
  breaks: ArrayLike<number> = [],
): void {
  let begin = from;
  while (begin < to && !Number.isFinite(x[begin])) {
    begin += 1;
  }
  const span = Math.abs(((x[to - 1] ?? 0) - (x[begin] ?? 0)) * xScale) + 1;
  const wide = column > 1 && (to - begin) * column > 2 * span;
  const stroke =
    wide || to - begin > MAX_POINTS_PER_COLUMN * span ? new ColumnStroke(pen, wide ? column : 1) : new PlainStroke(pen);
  let next = 0;
  for (let i = begin; i < to; i += 1) {
    while ((breaks[next] as number) <= i) {
      if (breaks[next] === i) {
        stroke.gap();
      }
      next += 1;
    }
    const value = y[i] as number;
    const at = x[i] as number;
    if (value - value === 0 && at - at === 0) {
      stroke.point(xScale * at + xOffset, yScale * value + yOffset);
    } else {
      stroke.gap();
    }
  }
  stroke.gap();
}

/**
 * Draws the area between `low` and `high`, in rectangles that reach back to the row before; one a pixel column. Where `low`
 * is −∞ it reaches down to `floor`, a pixel.
 */
export function traceBand(
  x: Float64Array,
  low: Float64Array,
  high: Float64Array,
  from: number,
  to: number,
  { xScale, xOffset, yScale, yOffset }: Mapping,
  floor: number,
  rectangle: (x: number, y: number, width: number, height: number) => void,
): void {
  let left = Number.NaN;
  let right = Number.NaN;
  let top = 0;
  let bottom = 0;
  const flush = () => {
    if (left <= right) {
      rectangle(left, top, right - left, bottom - top);
    }
  };
  let before = from > 0 ? Math.round(xScale * (x[from - 1] as number) + xOffset) : Number.NaN;
  for (let i = from; i < to; i += 1) {
    const end = Math.round(xScale * (x[i] as number) + xOffset);
    const start = !Number.isFinite(before) ? end - 1 : Math.min(before, end - 1);
    before = end;
    const [least, most] = [low[i] as number, high[i] as number];
    if (!(most - least >= 0)) {
      continue;
    }
    // An area without height is drawn one pixel high.
    const a = yScale * most + yOffset - 0.5;
    const b = least === Number.NEGATIVE_INFINITY ? Math.max(a, floor) : yScale * least + yOffset + 0.5;
    if (end === right) {
      top = Math.min(top, a);
      bottom = Math.max(bottom, b);
      continue;
    }
    flush();
    [left, right, top, bottom] = [start, end, a, b];
  }
  flush();
}

/** Rows on either side that count for the envelope at a row. */
const ENVELOPE_ROWS = 4;

/** The outline of an area: a Path2D. */
interface Outline {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
}

/** Outlines the area between the least and the greatest finite value of up to nine neighboring rows, at each row. */
export function traceEnvelope(
  x: Float64Array,
  y: Float64Array,
  [from, to]: readonly [number, number],
  breaks: ArrayLike<number>,
  { xScale, xOffset, yScale, yOffset }: Mapping,
  outline: Outline,
): void {
  for (const [first, end] of piecesOf(breaks, from, to)) {
    // One column of pixels after the other.
    const columns: { at: number; low: number; high: number }[] = [];
    for (let i = first; i < end; i += 1) {
      const at = Math.round(xScale * (x[i] as number) + xOffset);
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let j = Math.max(first, i - ENVELOPE_ROWS); j < Math.min(end, i + ENVELOPE_ROWS + 1); j += 1) {
        const value = y[j] as number;
        if (value - value === 0) {
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
      const last = columns.at(-1);
      if (!(low <= high) || !Number.isFinite(at)) {
        continue;
      }
      if (last?.at === at) {
        last.low = Math.min(last.low, low);
        last.high = Math.max(last.high, high);
      } else {
        columns.push({ at, low, high });
      }
    }
    const edges = [
      ...columns.map(({ at, high }) => [at, yScale * high + yOffset - 0.5] as const),
      ...columns.reverse().map(({ at, low }) => [at, yScale * low + yOffset + 0.5] as const),
    ];
    for (const [i, [at, edge]] of edges.entries()) {
      if (i === 0) {
        outline.moveTo(at, edge);
      } else {
        outline.lineTo(at, edge);
      }
    }
    if (edges.length > 0) {
      outline.closePath();
    }
  }
}

/** Outlines the area between `low` and `high`, in pieces where they have gaps; as wide as one row, it is a bar. */
export function traceBetween(
  x: Float64Array,
  low: Float64Array,
  high: Float64Array,
  from: number,
  to: number,
  { xScale, xOffset, yScale, yOffset }: Mapping,
  floor: number,
  path: Pick<Path2D, "moveTo" | "lineTo" | "closePath">,
): void {
  const across = (i: number) => xScale * (x[i] as number) + xOffset;
  const top = (i: number) => yScale * (high[i] as number) + yOffset;
  const foot = (i: number) => (low[i] === Number.NEGATIVE_INFINITY ? floor : yScale * (low[i] as number) + yOffset);
  const isDrawn = (i: number) => i < to && Number.isFinite(high[i]) && (low[i] as number) < Number.POSITIVE_INFINITY;
  for (let first = from; first < to; first += 1) {
    if (!isDrawn(first)) {
      continue;
    }
    path.moveTo(across(first), top(first));
    let last = first;
    while (isDrawn(last + 1)) {
      last += 1;
      path.lineTo(across(last), top(last));
    }
    for (let i = last; i >= first; i -= 1) {
      path.lineTo(across(i), foot(i));
    }
    path.closePath();
    first = last;
  }
}

class PlainStroke {
  readonly #pen: Pen;
  #length = 0;
  #x = 0;
  #y = 0;

  constructor(pen: Pen) {
    this.#pen = pen;
  }

  point(x: number, y: number): void {
    if (this.#length === 0) {
      this.#pen.moveTo(x, y);
    } else {
      this.#pen.lineTo(x, y);
    }
    this.#length += 1;
    this.#x = x;
    this.#y = y;
  }

  gap(): void {
    if (this.#length === 1) {
      this.#pen.dot(this.#x, this.#y);
    }
    this.#length = 0;
  }
}

class ColumnStroke {
  readonly #line: PlainStroke;
  readonly #width: number;
  #column = Number.NaN;
  #first = 0;
  #low = 0;
  #high = 0;
  #last = 0;
  /** Where the lowest and the highest are, and whether the lowest came first. */
  #lowAt = 0;
  #highAt = 0;
  #rises = true;

  constructor(pen: Pen, width: number) {
    this.#line = new PlainStroke(pen);
    this.#width = width;
  }

  point(x: number, y: number): void {
    const column = Math.round(x / this.#width);
    if (column === this.#column) {
      if (y < this.#low) {
        [this.#low, this.#lowAt, this.#rises] = [y, x, false];
      } else if (y > this.#high) {
        [this.#high, this.#highAt, this.#rises] = [y, x, true];
      }
      this.#last = y;
      return;
    }
    this.#flush();
    this.#column = column;
    this.#first = this.#low = this.#high = this.#last = y;
    this.#lowAt = this.#highAt = x;
    this.#rises = true;
  }

  gap(): void {
    this.#flush();
    this.#column = Number.NaN;
    this.#line.gap();
  }

  #flush(): void {
    if (Number.isNaN(this.#column)) {
      return;
    }
    if (this.#width > 1) {
      this.#flushExtremes();
      return;
    }
    this.#line.point(this.#column, this.#first);
    if (this.#low < this.#high) {
      this.#line.point(this.#column, this.#low);
      this.#line.point(this.#column, this.#high);
      this.#line.point(this.#column, this.#last);
    }
  }

  /** The lowest and the highest, each where it is: drawn at one place, they would be stripes across all lines. */
  #flushExtremes(): void {
    const ends = [
      [this.#lowAt, this.#low],
      [this.#highAt, this.#high],
    ] as const;
    const [first, second] = this.#rises ? ends : [ends[1], ends[0]];
    this.#line.point(...first);
    if (this.#low < this.#high) {
      this.#line.point(...second);
    }
  }
}
