import { expect, test } from "vitest";
import { nearbySteps, spanOf, stepsWithin } from "../../src/lines/steps";

function series(steps: readonly number[] | BigInt64Array, first: readonly number[] | BigInt64Array = steps) {
  const column = (of: readonly number[] | BigInt64Array) => (of instanceof BigInt64Array ? of : Float64Array.from(of));
  const all = [...steps, ...first].map(Number);
  const last = [...steps].map(BigInt).reduce<bigint | null>((a, b) => (a === null || b > a ? b : a), null);
  return {
    step: column(steps),
    first: column(first),
    ascending: [...steps].every((step, i) => i === 0 || step >= (steps[i - 1] as number | bigint)),
    lastStep: last,
    stepExtent: last === null ? null : { min: Math.min(...all), max: Math.max(...all) },
  };
}

test("lines have the steps of all their series", () => {
  const all = [series([0, 10, 20]), series([15]), series([])];
  expect(spanOf(all)).toEqual([0n, 20n]);
  expect(nearbySteps(all, 10n)).toEqual({ before: 0n, upTo: 10n, after: 15n });
  expect(nearbySteps(all, 12n)).toEqual({ before: 10n, upTo: 10n, after: 15n });
  expect(nearbySteps(all, -1n)).toEqual({ before: null, upTo: null, after: 0n });
  expect(nearbySteps(all, 99n)).toEqual({ before: 20n, upTo: 20n, after: null });
  expect(spanOf([series([])])).toBeNull();
});

test("steps beyond 2^53, in any order, and the ends of buckets are steps as well", () => {
  const big = 2n ** 62n;
  const exact = series(BigInt64Array.of(big, big + 1n, big + 2n));
  expect(spanOf([exact])).toEqual([big, big + 2n]);
  expect(nearbySteps([exact], big + 1n)).toEqual({ before: big, upTo: big + 1n, after: big + 2n });
  const restarted = series([5, 9, 1, 8]);
  expect(spanOf([restarted])).toEqual([1n, 9n]);
  expect(nearbySteps([restarted], 5n)).toEqual({ before: 1n, upTo: 5n, after: 8n });
  const buckets = series([9, 19, 29], [0, 10, 20]);
  expect(spanOf([buckets])).toEqual([0n, 29n]);
  expect(nearbySteps([buckets], 15n)).toEqual({ before: 10n, upTo: 10n, after: 19n });
  expect(nearbySteps([buckets], 9n)).toEqual({ before: 0n, upTo: 9n, after: 10n });
});

test("a selection ends at steps that were logged; between two of them it is the nearest one", () => {
  const all = [series([0, 10, 20, 30]), series([15])];
  expect(stepsWithin(all, [0.5, 29.9])).toEqual([10n, 20n]);
  expect(stepsWithin(all, [10, 20])).toEqual([10n, 20n]);
  expect(stepsWithin(all, [12, 17])).toEqual([15n, 15n]);
  expect(stepsWithin(all, [21, 23])).toEqual([20n, 20n]);
  expect(stepsWithin(all, [Number.NEGATIVE_INFINITY, 99])).toEqual([0n, 30n]);
  expect(stepsWithin(all, [40, 50])).toEqual([30n, 30n]);
  expect(stepsWithin([series([])], [0, 1])).toBeNull();
  const big = 2n ** 62n;
  expect(stepsWithin([series(BigInt64Array.of(big + 1n, big + 3n))], [0, 2 ** 63])).toEqual([big + 1n, big + 3n]);
  expect(stepsWithin([series([9, 19, 29], [0, 10, 20])], [5, 25])).toEqual([9n, 20n]);
});
