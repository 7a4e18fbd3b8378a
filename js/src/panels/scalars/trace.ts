// Turns rows into line segments: what can be told apart at the screen's pixels, and nothing more.

/** Receives the drawing; a Path2D with dots. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  /** A point with no neighbour to be joined to. */
  dot(x: number, y: number): void;
}

/** Data to pixels: pixel = scale * value + offset. */
export interface Mapping {
  readonly xScale: number;
  readonly xOffset: number;
  readonly yScale: number;
  readonly yOffset: number;
}

/** Points a pixel column above which only each column's first, lowest, highest and last value are drawn. */
const DENSE = 4;

/**
 * Draws rows `from` up to but without `to`. Values that are no numbers, or infinite, break the line.
 *
 * Dense lines keep the extremes of every pixel column, so no spike is lost.
 */
export function trace(
  x: Float64Array,
  y: Float64Array,
  from: number,
  to: number,
  { xScale, xOffset, yScale, yOffset }: Mapping,
  pen: Pen,
): void {
  const span = Math.abs(((x[to - 1] ?? 0) - (x[from] ?? 0)) * xScale) + 1;
  const stroke = to - from > DENSE * span ? new ColumnStroke(pen) : new PlainStroke(pen);
  for (let i = from; i < to; i += 1) {
    const value = y[i] as number;
    if (value - value === 0) {
      stroke.point(xScale * (x[i] as number) + xOffset, yScale * value + yOffset);
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
    const start = Number.isNaN(before) ? end - 1 : Math.min(before, end - 1);
    before = end;
    const [least, most] = [low[i] as number, high[i] as number];
    if (!(most - least >= 0)) {
      continue;
    }
    // A constant stretch is a pixel thick.
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
  #column = Number.NaN;
  #first = 0;
  #low = 0;
  #high = 0;
  #last = 0;

  constructor(pen: Pen) {
    this.#line = new PlainStroke(pen);
  }

  point(x: number, y: number): void {
    const column = Math.round(x);
    if (column === this.#column) {
      this.#low = y < this.#low ? y : this.#low;
      this.#high = y > this.#high ? y : this.#high;
      this.#last = y;
      return;
    }
    this.#flush();
    this.#column = column;
    this.#first = this.#low = this.#high = this.#last = y;
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
    this.#line.point(this.#column, this.#first);
    if (this.#low < this.#high) {
      this.#line.point(this.#column, this.#low);
      this.#line.point(this.#column, this.#high);
      this.#line.point(this.#column, this.#last);
    }
  }
}
