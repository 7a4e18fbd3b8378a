import { effect } from "@preact/signals";
import { afterEach, expect, test, vi } from "vitest";
import { RegexWorker } from "../../../src/lib/namematcher";
import { previewOf } from "../../../src/panels/hparams/preview";
import { textIn } from "../../../src/panels/hparams/save";
import { hparamsOf } from "../../../src/panels/hparams/sessions";
import { tableOf } from "../../../src/panels/hparams/table";
import { nodeWorkers } from "../../lib/nodeworkers";
import { SweepBoard, type SweepSession } from "./board";

let board: SweepBoard;

afterEach(() => board.end());

/** Trials of one group, with a seed and a last loss each, and a session of its own. */
function grouped(losses: readonly number[], more: Partial<SweepSession> = {}) {
  board = new SweepBoard({ hparams_groups: true });
  const trial = (loss: number, i: number): SweepSession => {
    return { run: `g/${i}`, hparams: { lr: 0.1, seed: i }, metrics: { loss: [loss] }, group: "g", ...more };
  };
  board.sweep(
    [...losses.map(trial), { run: "alone", hparams: { lr: 0.5, seed: 7 }, metrics: { loss: [9] } }],
    ["loss"],
  );
  expect(hparamsOf(board.view).sessions.value.rows).toHaveLength(2);
  return tableOf(board.view);
}

test("the hint of a mean has the range of the numbers, and the count of missing ones", () => {
  expect(grouped([1, 3]).hintOf("metric:loss", 0)).toBe("2\nmean of 2 of 2 trials, 1 – 3");
  board.end();
  expect(grouped([1, Number.NaN, 3]).hintOf("metric:loss", 0)).toBe("NaN\nmean of 3 of 3 trials, 1 – 3, 1 NaN");
  board.end();
  expect(grouped([Number.NaN, Number.NaN]).hintOf("metric:loss", 0)).toBe("NaN\nmean of 2 of 2 trials, 2 NaN");
});

test("an unfolded group lists all trials that match an expression, also one that is matched in a worker", async () => {
  const { match } = RegexWorker.prototype;
  const worker = new RegexWorker([await nodeWorkers()]);
  const spy = vi.spyOn(RegexWorker.prototype, "match").mockImplementation((...args) => match.apply(worker, args));
  const table = grouped([1, 2, 3]);
  table.fold("g");
  const listed = () => table.rows.value.map((row) => table.sessionOf(row)?.run);
  const end = effect(() => void listed());
  board.state.options.hparams_filters.set(new Map([["run", { pattern: "^g/.*$" }]]));
  await vi.waitFor(() => expect(listed()).toEqual(["g/0", "g/0", "g/1", "g/2"]), 5000);
  expect([spy.mock.calls.length > 0, table.trialsText(0)]).toEqual([true, "3 trials"]);
  end();
  worker.close();
  spy.mockRestore();
});

test("the hint of values that differ says that there are more", () => {
  expect(grouped([1, 2, 3]).hintOf("hparam:seed", 0)).toBe("0, 1, 2");
  board.end();
  expect(grouped(Array.from({ length: 9 }, () => 1)).hintOf("hparam:seed", 0)).toBe("0, 1, 2, 3, 4, 5, 6, 7, …");
});

test("files of groups mark rows that are means, and name the group of each trial", () => {
  const table = grouped([1, 3]);
  table.fold("g");
  expect(textIn("csv", table).split("\r\n")).toEqual([
    "run,group,trials,metric:loss,hparam:lr,hparam:seed,duration",
    "g,g,2,2,0.1,,60",
    "g/0,g,1,1,0.1,0,60",
    "g/1,g,1,3,0.1,1,60",
    "alone,,1,9,0.5,7,60",
    "",
  ]);
  const rows = JSON.parse(textIn("json", table)) as Record<string, unknown>[];
  expect(rows.map(({ group, trials }) => [group, trials])).toEqual([
    ["g", 2],
    ["g", 1],
    ["g", 1],
    ["", 1],
  ]);
  board.state.options.hparams_groups.set(false);
  expect(textIn("csv", table).split("\r\n")[0]).toBe("run,group,metric:loss,hparam:lr,hparam:seed,duration");
});

test("an unfolded group lists the trials that pass the filters themselves, and says how many there are", () => {
  const table = grouped([1, 3, 5]);
  table.fold("g");
  expect(table.rows.value).toEqual([0, -1, -2, -3, 1]);
  expect(table.trialsText(0)).toBe("3 trials");
  const { options } = hparamsOf(board.view);
  options.hparams_filters.set(new Map([["metric:loss", { min: 2 }]]));
  expect(table.rows.value).toEqual([0, -2, -3, 1]);
  expect(table.trialsText(0)).toBe("2 of 3 trials");
  board.options.select({ names: new Set(["g/1"]), only: true });
  expect(table.rows.value).toEqual([0, -2]);
});

test("Markdown has the texts of the page", () => {
  const table = grouped([1, 3], { status: "FAILURE", end: 1000 + 3661 });
  const [title, , first] = textIn("markdown", table).split("\n");
  expect(title).toBe("| Run | Group | Trials | Status | loss | lr | seed | Duration |");
  expect(first).toBe("| g | g | 2 | failure | 2 | 0.1 | 2 values | 61.02 min |");
});

test("while a brush is dragged, the table follows it where it rests, and at once when it ends", () => {
  vi.useFakeTimers();
  board = new SweepBoard();
  board.sweep(
    [0, 1, 2, 3].map((lr) => ({ run: `trial-${lr}`, hparams: { lr }, metrics: { loss: [lr] } })),
    ["loss"],
  );
  const table = tableOf(board.view);
  const { isBrushing } = previewOf(board.view, hparamsOf(board.view));
  const seen: number[] = [];
  const end = effect(() => void seen.push(table.rows.value.length));
  const brushTo = (most: number) => hparamsOf(board.view).setBrushes("hparam:lr", [{ range: [0, most] }]);
  isBrushing.value = true;
  for (const most of [2, 1, 0, 1]) {
    brushTo(most);
    vi.advanceTimersByTime(100);
  }
  expect(seen).toEqual([4]);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual([4, 2]);
  brushTo(2);
  isBrushing.value = false;
  expect(seen.at(-1)).toBe(3);
  end();
  vi.useRealTimers();
});
