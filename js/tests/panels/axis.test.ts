import { expect, test } from "vitest";
import { Axis, type Range } from "../../src/panels/scalars/axis";

/** The labels of an axis 200 pixels long, and where they stand; as uPlot asks for them. */
function ticks(axis: Axis): [string, number][] {
  const { incrs, splits, values } = axis.options as unknown as Record<string, (...given: unknown[]) => unknown>;
  incrs?.(null, 0, 0, 1, 200, 40);
  const positions = splits?.() as number[];
  const labels = values?.() as string[];
  return labels.map((label, i) => [label, positions[i] ?? Number.NaN]);
}

test.each<[Range, [string, number][]]>([
  [
    [0, 4],
    [
      ["0", 0],
      ["1", 0.25],
      ["2", 0.5],
      ["3", 0.75],
      ["4", 1],
    ],
  ],
  [
    [-1e238, 1e238],
    [
      ["−1e238", 0],
      ["−5e237", 0.25],
      ["0", 0.5],
      ["5e237", 0.75],
      ["1e238", 1],
    ],
  ],
  [
    [0, 2e-19],
    [
      ["0", 0],
      ["5e-20", 0.25],
      ["1e-19", 0.5],
      ["1.5e-19", 0.75],
      ["2e-19", 1],
    ],
  ],
])("%j", (range, labels) => {
  const axis = new Axis(0);
  axis.range = range;
  const found = ticks(axis);
  expect(found.map(([label]) => label)).toEqual(labels.map(([label]) => label));
  for (const [i, [, position]] of found.entries()) {
    expect(position).toBeCloseTo(labels[i]?.[1] ?? Number.NaN, 9);
  }
});

test("an axis of whole numbers has no ticks between them", () => {
  const axis = new Axis(1);
  axis.range = [0, 1];
  expect(ticks(axis)).toEqual([
    ["0", 0],
    ["1", 1],
  ]);
});

test("values and positions are each other's inverse", () => {
  const axis = new Axis(0);
  axis.range = [-3, 5];
  expect(axis.position(axis.value(0.3))).toBeCloseTo(0.3, 12);
  expect([axis.value(0), axis.value(1)]).toEqual([-3, 5]);
});
