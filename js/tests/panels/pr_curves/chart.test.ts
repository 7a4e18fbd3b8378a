import { afterEach, describe, expect, test, vi } from "vitest";
import { ticksAlong } from "../../../src/charts/axis";
import { WHOLE } from "../../../src/charts/camera";
import { svgOf } from "../../../src/charts/svg";
import { averagePrecisionSource, averagePrecisions, curvesSource } from "../../../src/panels/pr_curves/card";
import { type CurvesDrawing, curvesChart, type DrawnCurve } from "../../../src/panels/pr_curves/chart";
import type { PRCurve } from "../../../src/panels/pr_curves/codec";
import { f1At, ratesOf, thresholdOf } from "../../../src/panels/pr_curves/measures";
import { prCurvesOptions } from "../../../src/panels/pr_curves/options";
import { averagesOf, curvesOf, earlierRows } from "../../../src/panels/pr_curves/shown";
import { boardOf, CASES, type CurvesBoard } from "./made";

const [eleven, many] = CASES.map(({ curve }) => curve) as [PRCurve, PRCurve];

const drawn = (run: string, curve: PRCurve, more: Partial<DrawnCurve> = {}): DrawnCurve => ({
  ...{ run, tag: "t", name: run, color: "#123456", dash: [], faded: false, step: 5n, wall: 0, curve },
  ...more,
});

const drawing = (curves: readonly DrawnCurve[], more: Partial<CurvesDrawing> = {}): CurvesDrawing => ({
  ...{ draws: "pr", curves, earlier: [], isoF1: true, threshold: null, theme: "light", lastStep: 5n },
  ...more,
});

const layOut = (one: CurvesDrawing, width = 330, height = 300) => curvesChart(one).layOut({ width, height }, WHOLE, 1);

function paint(one: CurvesDrawing): string {
  const measure = (text: string) => ({ width: 6 * text.length }) as TextMetrics;
  return svgOf({ width: 330, height: 300 }, "t", (surface) => layOut(one).paint(surface, null), measure);
}

test.each([
  [330, 300],
  [900, 300],
  [200, 600],
])("in %i by %i pixels, the plot is a square between 0 and 1", (width, height) => {
  const [plot] = layOut(drawing([drawn("a", many)]), width, height).plots;
  expect(plot?.area.width).toBe(plot?.area.height);
  expect([plot?.horizontal.range, plot?.vertical?.range]).toEqual([
    [0, 1],
    [0, 1],
  ]);
});

