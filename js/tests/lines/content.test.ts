import { type Signal, signal } from "@preact/signals";
import { afterEach, describe, expect, test } from "vitest";
import { type Camera, WHOLE } from "../../src/charts/camera";
import { svgOf } from "../../src/charts/svg";
import { LINEAR } from "../../src/lib/scale";
import type { Theme } from "../../src/lib/tokens";
import { sharedValues } from "../../src/lines/axes";
import { aggregateValues, drawnGroups, linesOf, optionsOf } from "../../src/lines/compare";
import { drawLines, legendOf, scalarsContent } from "../../src/lines/content";
import { type Curve, curveAlong, curveOf } from "../../src/lines/curve";
import { seriesOf } from "../../src/lines/derived";
import { joined } from "../../src/lines/linecard";
import { compareOptions, scalarsOptions } from "../../src/lines/options";
import { marginBetween } from "../../src/lines/paint";
import type { Series } from "../../src/lines/series";
import { scalarsSource } from "../../src/lines/source";
import { SupersededPoints } from "../../src/lines/superseded";
import type { OptionsOf, OptionTable } from "../../src/options/declare";
import { namedRangeOptions } from "../../src/options/namedranges";
import { logValueOptions, timeAxisOptions } from "../../src/options/shared";
import { KeyedSignals } from "../../src/ui/keyed";
import { followCamera, followed } from "../../src/ui/mountchart";
import { message, part, pointRows, points } from "../wire/made";
import { settled } from "../wire/tracked";
import { type Board, boardOf } from "./board";
import { PLAIN } from "./options";

let board: Board;

afterEach(() => board.end());

function legend(state: Record<string, unknown>): [string, string | null][] {
  board = boardOf(
    ["loss", "rate"].flatMap((tag) => ["a/1", "a/2", "b/1"].map((run) => part(tag, run, [0, 1, 2]))),
    state,
  );
  const shown = ["loss", "rate"].map((tag) => ({ tag, data: board.tag(tag) }));
  return legendOf(shown, board.view).map(({ text, color }) => [text, color]);
}

const colorOf = (run: string) => board.view.options.colorOf.value(run, "light");

test("cards that share an axis of values have the same one, also where the outliers of one of them are included", () => {
  const steps = Array.from({ length: 400 }, (_, i) => i);
  const spiked = steps.map((step) => (step === 200 ? 1e6 : step / 400));
  board = boardOf([part("a/loss", "x", steps, { rows: pointRows(steps, spiked) }), part("a/rate", "x", steps)], {
    ...{ share_y: true, outliers_y: ["a/loss"] },
  });
  const [loss, rate] = ["a/loss", "a/rate"].map((tag) => sharedValues(tag, board.view));
  expect(loss).toEqual(rate);
  expect(loss?.[1]).toBe(1e6);
});

test("a legend lists each run once, after the tags", () => {
  const [loss, rate, ...runs] = legend({});
  expect([loss?.[0], rate?.[0]]).toEqual(["loss", "rate"]);
  expect(runs).toEqual(["a/1", "a/2", "b/1"].map((run) => [run, colorOf(run)]));
});

test("a legend lists drawn groups without runs, in the colors of their lines", () => {
  const [, , ...groups] = legend({ aggregate: "mean", group_by: "folder" });
  expect(groups).toEqual([
    ["a", colorOf("a/1")],
    ["b", colorOf("b/1")],
  ]);
});

test("a legend lists tags in the color of the single line for all runs", () => {
  const [loss, rate, ...all] = legend({ aggregate: "mean" });
  expect(all.map(([text]) => text)).toEqual(["mean of 3 runs"]);
  const [[, color] = []] = all;
  expect([loss, rate]).toEqual([
    ["loss", color],
    ["rate", color],
  ]);
  expect(["a/1", "a/2", "b/1"].map(colorOf)).not.toContain(color);
});

test("groups have their names and colors, for any number of tags and any background", () => {
  legend({ aggregate: "mean", group_by: "folder", aggregate_members: true });
  expect(drawnGroups([board.tag("loss"), board.tag("rate")], board.view)).toEqual([
    { text: "a", color: colorOf("a/1") },
    { text: "b", color: colorOf("b/1") },
  ]);
});

