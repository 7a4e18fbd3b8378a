import { expect, test } from "vitest";
import type { Column, Value } from "../../../src/panels/hparams/columns";
import { typeOf } from "../../../src/panels/hparams/columns";
import type { Scale } from "../../../src/panels/hparams/options";
import { AxisSpace, ParallelAxis } from "../../../src/panels/hparams/parallel/axes";
import { type Brush, isInside } from "../../../src/panels/hparams/sessions";

function column(values: readonly (Value | undefined)[]): Column {
  return { key: "hparam:x", kind: "hparam", title: "x", hint: "x", type: typeOf(values), values };
}

function axisOf(values: readonly (Value | undefined)[], scale: Scale = "linear", isFlipped = false): ParallelAxis {
  return new ParallelAxis(
    column(values),
    values.map((_, row) => row),
    scale,
    isFlipped,
  );
}

/** Heights of all rows. */
function heights(axis: ParallelAxis, space = new AxisSpace([axis], 320)): number[] {
  return [...axis.places].map((place) => space.yOf(place));
}

/** The rows that brushes select. */
function selected({ column: { values } }: ParallelAxis, brushes: readonly Brush[]): number[] {
  return values.flatMap((value, row) => (brushes.some((brush) => isInside(value, brush)) ? [row] : []));
}

test("numbers are spread evenly, by logarithms, or by rank", () => {
  const values = [1, 10, 100];
  expect([...axisOf(values).places].map((place) => Math.round(place * 100))).toEqual([0, 9, 100]);
  expect([...axisOf(values, "log").places]).toEqual([0, 0.5, 1]);
  expect([...axisOf([5, 5, 7, 900, 7], "quantile").places]).toEqual([0, 0, 0.5714285714285714, 1, 0.5714285714285714]);
  expect([...axisOf(values, "log", true).places]).toEqual([1, 0.5, 0]);
  expect([...axisOf([3, 3]).places]).toEqual([0.5, 0.5]);
});

test("logarithms of numbers that are not positive have places, too", () => {
  const [least, zero, most] = axisOf([-100, 0, 1000], "log").places;
  expect(least).toBe(0);
  expect(most).toBe(1);
  expect(zero).toBeGreaterThan(0.2);
  expect(zero).toBeLessThan(0.8);
});

test("missing, invalid and infinite values have their own tick, at the same height on all axes", () => {
  const [some, other] = [axisOf([0, 1, undefined, Number.NaN, Infinity, -Infinity]), axisOf([1, undefined])];
  const space = new AxisSpace([some, other], 320);
  const [zero = 0, one = 0, missing = 0, nan = 0, high = 0, low = 0] = heights(some, space);
  expect([high, one, zero, low, nan, missing]).toEqual([...[high, one, zero, low, nan, missing]].sort((a, b) => a - b));
  expect(new Set([high, one, zero, low, nan, missing]).size).toBe(6);
  expect(missing).toBeLessThan(320);
  expect(heights(other, space)[1]).toBe(missing);
  expect(some.ticks(space).map(({ label }) => label)).toEqual(["+∞", "1", "0", "−∞", "NaN", "—"]);
  expect(other.ticks(space).map(({ label }) => label)).toEqual(["1", "—"]);
});

test("a flipped axis has its infinities at the other ends", () => {
  const axis = axisOf([0, 1, Infinity], "linear", true);
  const [zero = 0, one = 0, infinite = 0] = heights(axis);
  expect(zero).toBeLessThan(one);
  expect(one).toBeLessThan(infinite);
  expect(axis.ticks(new AxisSpace([axis], 320)).map(({ label }) => label)).toEqual(["0", "1", "+∞"]);
});

test("texts stand in their natural order from above, truth above falsehood", () => {
  const labels = (values: Value[]) => {
    const axis = axisOf(values);
    return axis.ticks(new AxisSpace([axis], 320)).map(({ label }) => label);
  };
  expect(labels(["step10", "adam", "step2"])).toEqual(["adam", "step2", "step10"]);
  expect(labels([false, true])).toEqual(["true", "false"]);
  expect(labels([10, "auto", 2])).toEqual(["auto", "10", "2"]);
});

test("few round numbers have a tick each; others have ticks at round numbers", () => {
  const labels = (values: number[], scale: Scale = "linear") => {
    const axis = axisOf(values, scale);
    return axis.ticks(new AxisSpace([axis], 320)).map(({ label }) => label);
  };
  expect(labels([16, 64, 32, 128], "log")).toEqual(["128", "64", "32", "16"]);
  const many = Array.from({ length: 50 }, (_, i) => 0.013 + i / 53);
  expect(labels(many)).toEqual(["0.9", "0.8", "0.7", "0.6", "0.5", "0.4", "0.3", "0.2", "0.1"]);
  expect(labels([0.62718, 0.69231, 0.71993, 0.85992])).toEqual([
    "0.85",
    "0.825",
    "0.8",
    "0.775",
    "0.75",
    "0.725",
    "0.7",
    "0.675",
    "0.65",
  ]);
  expect(labels([10_001, 65_536])).toEqual(["65536", "10001"]);
  expect(labels([0.62718])).toEqual(["0.6272"]);
});

test("a common beginning of all texts is left out of their labels, not of the announcement", () => {
  const axis = axisOf(["torch.optim.SGD", "torch.optim.RMSprop", undefined]);
  const space = new AxisSpace([axis], 320);
  expect(axis.ticks(space).map(({ label }) => label)).toEqual(["…RMSprop", "…SGD", "—"]);
  expect(axis.describe({ values: new Set(["torch.optim.SGD"]) })).toBe("torch.optim.SGD");
});

