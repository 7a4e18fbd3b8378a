import { effect } from "@preact/signals";
import { afterEach, expect, test, vi } from "vitest";
import { textIn } from "../../../src/panels/hparams/save";
import { tableOf } from "../../../src/panels/hparams/table";
import { SweepBoard } from "./board";

const boards: SweepBoard[] = [];

afterEach(() => {
  for (const board of boards.splice(0)) {
    board.end();
  }
});

/** The answer for two sessions and two metrics. The second session lacks the second metric. */
function answer(): Uint8Array {
  const bytes = new Uint8Array(4 * 8 + 2 * 8 + 6);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of [0.75, 0.5, 2, 3].entries()) {
    view.setFloat64(8 * i, value, true);
  }
  bytes.set([1, 1, 1, 0, 1, 1], 48);
  return bytes;
}

test("metrics at the best step of one of them come from the kernel; until then the last values stay", async () => {
  const board = new SweepBoard({ hparams_at: "metric:acc" });
  boards.push(board);
  board.sweep(
    [
      { run: "a", hparams: { lr: 1 }, metrics: { acc: [0.75, 0.5], loss: [2, 1] } },
      { run: "b", hparams: { lr: 2 }, metrics: { acc: [0.5, 0.25] } },
    ],
    ["acc", "loss"],
  );
  const ask = vi.spyOn(board.requests, "ask");
  ask.mockImplementation(() => new Promise(() => {}));
  const { sessions, atBest } = board.state;
  const end = effect(() => {
    for (const column of sessions.value.metrics) {
      void column.values;
    }
    void atBest.waits.value;
  });
  await vi.waitFor(() => expect(ask).toHaveBeenCalled());
  expect(ask.mock.lastCall?.slice(0, 2)).toEqual([
    "hparams.at_best",
    {
      ...{ sessions: ["a", "b"], metric: [["", "acc"]], best: "max" },
      metrics: [
        ["", "acc"],
        ["", "loss"],
      ],
    },
  ]);
  expect([atBest.waits.value, sessions.value.metrics[0]?.values]).toEqual([true, [0.5, 0.25]]);

  ask.mockImplementation(() => Promise.resolve({ value: { sessions: 2 }, data: answer() }));
  board.state.options.hparams_at.set("metric:loss");
  await vi.waitFor(() => expect(atBest.waits.value).toBe(false));
  expect(sessions.value.metrics.map(({ values }) => values)).toEqual([
    [0.75, 0.5],
    [2, undefined],
  ]);
  ask.mockImplementation(() => Promise.reject(new Error("no kernel")));
  board.state.options.hparams_at.set("metric:acc");
  await vi.waitFor(() => expect(atBest.reason.value).toBe("no kernel"));
  expect(atBest.waits.value).toBe(false);
  end();
});

const DECLARED = [...Array.from({ length: 12 }, (_, i) => `a${i}`), "val/acc", "fid", "unused"];

/** A sweep with more metrics than are shown, and what the page asked the kernel for. */
function asked(options: Record<string, unknown>) {
  const board = new SweepBoard(options);
  boards.push(board);
  const metrics = Object.fromEntries(DECLARED.map((name) => [name, [1, 2]]));
  board.sweep([{ run: "a", hparams: { lr: 1 }, metrics }], DECLARED);
  const ask = vi.spyOn(board.requests, "ask");
  ask.mockImplementation(() => new Promise(() => {}));
  const end = effect(() => void board.state.sessions.value);
  const args = () => ask.mock.lastCall?.[1] as { best: string; metrics: [string, string][] } | undefined;
  return { board, ask, end, args };
}

test("what filters, sorts, brushes or colors is looked up, too, shown or not", async () => {
  const { board, end, ask, args } = asked({
    ...{ hparams_at: "metric:a0", hparams_filters: { "metric:a9": { min: 0 } } },
    ...{ hparams_sort: ["-metric:a10"], hparams_columns: ["metric:a0"] },
  });
  await vi.waitFor(() => expect(ask).toHaveBeenCalled());
  expect(args()?.metrics.map(([, tag]) => tag)).toEqual(["a0", "a9", "a10", "val/acc"]);
  board.state.brushes.value = new Map([["metric:a11", [{ range: [0, 1] }]]]);
  await vi.waitFor(() => expect(args()?.metrics.map(([, tag]) => tag)).toContain("a11"));
  end();
});

test("the automatic goal is best at the end that is chosen for it", async () => {
  const { ask, end, args } = asked({ hparams_at: "metric:val/acc", hparams_goal_best: "min" });
  await vi.waitFor(() => expect(ask).toHaveBeenCalled());
  expect(args()?.best).toBe("min");
  end();
});

test("without an answer the metrics are marked as other values, on the page and in files", async () => {
  const { board, ask, end } = asked({ hparams_at: "metric:a0", hparams_columns: ["hparam:lr", "metric:a0"] });
  ask.mockImplementation(() => Promise.reject(new Error("no kernel")));
  const { atBest, isStale } = board.state;
  const follows = effect(() => void isStale.value);
  await vi.waitFor(() => expect(atBest.reason.value).toBe("no kernel"));
  expect([atBest.waits.value, isStale.value]).toEqual([false, true]);
  const table = tableOf(board.view);
  expect(textIn("csv", table).split("\r\n")[0]).toBe("run,hparam:lr,metric:a0 (last),duration");
  expect(Object.keys(JSON.parse(textIn("json", table))[0])).toContain("metric:a0 (last)");
  expect(textIn("markdown", table)).toContain("| a0 (last) |");
  board.state.options.hparams_at.set(null);
  expect(isStale.value).toBe(false);
  expect(textIn("csv", table).split("\r\n")[0]).toBe("run,hparam:lr,metric:a0,duration");
  follows();
  end();
});

test("values are asked for again a second after a new point, and not for a choice that leaves them the same", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const { board, ask, end, args } = asked({ hparams_at: "metric:a0", hparams_goal: "metric:a0" });
  ask.mockImplementation(() => Promise.reject(new Error("no kernel")));
  // The page begins to look for new points with the first request, and finds those it has.
  await vi.advanceTimersByTimeAsync(2000);
  const before = ask.mock.calls.length;
  const { hparams_goal_best } = board.state.options;
  hparams_goal_best.set(args()?.best === "max" ? "max" : "min");
  await vi.advanceTimersByTimeAsync(2000);
  expect(ask).toHaveBeenCalledTimes(before);
  board.scalar("a", "a0", [3], 2);
  await vi.advanceTimersByTimeAsync(900);
  expect(ask).toHaveBeenCalledTimes(before);
  hparams_goal_best.set(null);
  await vi.advanceTimersByTimeAsync(1100);
  expect(ask).toHaveBeenCalledTimes(before + 1);
  end();
  vi.useRealTimers();
});
