import { afterEach, expect, test } from "vitest";
import { MAX_PREVIEWED, makePreview } from "../../../src/panels/hparams/preview";
import { rankedRows } from "../../../src/panels/hparams/ranking";
import { SweepBoard } from "./board";

let board: SweepBoard;

afterEach(() => board.end());

/** A sweep in which higher learning rates give higher accuracies; each run has a run below it. */
function sweep(count: number): SweepBoard {
  board = new SweepBoard();
  const sessions = Array.from({ length: count }, (_, i) => ({
    run: `trial-${i}`,
    hparams: { lr: i },
    metrics: { "eval/acc": [i / count] },
  }));
  for (const { run, metrics } of sessions) {
    board.scalar(`${run}/eval`, "acc", metrics["eval/acc"]);
  }
  board.document({
    hparams: [{ name: "lr", title: "", description: "", type: "", domain: null, source: "summary" }],
    metrics: [{ group: "eval", tag: "acc", title: "", description: "" }],
    runs: sessions.map(({ run }) => run),
    status: sessions.map(() => "SUCCESS"),
    groups: sessions.map(() => ""),
    start: sessions.map(() => null),
    end: sessions.map(() => null),
    values: [sessions.map(({ hparams }) => hparams.lr)],
    aliases: {},
  });
  return board;
}

function shown({ options, store }: SweepBoard): string[] {
  return store.runs.value.filter((run) => options.shows(run));
}

test("brushed sessions replace all selected ones, with the runs below them", () => {
  const { options, state, view } = sweep(10);
  const selected = ["trial-1/eval", "trial-7/eval", "trial-8/eval"];
  options.select({ names: new Set(selected), only: true });
  options.runs.preview.value = makePreview(view, state);
  expect(shown(board)).toEqual(selected);
  state.brushes.value = new Map([["hparam:lr", [{ range: [7, 9] }]]]);
  expect(shown(board)).toEqual(["trial-7/eval", "trial-8/eval"]);
  expect(options.runs.preview.value?.label.value).toBe("2 sessions");
  options.runs.preview.value?.end();
  expect(shown(board)).toEqual(selected);
});

test("a selection of runs is no preview, and leaves runs beside the sessions", () => {
  const { options, state, view } = sweep(60);
  board.scalar("baseline", "acc", [1]);
  options.select({ names: new Set(shown(board).filter((run) => run !== "trial-3/eval")), only: true });
  const preview = makePreview(view, state);
  options.runs.preview.value = preview;
  expect(preview.runs.value).toBeNull();
  expect(shown(board)).toHaveLength(60);
  expect(shown(board)).toContain("baseline");
  state.options.hparams_filters.set(new Map([["hparam:lr", { min: 50 }]]));
  expect(shown(board)).toHaveLength(10);
  state.options.hparams_filters.set(new Map());
  expect(preview.runs.value).toBeNull();
});

test("a preview that was ended stays ended when equal filters are set", () => {
  const { options, state, view } = sweep(10);
  const preview = makePreview(view, state);
  options.runs.preview.value = preview;
  state.options.hparams_filters.set(new Map([["hparam:lr", { min: 5 }]]));
  expect(shown(board)).toHaveLength(5);
  preview.end();
  expect(shown(board)).toHaveLength(10);
  state.options.hparams_filters.set(new Map([["hparam:lr", { min: 5 }]]));
  expect(shown(board)).toHaveLength(10);
  state.options.hparams_filters.set(new Map([["hparam:lr", { min: 6 }]]));
  expect(shown(board)).toHaveLength(4);
});

test("the best of many sessions are previewed, and all are selected", () => {
  const { options, state, view } = sweep(80);
  const preview = makePreview(view, state);
  options.runs.preview.value = preview;
  state.brushes.value = new Map([["hparam:lr", [{ range: [10, 79] }]]]);
  expect(shown(board)).toHaveLength(MAX_PREVIEWED);
  expect(shown(board)).toContain("trial-79/eval");
  expect(shown(board)).not.toContain("trial-29/eval");
  expect(preview.label.value).toBe("the best 50 of 70 sessions by eval/acc");
  preview.commit();
  expect(state.brushed.value).toBeNull();
  expect(shown(board)).toHaveLength(70);
  expect(preview.runs.value).toBeNull();
});

