// The hovered point in Python: how often it is sent, and with which numbers.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HoverSync } from "../../src/options/hovered";
import { TraitSync } from "../../src/options/sync";
import { FakeModel } from "./fakemodel";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function made() {
  const model = new FakeModel();
  const end = new AbortController();
  return { model, end, hovered: new HoverSync(model, end.signal) };
}

test("the last of many places is told, once a pause", () => {
  const { model, hovered } = made();
  for (let step = 0n; step < 50n; step += 1n) {
    hovered.set("scalars", "loss", [{ run: "a", step, value: 0.5 }]);
  }
  expect(model.saved).toEqual([]);
  vi.advanceTimersByTime(1000);
  const point = { panel: "scalars", tag: "loss", run: "a", step: 49, value: 0.5, values: { a: 0.5 } };
  expect(model.saved).toEqual([{ _hovered: point }]);
  hovered.set("scalars", "loss", [{ run: "a", step: 49n, value: 0.5 }]);
  vi.advanceTimersByTime(1000);
  expect(model.saved.length).toBe(1);
  hovered.set("scalars", "loss", []);
  vi.advanceTimersByTime(1000);
  expect(model.saved[1]).toEqual({ _hovered: null });
});

test("a chart of several tags reports the values of the tag below the pointer", () => {
  const { model, hovered } = made();
  hovered.set("scalars", "loss/train", [
    { run: "a", tag: "loss/valid", step: 3n, value: 0.5 },
    { run: "a", tag: "loss/train", step: 3n, value: 0.25 },
    { run: "b", tag: "loss/valid", step: 3n, value: 0.75 },
  ]);
  vi.advanceTimersByTime(1000);
  const values = { a: 0.5, b: 0.75 };
  expect(model.saved).toEqual([
    { _hovered: { panel: "scalars", tag: "loss/valid", run: "a", step: 3, value: 0.5, values } },
  ]);
});

test("numbers that JSON lacks are sent as text", () => {
  const { model, hovered } = made();
  hovered.set("scalars", "x", [
    { run: "a", step: 2n ** 63n - 1n, value: Number.NaN },
    { run: "b", step: 3n, value: Number.NEGATIVE_INFINITY },
  ]);
  vi.advanceTimersByTime(1000);
  expect(model.saved[0]?._hovered).toEqual({
    panel: "scalars",
    tag: "x",
    run: "a",
    step: "9223372036854775807",
    value: "NaN",
    values: { a: "NaN", b: "-Infinity" },
  });
});

test("a bin has edges; of many runs some are told", () => {
  const { model, hovered } = made();
  hovered.set("histograms", "w", [{ run: "a", step: 1n, value: 7, left: -1, right: 2 }]);
  vi.advanceTimersByTime(1000);
  expect(model.saved[0]?._hovered).toMatchObject({ left: -1, right: 2, value: 7 });
  hovered.set(
    "scalars",
    "x",
    Array.from({ length: 900 }, (_, i) => ({ run: `run${i}`, step: 1n, value: i })),
  );
  vi.advanceTimersByTime(1000);
  const last = (model.saved[1]?._hovered ?? {}) as { run?: string; values?: object };
  expect([last.run, Object.keys(last.values ?? {}).length]).toEqual(["run0", 50]);
});

test("a line of several runs belongs to none of them", () => {
  const { model, hovered } = made();
  hovered.set("scalars", "x", [{ run: "mean of 3 runs", n: 3, step: 1n, value: 2 }]);
  vi.advanceTimersByTime(1000);
  expect(model.saved[0]?._hovered).toMatchObject({
    run: null,
    group: "mean of 3 runs",
    values: { "mean of 3 runs": 2 },
  });
});

test("nothing is told after the end", () => {
  const { model, end, hovered } = made();
  hovered.set("scalars", "x", [{ run: "a", step: 1n, value: 1 }]);
  end.abort();
  vi.advanceTimersByTime(1000);
  expect(model.saved).toEqual([]);
});

test("the model has an option at once, though it is sent later: a notebook may be saved between", () => {
  const model = new FakeModel();
  const sync = new TraitSync(model, new AbortController().signal);
  let smoothing = 0.6;
  const apply = (value: unknown) => {
    smoothing = Number(value);
  };
  sync.bind("smoothing", { apply, value: () => smoothing });
  smoothing = 0.9;
  sync.send("smoothing");
  expect([model.get("smoothing"), model.saved.length]).toEqual([0.9, 0]);
  vi.advanceTimersByTime(1000);
  expect(model.saved).toEqual([{ smoothing: 0.9 }]);
  // A value that Python sets meanwhile holds.
  smoothing = 0.8;
  sync.send("smoothing");
  model.python("smoothing", 0.1);
  vi.advanceTimersByTime(1000);
  expect([smoothing, model.get("smoothing")]).toEqual([0.1, 0.1]);
});
