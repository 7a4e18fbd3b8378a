import { expect, test } from "vitest";
import { quantile } from "../../src/lib/quantiles";
import { aggregated, deviationOf, MAX_AGGREGATE_STEPS, meanOf } from "../../src/lines/aggregate";
import { columnOf, Reader, valueAtStep } from "../../src/lines/derived";

const column = (steps: readonly number[], values: readonly number[]) => columnOf(Float64Array.from(steps), values);

/** Reproducible pseudorandom numbers. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

/** Each value by its definition: on the line between its neighboring rows, found by a linear search. */
function naive(steps: readonly number[], values: readonly number[], at: number): number | null {
  for (let i = 0; i < steps.length; i += 1) {
    const [a, b] = [steps[i] as number, steps[i + 1] as number];
    const [from, to] = [values[i] as number, values[i + 1] as number];
    if (a === at) {
      return from;
    }
    if (a < at && at < b) {
      return from + ((to - from) / (b - a)) * (at - a);
    }
  }
  return null;
}

test("runs with other steps, extents and gaps give the defined values at each step", () => {
  const random = numbers(7);
  const next = () => random.next().value as number;
  const runs = Array.from({ length: 9 }, (_, run) => {
    const steps: number[] = [];
    for (let step = run * 3; step < 200 + 10 * run; step += 1 + Math.floor(4 * next())) {
      steps.push(step);
    }
    return { steps, values: steps.map(() => 10 * next() - 3) };
  });
  const columns = runs.map(({ steps, values }) => column(steps, values));
  const union = [...new Set(runs.flatMap(({ steps }) => steps))].sort((a, b) => a - b);
  const made = (["std", "minmax", "quantile"] as const).map((band) => aggregated(columns, "mean", band));
  const median = aggregated(columns, "median", null);
  expect([...(made[0]?.step ?? [])]).toEqual(union);
  for (const [i, step] of union.entries()) {
    const held = runs
      .map(({ steps, values }) => naive(steps, values, step))
      .filter((value) => value !== null)
      .sort((a, b) => a - b);
    const n = held.length;
    const mean = held.reduce((sum, value) => sum + value, 0) / n;
    const std = Math.sqrt(held.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n);
    const at = (p: number) => {
      const place = p * (n - 1);
      const below = held[Math.floor(place)] as number;
      return below + (place - Math.floor(place)) * ((held[Math.ceil(place)] as number) - below);
    };
    expect(median.n[i]).toBe(n);
    expect(made[0]?.value[i]).toBeCloseTo(mean, 10);
    expect(median.value[i]).toBeCloseTo(at(0.5), 10);
    const bands = [
      [mean - std, mean + std],
      [held[0], held[n - 1]],
      [at(0.25), at(0.75)],
    ];
    for (const [k, [low, high]] of bands.entries()) {
      expect(made[k]?.low?.[i]).toBeCloseTo(low as number, 10);
      expect(made[k]?.high?.[i]).toBeCloseTo(high as number, 10);
    }
  }
});

test("values that are not finite do not count, nor does a run beyond its ends", () => {
  const made = aggregated(
    [column([0, 1, 2, 3], [1, Number.NaN, 3, Number.POSITIVE_INFINITY]), column([1, 3], [10, 10])],
    "mean",
    "minmax",
  );
  expect([...made.step]).toEqual([0, 1, 2, 3]);
  expect([...made.n]).toEqual([1, 2, 2, 1]);
  expect([...made.value]).toEqual([1, 6, 6.5, 10]);
});

test("the largest doubles do not overflow", () => {
  const most = 1.7e308;
  expect(meanOf(Float64Array.of(most, most, most))).toBeCloseTo(most, -300);
  expect(deviationOf(Float64Array.of(most, -most), 0) / most).toBeCloseTo(1, 12);
  expect(quantile(Float64Array.of(-most, most), 0.5)).toBe(0);
  expect(valueAtStep(column([0, 2], [-most, most]), 1)).toBe(0);
  expect([meanOf(Float64Array.of()), quantile(Float64Array.of(), 0.5)]).toEqual([Number.NaN, Number.NaN]);
  expect(deviationOf(Float64Array.of(3, 3), 3)).toBe(0);
});

test("very many steps are thinned evenly, ends included", () => {
  const steps = Array.from({ length: 3 * MAX_AGGREGATE_STEPS }, (_, i) => i);
  const made = aggregated([column(steps, steps)], "mean", null);
  expect([made.step.length, made.step[0], made.step.at(-1), made.thinned]).toEqual([
    MAX_AGGREGATE_STEPS,
    0,
    3 * MAX_AGGREGATE_STEPS - 1,
    true,
  ]);
  expect([...made.value]).toEqual([...made.step]);
});

test("a column goes up by step; of equal steps the last counts; it is read forwards as anywhere", () => {
  const made = column([5, 1, 3, 3], [50, 10, 0, 30]);
  expect([[...made.step], [...made.value]]).toEqual([
    [1, 3, 5],
    [10, 30, 50],
  ]);
  const reader = new Reader(made);
  const asked = [0, 1, 2, 2, 4.5, 5, 6];
  expect(asked.map((step) => reader.at(step))).toEqual([Number.NaN, 10, 20, 20, 45, 50, Number.NaN]);
  expect(asked.map((step) => valueAtStep(made, step))).toEqual([Number.NaN, 10, 20, 20, 45, 50, Number.NaN]);
});