test("runs that the user selects end the preview", () => {
  const { options, state, view } = sweep(5);
  options.runs.preview.value = makePreview(view, state);
  state.brushes.value = new Map([["hparam:lr", [{ range: [0, 1] }]]]);
  options.select({ names: new Set(["trial-4/eval"]), only: true });
  expect(shown(board)).toEqual(["trial-4/eval"]);
});

test("while a brush is dragged the preview stays as it was", () => {
  const { options, state, view } = sweep(5);
  const preview = makePreview(view, state);
  options.runs.preview.value = preview;
  expect(shown(board)).toHaveLength(5);
  preview.isBrushing.value = true;
  state.brushes.value = new Map([["hparam:lr", [{ range: [0, 1] }]]]);
  expect(shown(board)).toHaveLength(5);
  preview.isBrushing.value = false;
  expect(shown(board)).toHaveLength(2);
});

test("a preview that ends while a brush is dragged shows the selected runs", () => {
  const { options, state, view } = sweep(5);
  const preview = makePreview(view, state);
  options.runs.preview.value = preview;
  state.brushes.value = new Map([["hparam:lr", [{ range: [0, 1] }]]]);
  expect(shown(board)).toHaveLength(2);
  preview.isBrushing.value = true;
  preview.end();
  expect(shown(board)).toHaveLength(5);
  state.brushes.value = new Map([["hparam:lr", [{ range: [0, 2] }]]]);
  expect(shown(board)).toHaveLength(3);
});

test("runs that are selected elsewhere, as in Python, end the preview", () => {
  const { options, state, view } = sweep(5);
  options.runs.preview.value = makePreview(view, state);
  state.brushes.value = new Map([["hparam:lr", [{ range: [0, 1] }]]]);
  options.takeOver({ selected_runs: ["trial-4/eval"] });
  expect(shown(board)).toEqual(["trial-4/eval"]);
  expect(state.brushed.value).toBeNull();
});

test("filters preview as brushes do, which narrow them, until either is ended", () => {
  const { options, state, view } = sweep(10);
  const preview = makePreview(view, state);
  options.runs.preview.value = preview;
  state.options.hparams_filters.set(new Map([["hparam:lr", { min: 6 }]]));
  expect(shown(board)).toEqual(["trial-6/eval", "trial-7/eval", "trial-8/eval", "trial-9/eval"]);
  expect(preview.label.value).toBe("4 sessions");
  state.brushes.value = new Map([["hparam:lr", [{ range: [5, 7] }]]]);
  expect(shown(board)).toEqual(["trial-6/eval", "trial-7/eval"]);
  state.clearBrushes();
  expect(shown(board)).toHaveLength(4);
  preview.end();
  expect([shown(board).length, state.shown.value.length]).toEqual([10, 4]);
  state.options.hparams_filters.set(new Map([["run", { pattern: "trial-[34]" }]]));
  expect(shown(board)).toHaveLength(2);
  state.options.hparams_filters.set(new Map([["status", { values: ["SUCCESS"] }]]));
  expect([shown(board).length, preview.runs.value]).toEqual([10, null]);
});

test("runs that are selected stay selected in spite of filters", () => {
  const { options, state, view } = sweep(10);
  const preview = makePreview(view, state);
  options.runs.preview.value = preview;
  state.options.hparams_filters.set(new Map([["hparam:lr", { max: 3 }]]));
  preview.commit();
  expect([shown(board).length, state.shown.value.length, preview.runs.value]).toEqual([4, 4, null]);
  options.select({ names: new Set(["trial-9/eval"]), only: true });
  expect(shown(board)).toEqual(["trial-9/eval"]);
});

test("the best come first, values without a number last", () => {
  const values = [0.5, Number.NaN, 0.9, undefined, Number.POSITIVE_INFINITY, 0.1];
  const state = (best: "min" | "max") =>
    ({ goal: { value: { values } }, goalBest: { value: best } }) as unknown as Parameters<typeof rankedRows>[0];
  expect(rankedRows(state("max"), [0, 1, 2, 3, 4, 5])).toEqual([4, 2, 0, 5, 1, 3]);
  expect(rankedRows(state("min"), [0, 1, 2, 3, 4, 5])).toEqual([5, 0, 2, 4, 1, 3]);
});