test.each<Record<string, unknown>>([
  {},
  { group_by: "folder" },
  { group_by: "folder", baseline: "b/1" },
  { baseline: "a/1", aggregate_members: true },
  { selected_runs: ["a/2", "b/1"], group_by: "folder" },
  { x_axis: "tag", x_tag: "rate" },
])("the groups that are named are the lines that are drawn, and no series is read for them: %o", (state) => {
  board = boardOf(
    ["a/1", "a/2", "b/1"].map((run) => part("loss", run, [0, 1, 2])),
    { aggregate: "median", ...state },
  );
  const data = board.tag("loss");
  const unreadable = new Proxy({} as Series, {
    get: (_series, name) => {
      throw new Error(`${String(name)} of a series was read`);
    },
  });
  const byRun = new Map([...data.byRun].map(([run, held]) => [run, { ...held, series: unreadable }]));
  const named = drawnGroups([{ byRun }], board.view);
  const drawn = linesOf(data, board.view, optionsOf("loss", data, board.view)).filter(({ aggregation }) => aggregation);
  expect(named).toEqual(drawn.map(({ run, color }) => ({ text: run, color })));
  expect(named.length > 0).toBe(state.x_axis !== "tag");
});

test("named ranges are painted along steps and times, for pictures as well, but not along another tag", () => {
  const drawn = (state: Record<string, unknown>) => {
    board = boardOf(
      ["loss", "rate"].map((tag) => part(tag, "x", [0, 10, 20])),
      { named_ranges: [["a < b", 5, 15]], ...state },
    );
    const layout = scalarsContent([{ tag: "loss", data: board.tag("loss") }], board.view, []).layOut(
      { width: 600, height: 200 },
      WHOLE,
      1,
    );
    const measure = (label: string) => ({ width: 6 * label.length }) as TextMetrics;
    const text = svgOf({ width: 600, height: 200 }, "t", (surface) => layout.paint(surface, null), measure);
    board.end();
    return [text.includes("a &lt; b"), layout.rangeMarks?.map(({ span }) => span)];
  };
  expect(drawn({})).toEqual([true, Array(2).fill([5, 15])]);
  // The row at step 10.
  expect(drawn({ x_axis: "relative" })).toEqual([true, Array(2).fill([1, 1])]);
  expect(drawn({ x_axis: "tag", x_tag: "rate" })).toEqual([false, []]);
});

test("a chart without a row in the visible steps names these; values without a place there are named as such", () => {
  const middleOf = (steps: readonly number[], values: readonly number[], x: [number, number] | null, state = {}) => {
    board = boardOf([part("loss", "x", steps, { rows: pointRows(steps, values) })], state);
    const size = { width: 600, height: 200 };
    const lines = [{ tag: "loss", data: board.tag("loss") }];
    const layout = scalarsContent(lines, board.view, []).layOut(size, { x, y: null }, 1);
    const measure = (label: string) => ({ width: 6 * label.length }) as TextMetrics;
    const text = svgOf(size, "t", (surface) => layout.paint(surface, null), measure);
    board.end();
    return /no value[^<]*|no finite[^<]*/.exec(text)?.[0];
  };
  expect(middleOf([0], [0.5], null)).toBeUndefined();
  expect(middleOf([0], [0.5], [99, 160])).toBe("no values in steps 99 – 160");
  expect(middleOf([0], [0.5], [98.5, 99.5])).toBe("no values at step 99");
  // Numbers as large as this are not exact steps.
  expect(middleOf([0], [0.5], [2 ** 53, 2 ** 54])).toBe("no values in this range");
  expect(middleOf([0], [0.5], [-5, 5])).toBeUndefined();
  // The line passes between its points.
  expect(middleOf([0, 200], [1, 2], [99, 160])).toBeUndefined();
  expect(middleOf([0, 100, 200], [1, Number.NaN, 2], [99, 160])).toBe("no finite value");
  expect(middleOf([0], [0.5], [99, 160], { x_axis: "relative" })).toBe("no values in this range");
});

