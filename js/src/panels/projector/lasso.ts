// Points within a shape that is drawn on the stage.

export type Corner = readonly [x: number, y: number];

/** The box between two corners, as a polygon. */
export function boxOf([left, top]: Corner, [right, bottom]: Corner): Corner[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** The points within a polygon, by the even-odd rule. `places`: all x, then all y. `shown`: 0 for those that are not drawn. */
export function pointsWithin(polygon: readonly Corner[], places: Float32Array, shown: Uint8Array): number[] {
  const count = shown.length;
  // Indexed arrays of numbers: each of 100,000 points meets each corner.
  const [xs, ys] = [Float64Array.from(polygon, ([x]) => x), Float64Array.from(polygon, ([, y]) => y)];
  const least = (values: Float64Array) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = (values: Float64Array) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [left, right, top, bottom] = [least(xs), most(xs), least(ys), most(ys)];
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const [x, y] = [places[i] as number, places[count + i] as number];
    if (shown[i] !== 0 && x >= left && x <= right && y >= top && y <= bottom && isWithin(xs, ys, x, y)) {
      found.push(i);
    }
  }
  return found;
}

function isWithin(xs: Float64Array, ys: Float64Array, x: number, y: number): boolean {
  let inside = false;
  let before = xs.length - 1;
  for (let corner = 0; corner < xs.length; corner += 1) {
    const [toY, fromY] = [ys[corner] as number, ys[before] as number];
    if (toY > y !== fromY > y) {
      const toX = xs[corner] as number;
      if (x < (((xs[before] as number) - toX) * (y - toY)) / (fromY - toY) + toX) {
        inside = !inside;
      }
    }
    before = corner;
  }
  return inside;
}
