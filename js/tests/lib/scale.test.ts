import { expect, test } from "vitest";
import { scaledTicks } from "../../src/charts/axis";
import { LINEAR, LOG, placesOfSteps, scaleOf, symlog, valuesBetween } from "../../src/lib/scale";

const VALUES = [-1e308, -3e12, -10, -1, -0.5, -1e-12, 0, 1e-12, 0.5, 1, 10, 3e12, 1e308];

test.each([1, 1e-6, 1e6, 1e-300])("symlog with c = %d is sign(v) log10(1 + |v| / c), and leads back", (c) => {
  const scale = symlog(c);
  for (const value of VALUES) {
    const size = Math.abs(value) / c;
    if (size < 1e-3 || size === Number.POSITIVE_INFINITY) {
      // The formula itself would lose its digits; its limits are |v| / c / ln 10, and log10(|v| / c).
      const limit = size < 1e-3 ? size / Math.LN10 : Math.log10(Math.abs(value)) - Math.log10(c);
      expect(Math.abs(scale.place(value) - Math.sign(value) * limit)).toBeLessThanOrEqual(1e-3 * Math.abs(limit));
    } else {
      expect(scale.place(value)).toBeCloseTo(Math.sign(value) * Math.log10(1 + size), 9);
      expect(Math.abs(scale.value(scale.place(value)) / value - 1)).toBeLessThan(1e-9);
    }
  }
  expect(scale.value(0)).toBe(0);
});

test("only positive values have a position on a logarithmic axis", () => {
  expect([LOG.place(100), LOG.value(2)]).toEqual([2, 100]);
  expect([LOG.place(0), LOG.place(-1), LOG.place(Number.NaN)]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  expect(valuesBetween(LOG, [0, 3])).toEqual([1, 1000]);
});

test("equal scales have equal keys, and are the same", () => {
  expect(scaleOf("symlog", 2)).toBe(symlog(2));
  expect(new Set([LINEAR, LOG, symlog(1), symlog(2)].map(({ key }) => key)).size).toBe(4);
});

test("visible steps as positions: below the first step a logarithm begins at a half", () => {
  expect(placesOfSteps(LINEAR, [-3, 8])).toEqual([-3, 8]);
  expect(placesOfSteps(LOG, [1, 1000])).toEqual([0, 3]);
  expect(placesOfSteps(LOG, [-5, 10])).toEqual([Math.log10(0.5), 1]);
  expect(placesOfSteps(LOG, [-5, 0])).toBeNull();
  expect(placesOfSteps(symlog(1), [-9, 99])?.map((place) => Math.round(place * 1e9) / 1e9)).toEqual([-1, 2]);
});

test("ticks of a symmetric axis are powers of ten on both sides of 0", () => {
  const range = [symlog().place(-1000), symlog().place(1000)] as const;
  expect(scaledTicks(symlog(), range, 0.32).values).toEqual([
    -1000, -300, -100, -30, -10, -3, 0, 3, 10, 30, 100, 300, 1000,
  ]);
  expect(scaledTicks(symlog(), range, 0.7).values).toEqual([-1000, -100, -10, 0, 10, 100, 1000]);
  expect(scaledTicks(symlog(), range, 1.4).values).toEqual([-100, 0, 100]);
});

test("ticks are as far apart as they have to be, and two at least, wherever one looks", () => {
  for (const scale of [LOG, symlog(1), symlog(1e-9), symlog(1e9)]) {
    for (const middle of [-9, -2.2, -0.1, 0, 0.3, 1.7, 12, 200]) {
      for (let span = 20; span > 1e-6; span /= 2.7) {
        const range = [middle - span / 2, middle + span / 2] as const;
        for (const share of [0.1, 0.2, 0.35]) {
          const { values } = scaledTicks(scale, range, share * span);
          const places = values.map((value) => scale.place(value));
          const what = `${scale.key} ${range} ${share}: ${values}`;
          expect(
            places.every((place, i) => i === 0 || place > (places[i - 1] as number)),
            what,
          ).toBe(true);
          expect(values.length, what).toBeGreaterThanOrEqual(2);
          const apart = Math.min(...places.slice(1).map((place, i) => place - (places[i] as number)));
          // Closer only where there would be but one, and not by much.
          expect(values.length === 2 || apart >= (share * span) / 2.3, what).toBe(true);
        }
      }
    }
  }
});