test("thousands of categories have as many labels as there is room for", () => {
  const axis = axisOf(Array.from({ length: 5000 }, (_, i) => `run ${i}`));
  const ticks = axis.ticks(new AxisSpace([axis], 320));
  expect(ticks.length).toBeGreaterThan(10);
  expect(ticks.length).toBeLessThan(30);
  expect(new Set(heights(axis)).size).toBe(5000);
});

test.each<[Scale, boolean]>([
  ["linear", false],
  ["log", true],
  ["quantile", false],
  ["quantile", true],
])("a brush over a whole %s axis selects all its numbers, and it is where it was made", (scale, isFlipped) => {
  const values = [0.1, 0.2, 0.7, 13, 1000 / 3, undefined, Number.NaN];
  const axis = axisOf(values, scale, isFlipped);
  const space = new AxisSpace([axis], 320);
  const whole = axis.brushesAt({ top: space.top - 3, bottom: space.bottom + 3 }, space);
  expect(selected(axis, whole)).toEqual([0, 1, 2, 3, 4]);
  expect(selected(axis, axis.brushesAt({ top: 0, bottom: 320 }, space))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const [brush] = axis.brushesAt({ top: 80, bottom: 190 }, space);
  const [span] = axis.spansOf(brush as Brush, space);
  expect(span?.top).toBeCloseTo(80);
  expect(span?.bottom).toBeCloseTo(190);
  const ys = heights(axis, space);
  expect(selected(axis, [brush as Brush])).toEqual(ys.flatMap((y, row) => (y >= 80 && y <= 190 ? [row] : [])));
});

test.each<[Scale, boolean]>([
  ["linear", false],
  ["linear", true],
  ["log", false],
  ["quantile", true],
])("a brush at an end of a %s axis takes later values beyond that end", (scale, isFlipped) => {
  const values = [0.1, 0.2, 0.5, 0.8];
  const axis = axisOf(values, scale, isFlipped);
  const space = new AxisSpace([axis], 320);
  const ends = (place: number) => (isFlipped ? { top: 200, bottom: place } : { top: 320 - place, bottom: 120 });
  const [brush] = axis.brushesAt(ends(320), space);
  const { range } = brush as { readonly range: readonly [number, number] };
  expect(range[1]).toBe(Number.POSITIVE_INFINITY);
  const later = axisOf([...values, 0.95, Number.POSITIVE_INFINITY], scale, isFlipped);
  expect(selected(later, [brush as Brush])).toContain(4);
  expect(selected(later, [brush as Brush])).not.toContain(5);
  const [span] = axis.spansOf(brush as Brush, space);
  expect(isFlipped ? span?.bottom : span?.top).toBeCloseTo(isFlipped ? space.bottom : space.top);
  expect(axis.describe(brush as Brush)).toMatch(/^≥ /);
  const [inner] = axis.brushesAt(ends(280), space);
  expect((inner as typeof brush as { readonly range: readonly number[] }).range.every(Number.isFinite)).toBe(true);
});

test("a brush takes the categories whose ticks it covers, and is as large as they are", () => {
  const axis = axisOf(["a", "b", "c", undefined, "d"]);
  const space = new AxisSpace([axis], 320);
  const [a = 0, b = 0, c = 0, missing = 0] = heights(axis, space);
  const [brush] = axis.brushesAt({ top: a - 5, bottom: b + 5 }, space);
  expect(selected(axis, [brush as Brush])).toEqual([0, 1]);
  const [span, ...none] = axis.spansOf(brush as Brush, space);
  expect(none).toEqual([]);
  expect(span?.top).toBeLessThan(a);
  expect(span?.bottom).toBeLessThan(c);
  expect(axis.brushesAt({ top: a + 5, bottom: b - 5 }, space)).toEqual([]);
  expect(axis.itemAt(missing, space)?.value).toBeUndefined();
  expect(axis.itemAt(missing, space)).not.toBeNull();
  expect(axis.spansOf({ values: new Set(["a", "c"]) }, space)).toHaveLength(2);
});

test("keys make a brush, move it within the axis, and resize it", () => {
  const axis = axisOf([0, 100]);
  const space = new AxisSpace([axis], 320);
  const first = axis.moved(null, 1, false, space);
  const low = Number.NEGATIVE_INFINITY;
  expect(first).toEqual({ range: [low, 25] });
  expect(axis.moved(first, 1, false, space)).toEqual({ range: [5, 30] });
  expect(axis.moved(first, -1, false, space)).toEqual({ range: [low, 25] });
  expect(axis.moved(first, 1, true, space)).toEqual({ range: [low, 30] });
  const texts = axisOf(["a", "b", "c"]);
  const own = new AxisSpace([texts], 320);
  const lowest = texts.moved(null, 1, false, own);
  expect(lowest).toEqual({ values: new Set(["c"]) });
  expect(texts.moved(lowest, 1, true, own)).toEqual({ values: new Set(["b", "c"]) });
  expect(texts.moved(lowest, -1, false, own)).toEqual({ values: new Set(["c"]) });
});

test("categories: numbers rise, texts stand in natural order from above", () => {
  const axis = axisOf([10, "step10", 2, "step2", true, -1, false, 1e-5, "auto"]);
  const labels = axis.ticks(new AxisSpace([axis], 320)).map(({ label }) => label);
  expect(labels).toEqual(["auto", "step2", "step10", "true", "false", "10", "2", "1e-5", "−1"]);
});

test("the number at a place of an axis is the one that is drawn there", () => {
  const axis = axisOf([1, 10, 100], "log", true);
  expect([0, 0.5, 1].map((place) => axis.numberAt(place))).toEqual([100, 10, 1]);
  expect(axisOf(["a", "b"]).numberAt(0.5)).toBeNull();
});
