import { expect, test } from "vitest";
import type { Vectors } from "../../../src/panels/projector/codec";
import { alongAxis, nearest } from "../../../src/panels/projector/neighbors";

function vectorsOf(rows: readonly (readonly number[])[]): Vectors {
  const held = rows[0]?.length ?? 0;
  return { count: rows.length, dimensions: held, held, digest: null, values: Float32Array.from(rows.flat()) };
}

/** Reproducible numbers between −1 and 1. */
function madeUp(count: number, dimensions: number): number[][] {
  let state = 1;
  return Array.from({ length: count }, () =>
    Array.from({ length: dimensions }, () => {
      state = (state * 16807) % 2147483647;
      return (2 * state) / 2147483647 - 1;
    }),
  );
}

function distance(a: readonly number[], b: readonly number[], metric: "cosine" | "euclidean"): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, one, i) => sum + one * (y[i] as number), 0);
  return metric === "euclidean"
    ? Math.hypot(...a.map((one, i) => one - (b[i] as number)))
    : 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test.each(["cosine", "euclidean"] as const)("the nearest by %s distance equal those of a full comparison", (metric) => {
  const rows = madeUp(300, 7).map((row) => [...Float32Array.from(row)]);
  for (const point of [0, 17, 299]) {
    const all = rows
      .map((row, i) => ({ i, distance: distance(rows[point] as number[], row, metric) }))
      .filter(({ i }) => i !== point)
      .sort((a, b) => a.distance - b.distance || a.i - b.i)
      .slice(0, 12);
    const found = nearest(vectorsOf(rows), point, 12, metric);
    expect(found.points).toEqual(all.map(({ i }) => i));
    for (const [at, one] of all.entries()) {
      expect(found.distances[at]).toBeCloseTo(one.distance, 6);
    }
  }
});

test("fewer points than wanted, equal ones by their rows, and no vectors that are not finite", () => {
  const vectors = vectorsOf([
    [1, 0],
    [1, 0],
    [0, 0],
    [Number.NaN, 1],
    [2, 0],
  ]);
  expect(nearest(vectors, 0, 15, "cosine")).toEqual({ points: [1, 4, 2], distances: [0, 0, 1] });
  expect(nearest(vectors, 0, 15, "euclidean")).toEqual({ points: [1, 2, 4], distances: [0, 1, 1] });
  expect(nearest(vectors, 3, 15, "euclidean")).toEqual({ points: [], distances: [] });
  expect(nearest(vectorsOf([[1]]), 0, 15, "cosine")).toEqual({ points: [], distances: [] });
});

test("a custom axis runs from 0 at the mean of some points to 1 at the mean of others", () => {
  const vectors = vectorsOf([
    [0, 0],
    [0, 2],
    [4, 0],
    [4, 2],
    [2, 9],
    [Number.NaN, 0],
  ]);
  const places = alongAxis(vectors, Uint8Array.of(1, 1, 0, 0, 0, 1), Uint8Array.of(0, 0, 1, 1, 0, 0));
  expect([...(places as Float32Array)]).toEqual([0, 0, 1, 1, 0.5, Number.NaN]);
});

test("an axis between equal means, or from no point, is missing", () => {
  const vectors = vectorsOf([
    [1, 1],
    [1, 1],
  ]);
  expect(alongAxis(vectors, Uint8Array.of(1, 0), Uint8Array.of(0, 1))).toBeNull();
  expect(alongAxis(vectors, Uint8Array.of(0, 0), Uint8Array.of(0, 1))).toBeNull();
});
