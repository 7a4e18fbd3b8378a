// Nearest neighbors among the vectors that the page holds, compared with all of them.

import type { Vectors } from "./codec";
import { toFloats } from "./halves";
import type { METRICS } from "./options";

export type Metric = (typeof METRICS)[number];

export interface Neighbors {
  /** Ascending by distance. */
  readonly points: readonly number[];
  readonly distances: readonly number[];
}

interface Prepared {
  readonly floats: Float32Array;
  /** Lengths of the vectors. */
  readonly norms: Float64Array;
}

const prepared = new WeakMap<Vectors, Prepared>();

/** The vectors in 32 bits, with their lengths. */
export function preparedVectors(vectors: Vectors): Prepared {
  let found = prepared.get(vectors);
  if (found === undefined) {
    const { count, held } = vectors;
    const floats = toFloats(vectors.values);
    const norms = new Float64Array(count);
    for (let i = 0; i < count; i += 1) {
      let sum = 0;
      for (let j = i * held; j < (i + 1) * held; j += 1) {
        sum += (floats[j] as number) ** 2;
      }
      norms[i] = Math.sqrt(sum);
    }
    found = { floats, norms };
    prepared.set(vectors, found);
  }
  return found;
}

/**
 * The nearest points, without the point itself, and without those that have a value that is not finite. The cosine distance to
 * a vector of length 0 is 1.
 */
export function nearest(vectors: Vectors, point: number, most: number, metric: Metric): Neighbors {
  const { count, held } = vectors;
  const { floats, norms } = preparedVectors(vectors);
  const isCosine = metric === "cosine";
  const own = floats.subarray(point * held, (point + 1) * held);
  const norm = norms[point] as number;
  // A heap whose first entry is the farthest of the nearest found so far.
  const size = Math.min(most, count);
  const points = new Int32Array(size);
  const keys = new Float64Array(size);
  let found = 0;
  for (let i = 0; i < count; i += 1) {
    if (i === point) {
      continue;
    }
    let sum = 0;
    const from = i * held;
    if (isCosine) {
      for (let j = 0; j < held; j += 1) {
        sum += (own[j] as number) * (floats[from + j] as number);
      }
      const both = norm * (norms[i] as number);
      sum = both > 0 ? 1 - sum / both : both === 0 ? 1 : Number.NaN;
    } else {
      for (let j = 0; j < held; j += 1) {
        const apart = (own[j] as number) - (floats[from + j] as number);
        sum += apart * apart;
      }
    }
    if (!Number.isFinite(sum)) {
      continue;
    }
    if (found < size) {
      siftUp(keys, points, found, sum, i);
      found += 1;
    } else if (sum < (keys[0] as number)) {
      siftDown(keys, points, size, sum, i);
    }
  }
  const order = [...points.keys()].slice(0, found);
  order.sort((a, b) => (keys[a] as number) - (keys[b] as number) || (points[a] as number) - (points[b] as number));
  return {
    points: order.map((at) => points[at] as number),
    distances: order.map((at) => (isCosine ? Math.max(0, keys[at] as number) : Math.sqrt(keys[at] as number))),
  };
}

function siftUp(keys: Float64Array, points: Int32Array, at: number, key: number, point: number): void {
  let place = at;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if ((keys[parent] as number) >= key) {
      break;
    }
    [keys[place], points[place]] = [keys[parent] as number, points[parent] as number];
    place = parent;
  }
  [keys[place], points[place]] = [key, point];
}

function siftDown(keys: Float64Array, points: Int32Array, size: number, key: number, point: number): void {
  let place = 0;
  for (let child = 1; child < size; child = 2 * place + 1) {
    const larger = child + 1 < size && (keys[child + 1] as number) > (keys[child] as number) ? child + 1 : child;
    if ((keys[larger] as number) <= key) {
      break;
    }
    [keys[place], points[place]] = [keys[larger] as number, points[larger] as number];
    place = larger;
  }
  [keys[place], points[place]] = [key, point];
}

/**
 * Coordinates along custom axes, one array an axis: the position of each point along the line between two groups' means, 0 at
 * the first mean and 1 at the second. Null if an axis has no length.
 */
export function alongAxis(vectors: Vectors, from: Uint8Array, to: Uint8Array): Float32Array | null {
  const { count, held } = vectors;
  const { floats } = preparedVectors(vectors);
  const [start, end] = [meanOf(floats, held, from), meanOf(floats, held, to)];
  if (start === null || end === null) {
    return null;
  }
  const axis = end.map((value, j) => value - (start[j] as number));
  const square = axis.reduce((sum, value) => sum + value * value, 0);
  if (!(square > 0)) {
    return null;
  }
  const places = new Float32Array(count);
  for (let i = 0; i < count; i += 1) {
    let sum = 0;
    for (let j = 0; j < held; j += 1) {
      sum += ((floats[i * held + j] as number) - (start[j] as number)) * (axis[j] as number);
    }
    places[i] = sum / square;
  }
  return places;
}

/** The mean of some vectors; those with a value that is not finite do not count. Null where there is none. */
function meanOf(floats: Float32Array, held: number, chosen: Uint8Array): Float64Array | null {
  const sum = new Float64Array(held);
  let count = 0;
  for (let i = 0; i < chosen.length; i += 1) {
    const row = chosen[i] === 1 ? floats.subarray(i * held, (i + 1) * held) : null;
    if (row?.every(Number.isFinite)) {
      for (let j = 0; j < held; j += 1) {
        (sum[j] as number) += row[j] as number;
      }
      count += 1;
    }
  }
  return count === 0 ? null : sum.map((value) => value / count);
}
