// Rectangles side by side and below each other, in their order, so that all together have a pleasant shape.

/** Ratio of width to height of the packed area. */
const ASPECT = 1.6;

export interface Rectangle {
  readonly width: number;
  readonly height: number;
}

export interface Packed extends Rectangle {
  /** Left and top of each; y grows downwards. */
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Rows of about equal widths; below something low in a row, what follows if it fits there. At least `width` wide. */
export function pack(rectangles: readonly Rectangle[], gap: number, least = 0): Packed {
  const count = rectangles.length;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  let area = 0;
  let widest = least;
  for (const one of rectangles) {
    area += (one.width + gap) * (one.height + gap);
    widest = Math.max(widest, one.width);
  }
  const most = Math.max(widest, Math.sqrt(area * ASPECT));
  let width = 0;
  let row = 0; // Top and height of the row, the left and width of the last column in it, and how far that is filled.
  let high = 0;
  let left = 0;
  let wide = 0;
  let filled = 0;
  rectangles.forEach((one, i) => {
    if (filled > 0 && one.width <= wide * 1.1 && left + one.width <= most && filled + one.height <= high) {
      wide = Math.max(wide, one.width);
    } else if (i > 0 && left + wide + gap + one.width <= most) {
      left += wide + gap;
      wide = one.width;
      filled = 0;
    } else {
      row += i > 0 ? high + gap : 0;
      high = 0;
      left = 0;
      wide = one.width;
      filled = 0;
    }
    x[i] = left;
    y[i] = row + filled;
    filled += one.height + gap;
    high = Math.max(high, filled - gap);
    width = Math.max(width, left + wide);
  });
  return { x, y, width, height: count ? row + high : 0 };
}

/** Rows of equal numbers, each column as wide as the widest in it. Lefts and rights of the middles are given apart. */
export function grid(
  left: readonly number[],
  right: readonly number[],
  height: readonly number[],
  gap: number,
  columns = 0,
): Packed {
  const count = left.length;
  const number = columns || columnsFor(left, right, height, gap);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  let at = 0;
  for (let column = 0; column < Math.min(number, count); column++) {
    let before = 0;
    let behind = 0;
    for (let i = column; i < count; i += number) {
      before = Math.max(before, left[i] as number);
      behind = Math.max(behind, right[i] as number);
    }
    for (let i = column; i < count; i += number) {
      x[i] = at + before;
    }
    at += before + behind + gap;
  }
  let top = 0;
  for (let i = 0; i < count; i += number) {
    const row = height.slice(i, i + number);
    const high = Math.max(...row);
    row.forEach((one, k) => {
      y[i + k] = top + (high - one) / 2;
    });
    top += high + gap;
  }
  return { x, y, width: Math.max(0, at - gap), height: Math.max(0, top - gap) };
}

function columnsFor(left: readonly number[], right: readonly number[], height: readonly number[], gap: number): number {
  const count = left.length;
  let width = 0;
  let high = 0;
  for (let i = 0; i < count; i++) {
    width += (left[i] as number) + (right[i] as number) + gap;
    high += (height[i] as number) + gap;
  }
  return Math.max(1, Math.round(Math.sqrt((ASPECT * high * count) / Math.max(1, width))));
}
