// UMAP by umap-js as one function, which is what a worker runs. The page itself never calls it: neighbors are found in one go.
//
// In the bundle (see bundle.mjs) the function has everything in it that it needs, so that its own text makes a worker.

import { UMAP } from "umap-js";
import type { WorkerLike } from "../../../lib/workers";
import type { Metric } from "../neighbors";

export interface Input {
  /** Row-major, `held` numbers a point. */
  readonly vectors: Float32Array;
  readonly held: number;
  /** The layout begins at these places, an array for each dimension. Their scale does not matter. */
  readonly start: readonly Float32Array[];
  readonly neighbors: number;
  readonly minDist: number;
  readonly metric: Metric;
}

/** A question to the worker: find the neighbors of vectors, and then, repeatedly, do some steps of their layout. */
export type Question = { readonly input: Input } | { readonly goOn: true };

export interface Layout {
  /** An array for each dimension; NaN where a point has no place. */
  readonly planes: readonly Float32Array[];
  /** Points that have a place. */
  readonly used: number;
  /** Neighbors of each point: fewer than asked for if there are too few points. */
  readonly neighbors: number;
}

/** Progress; the layout; the number of points with a place, where they are too few; or the message of an error. */
export type Answer =
  | { readonly done: number; readonly total: number }
  | { readonly layout: Layout }
  | { readonly few: number }
  | { readonly problem: string };

export interface Program {
  /** Answers questions in a worker, one after the other. It says once that it has started. */
  serve(scope: Pick<WorkerLike, "onmessage" | "postMessage">): void;
}

/** Points that UMAP needs. Keep in step with tbwidget/panels/projector_jobs.py. */
const MIN_POINTS = 4;

/** The same vectors and parameters give the same picture. */
const SEED = 1;

/** Milliseconds of layout between two answers. */
const SLICE_MS = 200;

/** Half the extent of the initial layout, and the extent of the noise that separates equal points. */
const INITIAL_HALF_EXTENT = 10;
const JITTER = 1e-3;

export function program(): Program {
  let steps: Iterator<Answer> | null = null;
  return {
    serve(scope) {
      scope.onmessage = ({ data }) => {
        const question = data as Question;
        try {
          steps = "input" in question ? umap(question.input) : steps;
          scope.postMessage(steps?.next().value);
        } catch (error) {
          scope.postMessage({ problem: String(error) } satisfies Answer);
        }
      };
      scope.postMessage("started");
    },
  };
}

function* umap({ vectors, held, start, neighbors: wanted, minDist, metric }: Input): Generator<Answer> {
  const count = start[0]?.length ?? 0;
  const { rows, points } = comparable(vectors, held, count, metric);
  if (points.length < MIN_POINTS) {
    yield { few: points.length };
    return;
  }
  const neighbors = Math.min(wanted, points.length - 1);
  const random = randomNumbers();
  const layout = new UMAP({
    ...{ nComponents: start.length, nNeighbors: neighbors, minDist, random },
    distanceFn: metric === "cosine" ? betweenUnits : euclidean,
  });
  // The library reads rows by their places alone.
  const total = layout.initializeFit(rows as unknown as number[][]);
  const places = layout.getEmbedding();
  begin(places, start, points, random);
  yield { done: 0, total };
  for (let done = 0; done < total; ) {
    const until = performance.now() + SLICE_MS;
    do {
      done = layout.step();
    } while (done < total && performance.now() < until);
    if (done < total) {
      yield { done, total };
    }
  }
  const planes = start.map(() => new Float32Array(count).fill(Number.NaN));
  for (const [row, point] of points.entries()) {
    for (const [axis, plane] of planes.entries()) {
      plane[point] = (places[row] as number[])[axis] as number;
    }
  }
  yield { layout: { planes, used: points.length, neighbors } };
}

/**
 * The vectors that have a distance to others, and which points they are. For cosine distance each is scaled to length 1. For
 * Euclidean distance all are divided by the largest number, because the library expects distances near 1.
 */
function comparable(vectors: Float32Array, held: number, count: number, metric: Metric) {
  const rows: Float32Array[] = [];
  const points: number[] = [];
  let largest = 0;
  for (let point = 0; point < count; point += 1) {
    const row = vectors.slice(point * held, (point + 1) * held);
    const most = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    if (!Number.isFinite(most) || (metric === "cosine" && most === 0)) {
      continue;
    }
    if (metric === "cosine") {
      // Squares of very small numbers would be 0.
      const length = most * Math.sqrt(row.reduce((sum, value) => sum + (value / most) ** 2, 0));
      divide(row, length);
    }
    largest = Math.max(largest, most);
    rows.push(row);
    points.push(point);
  }
  if (metric === "euclidean" && largest > 0) {
    for (const row of rows) {
      divide(row, largest);
    }
  }
  return { rows, points };
}

function divide(row: Float32Array, by: number): void {
  for (let i = 0; i < row.length; i += 1) {
    row[i] = (row[i] as number) / by;
  }
}

function euclidean(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) {
    const apart = (a[i] as number) - (b[i] as number);
    sum += apart * apart;
  }
  return Math.sqrt(sum);
}

/** The cosine distance of vectors whose length is 1. */
function betweenUnits(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) {
    sum += (a[i] as number) * (b[i] as number);
  }
  return Math.max(0, 1 - sum);
}

/** Begins the layout at `start`, which keeps distant groups apart. Where that has no extent, the layout begins at random. */
function begin(
  places: number[][],
  start: readonly Float32Array[],
  points: readonly number[],
  random: () => number,
): void {
  const own = start.map((plane) => points.map((point) => plane[point] as number));
  const middles = own.map((values) => values.reduce((sum, value) => sum + value / values.length, 0));
  const largest = own
    .flatMap((values, axis) => values.map((value) => Math.abs(value - (middles[axis] as number))))
    .reduce((most, value) => Math.max(most, value), 0);
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) {
    return;
  }
  for (const [row, place] of places.entries()) {
    for (const [axis, values] of own.entries()) {
      const at = ((values[row] as number) - (middles[axis] as number)) / largest;
      place[axis] = INITIAL_HALF_EXTENT * at + JITTER * (random() - 0.5);
    }
  }
}

/** A generator of numbers from 0 to 1 with a fixed seed (Mulberry32). */
function randomNumbers(): () => number {
  let state = SEED;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
