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
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [left, right, top, bottom] = [least(xs), most(xs), least(ys), most(ys)];
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const [x, y] = [places[i] as number, places[count + i] as number];
    if (shown[i] !== 0 && x >= left && x <= right && y >= top && y <= bottom && isWithin(polygon, x, y)) {
      found.push(i);
    }
  }
  return found;
}

function isWithin(polygon: readonly Corner[], x: number, y: number): boolean {
  let inside = false;
  let [beforeX, beforeY] = polygon.at(-1) ?? [0, 0];
  for (const [cornerX, cornerY] of polygon) {
    if (cornerY > y !== beforeY > y && x < ((beforeX - cornerX) * (y - cornerY)) / (beforeY - cornerY) + cornerX) {
      inside = !inside;
    }
    [beforeX, beforeY] = [cornerX, cornerY];
  }
  return inside;
}