describe("a drawn chart follows its data", () => {
  /** The number of redraws after each of these changes. */
  function drawnAfter(state: Record<string, unknown>, ...changes: ((board: Board) => void)[]): number[] {
    board = boardOf(
      ["a/loss", "a/rate", "other"].flatMap((tag) => ["x", "y"].map((run) => part(tag, run, [0, 1, 2]))),
      state,
    );
    const shown = [{ tag: "a/loss", data: board.tag("a/loss") }];
    return changes.map((change) => {
      let changed = 0;
      const [content, stop] = followed(
        () => scalarsContent(shown, board.view, []),
        () => {
          changed += 1;
        },
      );
      content();
      change(board);
      stop();
      return changed;
    });
  }

  let seq = 1;
  const more =
    (tag: string, keep = 3) =>
    (board: Board) => {
      seq += 1;
      board.store.apply(message(seq, [part(tag, "x", keep === 0 ? [0, 1, 2] : [3], { keep })]), 0);
    };
  const set =
    <T extends OptionTable>(table: T, change: (options: OptionsOf<T>) => void) =>
    ({ view }: Board) =>
      change(view.options.of(table));

  test("its own data, but not the data of other tags", () => {
    expect(drawnAfter({}, more("a/loss"), more("a/rate"), more("other"))).toEqual([1, 0, 0]);
  });

  test("the data of its group if they share an axis, and the data of the tag along x", () => {
    expect(drawnAfter({ share_y: true }, more("a/rate"), more("other"))).toEqual([1, 0]);
    expect(drawnAfter({ x_axis: "tag", x_tag: "other" }, more("a/rate"), more("other"))).toEqual([0, 1]);
  });

  test("the tag along x, where it arrives later", () => {
    expect(drawnAfter({ x_axis: "tag", x_tag: "late" }, more("late", 0))).toEqual([1]);
    const data = board.tag("a/loss");
    const [line] = linesOf(data, board.view, optionsOf("a/loss", data, board.view));
    expect([line?.run, line?.curve.x.length]).toEqual(["x", 3]);
  });

  test("options, runs and their names and colors, and the theme", () => {
    const changes = [
      set(timeAxisOptions, ({ x_axis }) => x_axis.set("relative")),
      set(timeAxisOptions, ({ linked_step }) => linked_step.set(2)),
      set(timeAxisOptions, ({ ignore_outliers }) => ignore_outliers.set(false)),
      set(logValueOptions, ({ log_y }) => log_y.set(new Set(["a/loss"]))),
      set(scalarsOptions, ({ smoothing }) => smoothing.set(0.1)),
      set(scalarsOptions, ({ raw_values }) => raw_values.set("hidden")),
      set(scalarsOptions, ({ split_restarts }) => split_restarts.set(false)),
      set(scalarsOptions, ({ y_ranges }) => y_ranges.set(new Map([["a/loss", [0, 1]]]))),
      set(scalarsOptions, ({ share_y }) => share_y.set(true)),
      set(compareOptions, ({ baseline }) => baseline.set("y")),
      set(compareOptions, ({ selected_steps }) => selected_steps.set([0, 1])),
      set(namedRangeOptions, ({ named_ranges }) => named_ranges.set([{ name: "start", steps: [0, 1] }])),
      set(compareOptions, ({ aggregate }) => aggregate.set("median")),
      set(compareOptions, ({ aggregate_members }) => aggregate_members.set(true)),
      ({ view }: Board) => view.options.runs.select({ names: new Set(["x"]), only: true }),
      ({ view }: Board) => view.options.runTable.run_names.set(new Map([["x", "the best"]])),
      ({ view }: Board) => {
        view.highlightedRun.value = "x";
      },
      ({ view }: Board) => {
        (view.theme as Signal<Theme>).value = "dark";
      },
    ];
    expect(drawnAfter({}, ...changes)).toEqual(changes.map(() => 1));
  });

  test("superseded points that arrive", async () => {
    board = boardOf([part("loss", "x", [0, 1, 2], { superseded: 2 })], { superseded: true });
    const data = board.tag("loss");
    const points = new SupersededPoints("scalars", "loss", data, board.view);
    points.start();
    let changed = 0;
    const [, stop] = followed(
      () => scalarsContent([{ tag: "loss", data }], board.view, [points]),
      () => {
        changed += 1;
      },
    );
    const [asked] = board.sent.flatMap((one) => (one.type === "request" ? [one.id] : []));
    board.requests.apply([{ request: asked ?? "", ok: true, reason: "", value: null, size: 0 }], []);
    await settled();
    expect(changed).toBe(1);
    stop();
    points.end();
  });
});

