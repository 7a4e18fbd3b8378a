// docs/reading.md shows the same with pandas; tests/unit/test_docs_reading.py compares that with this fixture.

import { expect, test } from "vitest";
import { aggregated } from "../../src/lines/aggregate";
import { columnOf } from "../../src/lines/derived";
import fixture from "../fixtures/aggregates.json";

test.each(Object.entries(fixture.groups))(
  "mean and standard deviation of %s equal the documented ones",
  (group, wanted) => {
    const columns = Object.entries(fixture.runs)
      .filter(([run]) => run.startsWith(`${group}/`))
      .map(([, { step, value }]) => columnOf(Float64Array.from(step), Float64Array.from(value, Number)));
    const { step, value, low, high, n } = aggregated(columns, "mean", "std");
    expect([...step]).toEqual(wanted.step);
    expect([...n]).toEqual(wanted.n);
    for (const [i, mean] of value.entries()) {
      expect(mean).toBeCloseTo(wanted.mean[i] as number, 12);
      expect((high as Float64Array)[i]).toBeCloseTo(mean + (wanted.std[i] as number), 12);
      expect((low as Float64Array)[i]).toBeCloseTo(mean - (wanted.std[i] as number), 12);
    }
  },
);
