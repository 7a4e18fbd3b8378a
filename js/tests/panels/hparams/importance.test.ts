import { computed, signal } from "@preact/signals";
import { h } from "preact";
import { describe, expect, test } from "vitest";
import { measureLabel } from "../../../src/charts/text";
import {
  adjustedEtaSquared,
  type Cell,
  groupsOf,
  importanceOf,
  ranksOf,
  spearman,
} from "../../../src/panels/hparams/scatter/importance";
import { barsOf, choicesOf, Importance } from "../../../src/panels/hparams/scatter/importances";
import { type View, ViewContext } from "../../../src/ui/view";
import fixture from "../../fixtures/importances.json";
import { rendered } from "../../ui/rendering";
import { SweepBoard } from "./board";

interface Said {
  readonly values: readonly (number | string | null)[];
  readonly share: number;
  readonly correlation: number | null;
  readonly count: number;
}

const cases = fixture.flatMap(({ metric, columns }) =>
  Object.entries(columns as Readonly<Record<string, Said>>).map(([name, said]) => ({
    name,
    n: metric.length,
    metric,
    said,
  })),
);

test.each(cases)("$name of $n sessions as numpy and pandas have it", ({ metric, said }) => {
  const values = said.values.map((value): Cell => value ?? undefined);
  const { share, correlation, count } = importanceOf(values, metric);
  expect(count).toBe(said.count);
  expect(share).toBeCloseTo(said.share, 12);
  if (said.correlation === null) {
    expect(correlation).toBeNull();
  } else {
    expect(correlation).toBeCloseTo(said.correlation, 12);
  }
});

describe("groups", () => {
  test("a few numbers and all categories are groups as they are", () => {
    expect(groupsOf([1, 2, 1, "1", true, Number.NaN, Number.NaN, "true"])).toEqual([0, 1, 0, 2, 3, 4, 4, 5]);
  });

  test("many numbers are cut into at most ten bins of equal size", () => {
    const groups = groupsOf(Array.from({ length: 1000 }, (_, i) => i ** 3));
    const sizes = new Map<number, number>();
    for (const group of groups) {
      sizes.set(group, (sizes.get(group) ?? 0) + 1);
    }
    expect([...sizes.values()]).toEqual(Array.from({ length: 10 }, () => 100));
  });

  test("infinities and text among many numbers are groups of their own", () => {
    const groups = groupsOf([...Array.from({ length: 30 }, (_, i) => i), Number.POSITIVE_INFINITY, "none", "none"]);
    expect(new Set(groups.slice(0, 30)).size).toBe(5);
    expect(groups.slice(30)).toEqual([5, 6, 6]);
  });
});

test("categories of fewer than three sessions are one group", () => {
  const metric = Array.from({ length: 40 }, (_, i) => i % 5);
  const kinds = metric.map((_, i) => (i < 8 ? `rare ${i >> 1}` : i % 2 ? "a" : "b"));
  const merged = kinds.map((kind) => (kind.startsWith("rare") ? "rare" : kind));
  expect(importanceOf(kinds, metric).share).toBe(importanceOf(merged, metric).share);
  expect(importanceOf(kinds, metric).share).not.toBeNull();
});

describe("undefined importance", () => {
  const metric = Array.from({ length: 40 }, (_, i) => i % 7);

  test("a constant hyperparameter or metric", () => {
    const nothing = { share: null, correlation: null, count: 40 };
    expect(
      importanceOf(
        Array.from({ length: 40 }, () => 3),
        metric,
      ),
    ).toEqual(nothing);
    expect(
      importanceOf(
        metric,
        Array.from({ length: 40 }, () => 3),
      ),
    ).toEqual(nothing);
  });

  test("nearly as many categories as sessions", () => {
    const names = Array.from({ length: 40 }, (_, i) => `trial ${i}`);
    expect(importanceOf(names, metric).share).toBeNull();
    expect(adjustedEtaSquared([], new Float64Array())).toBeNull();
  });

  test("metrics that are not finite, and missing values", () => {
    const some = metric.map(
      (value, i): Cell => (i === 0 ? Number.NaN : i === 1 ? Number.POSITIVE_INFINITY : i === 2 ? undefined : value),
    );
    expect(importanceOf(metric, some).count).toBe(37);
    expect(importanceOf(some, metric).count).toBe(39);
    expect(importanceOf([], []).count).toBe(0);
  });
});

test("very large and very small metrics do not overflow", () => {
  const hparam = Array.from({ length: 60 }, (_, i) => i % 3);
  const share = importanceOf(
    hparam,
    hparam.map((value, i) => value + (i % 5)),
  ).share as number;
  for (const factor of [1e300, 1e-300]) {
    const scaled = hparam.map((value, i) => factor * (value + (i % 5)));
    expect(importanceOf(hparam, scaled).share).toBeCloseTo(share, 12);
  }
});

test("equal values share the mean of their ranks", () => {
  expect([...ranksOf([30, 10, 20, 10, Number.POSITIVE_INFINITY])]).toEqual([4, 1.5, 3, 1.5, 5]);
  expect(spearman([1, 2, 3, undefined, 5], [10, 20, 1000, 4, undefined])).toBe(1);
  expect(spearman([true, false, true], [1, 2, 0])).toBeCloseTo(-Math.sqrt(3) / 2, 12);
  expect(spearman(["a", "b"], [1, 2])).toBeNull();
});

test("the bars follow a selection of runs at once; a new run is no selection", () => {
  const board = new SweepBoard();
  board.sweep(
    ["a", "b", "c"].map((run, i) => ({ run, hparams: { lr: i }, metrics: { acc: [i] } })),
    ["acc"],
  );
  const choices = computed(() => choicesOf(board.state));
  const before = choices.value;
  board.options.select({ names: new Set(["a", "b"]), only: true });
  const after = choices.value;
  expect(after).not.toEqual(before);
  board.scalar("a/eval", "acc", [1]);
  expect(choices.value.every((choice, i) => choice === after[i])).toBe(true);
  board.end();
});

test("the first of hundreds of hyperparameters are read, and their number is shown", () => {
  const board = new SweepBoard();
  const names = Array.from({ length: 501 }, (_, i) => `h${i}`);
  const sessions = Array.from({ length: 1000 }, (_, place) => ({
    run: `trial-${place}`,
    hparams: { constant: 1, ...Object.fromEntries(names.map((name, i) => [name, (place * (i + 7)) % 1009])) },
    metrics: { acc: [place] },
  }));
  board.sweep(sessions, ["acc"]);
  const { bars, varying, read } = barsOf(board.state);
  expect([bars.length, read, varying]).toEqual([200, 200, 501]);
  expect(Math.max(...bars.map(({ column }) => Number(column.key.slice("hparam:h".length))))).toBe(199);
  // The head leaves less room for bars.
  const view = { ...board.view, width: signal(1000) } as unknown as View;
  const shown = rendered(h(ViewContext.Provider, { value: view }, h(Importance, {})));
  const [head, ...listed] = shown.root.all("li").map(({ textContent }) => textContent);
  expect(head).toBe("Importance for acc: η² of 1\u202f000 sessions, the first 200 of 501 hyperparameters");
  const width = [head, ...listed].reduce((sum, text = "") => sum + measureLabel(text), 0);
  expect(width).toBeLessThan(1000);
  expect(listed).toHaveLength(2);
  shown.end();
  board.end();
});