describe("the pointer", () => {
  const layout = layOut(drawing([drawn("a", many), drawn("b", eleven), drawn("c", many, { faded: true })]));

  test("finds the nearest point on the screen, and the same threshold on the other curves", () => {
    const place = 40;
    const at = { x: many.recall[place] as number, y: 1 - (many.precision[place] as number) };
    const hit = layout.hit(0, at);
    expect(hit?.details.map(({ run }) => run)).toEqual(["a", "b"]);
    const [a, b] = hit?.details ?? [];
    expect([a?.x, a?.y]).toEqual([many.recall[place], many.precision[place]]);
    expect(Math.abs(thresholdOf(eleven, b?.place ?? 0) - thresholdOf(many, a?.place ?? 0))).toBeLessThanOrEqual(0.05);
    expect(hit?.highlight).toBe(many);
    expect(hit?.dots).toHaveLength(2);
  });

  test("keys go from threshold to threshold, to the end and no further", () => {
    const stops: number[] = [];
    for (let stop = layout.next(0, null, 1); stop !== null; stop = layout.next(0, stop, 1)) {
      stops.push(stop);
    }
    // From the middle to the lowest threshold, which is at the right.
    expect(stops).toHaveLength(64);
    expect(stops.at(-1)).toBeCloseTo(0, 12);
    const hit = layout.hitAt(0, stops[3] as number);
    expect(hit?.details[0]?.place).toBe(60);
  });

  test("finds nothing without curves", () => {
    const empty = layOut(drawing([]));
    expect([empty.hit(0, { x: 0.5, y: 0.5 }), empty.next(0, null, 1), empty.hitAt(0, -0.5)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test("goes through very many thresholds in few steps", () => {
    const stretched = (column: PRCurve["tp"]) =>
      Float64Array.from({ length: 10_000 }, (_, i) => column[i % 11] as number);
    const long = Object.fromEntries(Object.entries(eleven).map(([name, column]) => [name, stretched(column)]));
    const layout = layOut(drawing([drawn("a", long as unknown as PRCurve)]));
    let count = 0;
    for (let stop = layout.next(0, null, -1); stop !== null; stop = layout.next(0, stop, -1)) {
      count += 1;
    }
    expect(count).toBeLessThan(140);
  });
});

test("a ROC curve has the rates of the counts", () => {
  const hit = layOut(drawing([drawn("a", many)], { draws: "roc" })).hit(0, { x: 0.2, y: 0.2 });
  const { truePositive, falsePositive } = ratesOf(many);
  const [point] = hit?.details ?? [];
  expect([point?.x, point?.y]).toEqual([falsePositive[point?.place ?? 0], truePositive[point?.place ?? 0]]);
});

describe("painted", () => {
  const words = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/gu)].map(([, text]) => text);

  test("axes have names and numbers, lines of equal F1 theirs", () => {
    expect(words(paint(drawing([drawn("a", many)])))).toEqual(
      expect.arrayContaining(["Precision", "Recall", "0", "0.2", "1", "F1", "0.8"]),
    );
    const roc = words(paint(drawing([drawn("a", many)], { draws: "roc" })));
    expect(roc).toEqual(expect.arrayContaining(["True positive rate", "False positive rate"]));
    expect(roc).not.toContain("F1");
  });

  test("lines without skill have names, each its own where there is room", () => {
    // One of two is positive, then one of four; the third has almost the same share as the second.
    const of = (tp: number, fp: number): PRCurve => {
      const zero = Float64Array.of(0);
      const [positives, negatives] = [Float64Array.of(tp), Float64Array.of(fp)];
      return { tp: positives, fp: negatives, tn: zero, fn: zero, precision: positives, recall: positives };
    };
    const curves = [of(1, 3), of(1, 1), of(26, 74)].map((curve, i) => drawn(`${i}`, curve));
    // Each name is drawn twice: first its halo.
    const skills = (one: CurvesDrawing) => [...new Set(words(paint(one)).filter((word) => word?.includes("no skill")))];
    expect(skills(drawing(curves))).toEqual(["no skill: 50\u202f% positive", "no skill: 25\u202f% positive"]);
    // Shares of 50 and 53 %: the names would cover one another.
    expect(skills(drawing([of(1, 1), of(53, 47)].map((curve, i) => drawn(`${i}`, curve))))).toEqual([
      "no skill: 53\u202f% positive",
    ]);
    expect(skills(drawing(curves, { draws: "roc" }))).toEqual(["no skill"]);
    expect(skills(drawing([]))).toEqual([]);
  });

  test("the name of a line without skill stands where the fewest curves are, behind them", () => {
    const [one, zero] = [Float64Array.of(1, 1, 1, 1), Float64Array.of(0, 0, 0, 0)];
    const nameOf = (precision: readonly number[]) => {
      const counts = { tp: one, fp: one, tn: zero, fn: zero };
      const curve = { ...counts, precision: Float64Array.from(precision), recall: Float64Array.of(0, 0.7, 0.8, 1) };
      const svg = paint(drawing([drawn("a", curve)], { isoF1: false }));
      const [, x, y] = /<text x="([\d.]+)" y="([\d.]+)"[^>]*>no skill/.exec(svg) ?? [];
      expect(svg.lastIndexOf("no skill")).toBeLessThan(svg.lastIndexOf("#123456"));
      return [Number(x) < 100 ? "left" : "right", Number(y) > 141 ? "below" : "above"];
    };
    expect(nameOf([0.9, 0.9, 0.9, 0.9])).toEqual(["right", "below"]);
    // It follows its baseline, below it, and then only at the right.
    expect(nameOf([0.48, 0.48, 0.48, 0.48])).toEqual(["right", "above"]);
    expect(nameOf([0.9, 0.9, 0.48, 0.53])).toEqual(["left", "below"]);
  });

  test("the place of that name is chosen once, and by some of the points of a long curve", () => {
    let reads = 0;
    const column = new Proxy(new Float64Array(10_000).fill(0.9), {
      get: (of, name) => {
        reads += 1;
        return Reflect.get(of, name);
      },
    });
    const one = new Float64Array(10_000).fill(1);
    const curve: PRCurve = { tp: one, fp: one, tn: one, fn: one, precision: column, recall: one };
    const layout = layOut(drawing([drawn("a", curve)]));
    const measure = (text: string) => ({ width: 6 * text.length }) as TextMetrics;
    const readsOfPaint = () => {
      const before = reads;
      expect(svgOf({ width: 330, height: 300 }, "t", (on) => layout.paint(on, null), measure)).toContain("no skill");
      return reads - before;
    };
    const more = readsOfPaint() - readsOfPaint();
    expect(more).toBeGreaterThan(0);
    // Four places, and both ends of 500 pieces.
    expect(more).toBeLessThanOrEqual(4 * 2 * 500);
  });

  test("a ROC curve that is not defined says why", () => {
    const none = Float64Array.of(0, 0);
    const curve: PRCurve = { tp: none, fp: Float64Array.of(3, 0), tn: none, fn: none, precision: none, recall: none };
    const why = "no positives or no negatives";
    expect(words(paint(drawing([drawn("a", curve)], { draws: "roc" })))).toContain(why);
    expect(words(paint(drawing([drawn("a", curve), drawn("b", many)], { draws: "roc" })))).not.toContain(why);
  });

  test("a marked threshold is a dot on each curve that is not faded", () => {
    const curves = [drawn("a", many), drawn("b", eleven), drawn("c", many, { faded: true })];
    const arcs = (threshold: number | null) => paint(drawing(curves, { threshold })).match(/[AC]\d/gu)?.length ?? 0;
    expect(arcs(0.5) - arcs(null)).toBeGreaterThan(0);
  });

  test.each(["pr", "roc"] as const)("%s: no number of the picture is NaN, whatever the counts", (draws) => {
    const none = Float64Array.of(0, 0);
    const empty: PRCurve = { tp: none, fp: Float64Array.of(3, 0), tn: none, fn: none, precision: none, recall: none };
    const one = Object.fromEntries(Object.entries(eleven).map(([name, column]) => [name, column.subarray(0, 1)]));
    const curves = [drawn("a", empty), drawn("b", one as unknown as PRCurve)];
    expect(paint(drawing(curves, { draws, threshold: 0.3 }))).not.toMatch(/NaN|Infinity/u);
  });
});

test("earlier steps stay the same ones while a training goes on", () => {
  const rows = Array.from({ length: 40 }, (_, id) => {
    return { id, step: BigInt(10 * id), wall: id, sample: 0, place: id, averagePrecision: 0.5, rocAuc: 0.5 };
  });
  const of = (count: number) =>
    earlierRows(rows.slice(0, count), rows[count - 1] as (typeof rows)[0]).map(({ id }) => id);
  expect(of(1)).toEqual([]);
  expect(of(4)).toEqual([0, 1, 2]);
  expect(of(18)).toEqual([0, 4, 8, 12, 16]);
  expect(of(20)).toEqual(of(18));
  expect(of(40).length).toBeLessThanOrEqual(5);
});

describe("a card", () => {
  let board: CurvesBoard;
  const both = ["a", "b"].map((run) => ({ run, tag: "t", steps: [1, 2], curves: [eleven, many] }));

  afterEach(() => vi.useRealTimers());

  test("shows each run at the linked step, and none that lies before its first", () => {
    board = boardOf([...both, { run: "c", tag: "t", steps: [5], curves: [many] }], { linked_step: 1 });
    expect(curvesOf([board.part("t")], board.view).map(({ run, row }) => [run, row.step])).toEqual([
      ["a", 1n],
      ["b", 1n],
    ]);
  });

  test("a click marks the threshold that it is on, and another one unmarks it", () => {
    board = boardOf(both);
    const source = curvesSource("t", [board.part("t")], "pr", board.view);
    const { pr_threshold } = board.view.options.of(prCurvesOptions);
    const hit = source.content().layOut({ width: 300, height: 300 }, WHOLE, 1).hit(0, { x: 0.4, y: 0.3 });
    const points = hit?.details ?? [];
    source.clicked?.(points, 1);
    expect(pr_threshold.value).toBe(thresholdOf(many, points[0]?.place ?? 0));
    source.clicked?.(points, 1);
    expect(pr_threshold.value).toBeNull();
    // The second click of a double click only resets the zoom.
    pr_threshold.set(0.25);
    source.clicked?.(points, 1);
    source.clicked?.(points, 2);
    expect(pr_threshold.value).toBe(0.25);
  });

  test("the threshold below the pointer is announced", () => {
    board = boardOf(both);
    const source = curvesSource("t", [board.part("t")], "pr", board.view);
    const layout = source.content().layOut({ width: 300, height: 300 }, WHOLE, 1);
    const points = layout.hitAt(0, -0.5)?.details ?? [];
    expect(source.describe(points)).toMatch(/^threshold 0\.5: a: precision 0\.\d+, recall 0\.\d+, b: precision/u);
    expect(source.points(points).map(({ run, step }) => [run, step])).toEqual([
      ["a", 2n],
      ["b", 2n],
    ]);
  });

  test("asks for the curve of an old step, and for earlier ones", () => {
    vi.useFakeTimers();
    board = boardOf([{ run: "a", tag: "t", steps: [1, 2, 3], curves: [null, null, many] }], { linked_step: 2 });
    const source = curvesSource("t", [board.part("t")], "pr", board.view);
    source.start?.();
    vi.advanceTimersByTime(1000);
    expect(board.sent.map(({ args }) => args)).toEqual([
      {
        curves: [
          ["a", "t", 1, 1],
          ["a", "t", 1, 0],
        ],
      },
    ]);
    source.release();
  });

  test("colors distinguish several tags of one run; with averages of the same thresholds", () => {
    const tags = ["class/1", "class/2"];
    board = boardOf(tags.map((tag) => ({ run: "a", tag, steps: [1], curves: [many] })));
    const parts = tags.map((tag) => board.part(tag));
    const shown = curvesOf(parts, board.view);
    expect(new Set(shown.map(({ color }) => color)).size).toBe(2);
    const [averages] = averagesOf(parts, shown, board.view);
    expect(averages?.micro.tp[0]).toBe(2 * (many.tp[0] as number));
    expect(averages?.macroAreas.averagePrecision).toBe(0.5);
    expect(averages?.microAreas.averagePrecision).toBeCloseTo(CASES[1]?.averagePrecision ?? 0, 12);
    expect(f1At(averages?.micro as PRCurve, 40)).toBeCloseTo(f1At(many, 40), 12);
  });

  test("tags with different thresholds, or that have not come, have no averages", () => {
    const tags = ["class/1", "class/2"];
    for (const curves of [
      [many, eleven],
      [many, null],
    ] as const) {
      board = boardOf(tags.map((tag, i) => ({ run: "a", tag, steps: [1], curves: [curves[i] ?? null] })));
      const parts = tags.map((tag) => board.part(tag));
      expect(averagesOf(parts, curvesOf(parts, board.view), board.view)).toEqual([]);
    }
  });

  test("average precision by step has every step, with all its digits", () => {
    board = boardOf([{ run: "a", tag: "t", steps: [1, 2, 3], curves: [] }]);
    const rows = board.part("t").data.byRun.get("a")?.rows ?? [];
    const far = rows.map((row, i) => (i === 2 ? { ...row, step: 2n ** 60n + 1n } : row));
    expect([...averagePrecisions({ rows }).value]).toEqual([0.5, 0.51, 0.52]);
    expect(averagePrecisions({ rows: far }).lastStep).toBe(2n ** 60n + 1n);
  });

  test("average precision has an axis from 0 to 1, and a single step no other step beside it", () => {
    const plotOf = (steps: readonly number[]) => {
      board = boardOf([{ run: "a", tag: "t", steps, curves: [] }]);
      const content = averagePrecisionSource("t", [board.part("t")], board.view).content();
      return content.layOut({ width: 330, height: 300 }, WHOLE, 1).plots[0];
    };
    expect(plotOf([7])?.horizontal.range).toEqual([6.5, 7.5]);
    const labels = ticksAlong("number", plotOf([7, 8])?.vertical?.range ?? [0, 0], 250, 40).map(({ label }) => label);
    expect([labels[0], labels.at(-1)]).toEqual(["0", "1"]);
  });

  test("average precision has the named ranges of steps, as other charts along steps do", () => {
    board = boardOf([{ run: "a", tag: "t", steps: [0, 10, 30], curves: [] }], { named_ranges: [["drop", 12, 25]] });
    const content = averagePrecisionSource("t", [board.part("t")], board.view).content();
    const marks = content.layOut({ width: 330, height: 300 }, WHOLE, 1).rangeMarks ?? [];
    expect(marks.map(({ text, span }) => [text, span])).toEqual([
      [null, [12, 25]],
      ["drop", [12, 25]],
    ]);
  });
});