test("a card of several tags has all reasons why a run cannot be read, each once", () => {
  const tags = ["loss", "rate", "time"];
  board = boardOf(tags.map((tag) => part(tag, "x", [0, 1, 2])));
  const reasons = ["no room", "damaged", "no room"];
  const failed = tags.map((tag, i) => ({ kind: "scalars", run: "y", tag, reason: reasons[i] as string }));
  board.store.apply(message(2, [], { failed }), 0);
  const { failures } = joined(tags.map((tag) => ({ tag, data: board.tag(tag) })));
  expect([...failures]).toEqual([["y", { reason: "no room; damaged" }]]);
});

test("a chart stays where the user has moved it while data arrive, for any comparison of its values", () => {
  const state = { log_y: ["loss"], baseline: "x", compare_as: "difference" };
  board = boardOf(
    ["x", "y"].map((run) => part("loss", run, [0, 1, 2])),
    state,
  );
  const { options } = board.view;
  const view = { ...board.view, cameras: new KeyedSignals<Camera>(WHOLE) };
  const shownTags = [{ tag: "loss", data: board.tag("loss") }];
  const source = scalarsSource("scalars", "loss", shownTags, view, signal(null), {} as Element);
  const shown: Camera[] = [];
  const stop = followCamera(view, source, (camera) => shown.push(camera));
  board.store.apply(message(2, [part("loss", "x", [3], { keep: 3 })]), 0);
  expect(shown).toEqual([WHOLE]);
  options.of(timeAxisOptions).step_range.set([0, 1]);
  options.of(compareOptions).baseline.set(null);
  expect(shown).toHaveLength(3);
  stop();
  source.release();
});

test("a margin reaches from one line to the other, where these have rows at different places, too", () => {
  const curve = (steps: number[], values: number[]) => curveOf(points(steps, values), PLAIN);
  const margin = (lower: Curve, upper: Curve) => marginBetween(lower, upper, "#000000", false);
  const steps = [0, 1, 2, 3, 4];
  const low = curve(steps, [0, 1, Number.NaN, 3, 4]);
  expect(margin(low, curve(steps, [10, 11, 12, 13, 14])).low).toBe(low.y);
  expect([...margin(curve([0, 2], [0, 2]), curve([0, 1, 2, 3], [5, 6, 7, 8])).low]).toEqual([0, 1, 2, Number.NaN]);
});

test("a line along recall is found by the nearest point on the screen, even if its values go back", () => {
  const steps = new Float64Array(4).fill(400);
  const precision = seriesOf(steps, steps, Float64Array.of(1, 0.8, 0.8, 0.5), 0);
  const curve = curveAlong(precision, Float64Array.of(0, 0.5, 0.5, 1));
  const content = drawLines({
    parts: [{ tag: "digits", lines: [{ run: "x", color: "#000000", curve, faded: false }], older: [], margins: [] }],
    x: { kind: "number", scale: LINEAR, name: "Recall", linksSteps: false },
    yScale: LINEAR,
    limits: [0, 1],
    ignoreOutliers: false,
    theme: "light",
    behind: "line",
    linked: null,
    selected: null,
    ranges: [],
    lastStep: 400n,
  });
  const layout = content.layOut({ width: 400, height: 200 }, WHOLE, 1);
  expect(layout.lastStep).toBe(400n);
  const near = layout.hit(0, { x: 0.9, y: 0.5 })?.details[0];
  expect(near).toMatchObject({ run: "x", tag: "digits", step: 400n, x: 1, value: 0.5, band: null });
});

test("the values of means are those of the runs as written, where the drawn lines end or the linked step is", () => {
  const runs = { "a/1": [1, 2, 3], "a/2": [3, 4, 5], "b/1": [7, 8] };
  board = boardOf(
    Object.entries(runs).map(([run, values]) =>
      part("loss", run, [...values.keys()], { rows: pointRows([...values.keys()], values) }),
    ),
    { aggregate: "mean", group_by: "folder" },
  );
  const values = (linked: number | null) =>
    aggregateValues(board.tag("loss"), board.view, linked)?.map(({ text, value, step }) => [text, value, step]);
  expect(values(null)).toEqual([
    ["a", 4, 2n],
    ["b", 8, 1n],
  ]);
  expect(values(0)).toEqual([
    ["a", 2, 0n],
    ["b", 7, 0n],
  ]);
  board.view.options.of(compareOptions).aggregate.set(null);
  expect(values(null)).toEqual([]);
});
