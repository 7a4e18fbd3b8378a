import { effect } from "@preact/signals";
import { afterEach, expect, test, vi } from "vitest";
import { textIn } from "../../../src/panels/hparams/save";
import { hparamsOf } from "../../../src/panels/hparams/sessions";
import { tableOf } from "../../../src/panels/hparams/table";
import type { Status } from "../../../src/wire/protocol";
import { type Answer, MAX_KEPT_BYTES, type SavedAnswer } from "../../../src/wire/requests";
import { MAX_SAVED_CHARACTERS } from "../../../src/wire/snapshot";
import { SweepBoard, type SweepSession } from "./board";

const boards: SweepBoard[] = [];

afterEach(() => {
  for (const board of boards.splice(0)) {
    board.end();
  }
});

/** The answer for two sessions and two metrics. The second session lacks the second metric. */
function answer(): Uint8Array {
  const bytes = new Uint8Array(8 * 8 + 2 * 8 + 6);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of [0.75, 0.5, 2, 3].entries()) {
    view.setFloat64(8 * i, value, true);
  }
  for (const [i, step] of [1200n, 7n, 1100n, 0n, 1200n, 7n].entries()) {
    view.setBigInt64(32 + 8 * i, step, true);
  }
  bytes.set([1, 1, 1, 0, 1, 1], 80);
  return bytes;
}

const PAIR: readonly SweepSession[] = [
  { run: "a", hparams: { lr: 1 }, metrics: { acc: [0.75, 0.5], loss: [2, 1] }, group: "g" },
  { run: "b", hparams: { lr: 2 }, metrics: { acc: [0.5, 0.25] }, group: "g" },
];

/** The saved answer for two sessions, with their values at the best accuracy. */
function saved(metric: string, best = "max"): SavedAnswer {
  const metrics = [
    ["", "acc"],
    ["", "loss"],
  ];
  const args = { sessions: ["a", "b"], metric: [["", metric]], best, metrics };
  return { name: "hparams.at_best", args, answer: { value: { sessions: 2 }, data: answer() } };
}

/** The table of a saved page, once values at the best step have arrived or are known to be missing. */
async function savedPage(answers: readonly SavedAnswer[], options: Record<string, unknown> = {}) {
  const board = new SweepBoard({ hparams_at: "metric:acc", ...options });
  boards.push(board);
  board.requests.restore(answers);
  board.sweep(PAIR, ["acc", "loss"]);
  const ask = vi.spyOn(board.requests, "ask");
  const state = hparamsOf(board.view);
  const ends = effect(() => void [state.sessions.value, state.isStale.value, state.atBest.waits.value]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(ask).not.toHaveBeenCalled();
  return { board, state, table: tableOf(board.view), ends };
}

test("a saved page holds the values at the best step, and says where it does not", async () => {
  const held = await savedPage([saved("loss"), saved("acc", "min"), saved("acc")]);
  expect(held.state.sessions.value.metrics.map(({ values }) => values)).toEqual([
    [0.75, 0.5],
    [2, undefined],
  ]);
  expect(held.state.isStale.value).toBe(false);
  held.ends();
  const damaged = { ...saved("acc"), answer: { value: null, data: new Uint8Array(3) } };
  for (const answers of [[], [saved("loss")], [damaged], [{ ...saved("acc"), args: {} }]]) {
    const { state, ends } = await savedPage(answers);
    expect([state.isStale.value, state.sessions.value.metrics[0]?.values]).toEqual([true, [0.5, 0.25]]);
    ends();
  }
});

test("a saved page says which metrics it had no room for", async () => {
  const places = [
    ["x", "acc"],
    ["", "acc"],
  ];
  const metrics = [
    ["", "acc"],
    ["", "other"],
  ];
  const one = { ...saved("acc"), args: { ...saved("acc").args, metric: places, metrics } };
  const { board, state, table, ends } = await savedPage([one], { hparams_columns: ["metric:acc", "metric:loss"] });
  board.store.savedAt.value = 1;
  expect(["metric:acc", "metric:loss"].map((key) => table.textOf(key, 0))).toEqual(["0.75", "not saved"]);
  expect(table.hintOf("metric:loss", 0)).toContain("no room");
  state.options.hparams_at.set(null);
  const loss = () => [table.textOf("metric:loss", 0), table.textOf("metric:loss", 1)];
  expect(loss()).toEqual(["1", ""]);
  board.store.status.value = { ...(board.store.status.peek() as Status), leftOut: 3 };
  expect(loss()).toEqual(["1", "not saved"]);
  expect(textIn("csv", table).split("\r\n")[2]).toBe("b,g,0.25,,60");
  board.store.savedAt.value = null;
  expect(loss()).toEqual(["1", ""]);
  ends();
});

test("a saved page that hears from its kernel keeps its values at the best step until that has answered", async () => {
  const { board, state, table, ends } = await savedPage([saved("acc"), saved("acc", "min")]);
  const { requests } = board;
  let reply: (answer: Answer) => void = () => {};
  vi.mocked(requests.ask).mockImplementation(
    () =>
      new Promise((resolve) => {
        reply = resolve;
      }),
  );
  const shown = () => [state.isStale.value, state.atBest.waits.value, table.textOf("metric:acc", 0)];
  expect(shown()).toEqual([false, false, "0.75"]);
  requests.saved.value = null;
  expect(requests.ask).toHaveBeenCalledOnce();
  expect(shown()).toEqual([false, true, "0.75"]);
  state.options.hparams_goal_best.set("min");
  expect(shown()).toEqual([false, true, "0.75"]);
  // The kernel disconnects: data saved from this page contain the values again.
  expect(requests.kept).toEqual([saved("acc"), saved("acc", "min")]);
  const data = answer();
  new DataView(data.buffer).setFloat64(0, 0.875, true);
  reply({ value: null, data });
  await vi.waitFor(() => expect(shown()).toEqual([false, false, "0.875"]));
  expect(requests.kept).toHaveLength(1);
  state.options.hparams_at.set(null);
  expect(requests.kept).toEqual([]);
  ends();
});

test("saved values are given up where the kernel refuses newer ones, and for another metric", async () => {
  const refused = await savedPage([saved("acc")]);
  vi.mocked(refused.board.requests.ask).mockImplementation(() => Promise.reject(new Error("no such metric")));
  refused.board.requests.saved.value = null;
  await vi.waitFor(() => expect(refused.state.atBest.reason.value).toBe("no such metric"));
  expect([refused.state.isStale.value, refused.state.atBest.waits.value]).toEqual([true, false]);
  refused.ends();
  const other = await savedPage([saved("acc")]);
  vi.mocked(other.board.requests.ask).mockImplementation(() => new Promise(() => {}));
  other.board.requests.saved.value = null;
  other.state.options.hparams_at.set("metric:loss");
  expect([other.state.isStale.value, other.state.atBest.waits.value]).toEqual([true, true]);
  other.ends();
});

test("an answer is saved with the page while it is shown, and where there is room for it", async () => {
  const board = new SweepBoard({ hparams_at: "metric:acc" });
  boards.push(board);
  board.sweep(PAIR, ["acc", "loss"]);
  const { requests, state } = board;
  vi.spyOn(requests, "ask").mockImplementation(() => Promise.resolve({ value: null, data: answer() }));
  const end = effect(() => void state.isStale.value);
  await vi.waitFor(() => expect(requests.kept).toHaveLength(1));
  state.options.hparams_at.set(null);
  expect(requests.kept).toEqual([]);
  end();
  requests.keep("a", {}, { value: 1, data: new Uint8Array(MAX_KEPT_BYTES) });
  expect(requests.kept).toHaveLength(1);
  requests.keep("a", {}, { value: 2, data: new Uint8Array(MAX_KEPT_BYTES + 1) });
  expect(requests.kept).toEqual([]);
  // In base64, no larger answer fits.
  expect((MAX_KEPT_BYTES * 4) / 3).toBe(MAX_SAVED_CHARACTERS / 4);
});

test("a saved page without its sessions says that it had no room for them", () => {
  const board = new SweepBoard();
  boards.push(board);
  const { store, state } = board;
  board.settle();
  store.status.value = { ...(store.status.peek() as Status), kinds: ["scalars", "hparams"] };
  expect(state.areLeftOut.value).toBe(false);
  store.savedAt.value = 1;
  expect(state.areLeftOut.value).toBe(true);
  store.status.value = { ...(store.status.peek() as Status), kinds: ["scalars"] };
  expect(state.areLeftOut.value).toBe(false);
});

test("a saved page offers the best step of the metric that it holds it of; a kernel any", async () => {
  const { state, ends } = await savedPage([saved("acc")]);
  expect(["metric:acc", "metric:loss"].map((key) => state.hasBestStepOf(key))).toEqual([true, false]);
  ends();
  const board = new SweepBoard();
  boards.push(board);
  board.sweep(PAIR, ["acc", "loss"]);
  expect(board.state.hasBestStepOf("metric:loss")).toBe(true);
});

test("the step of a value at the best step is in the hint of its cell, and in files", async () => {
  const { table, state, ends } = await savedPage([saved("acc")]);
  expect(table.hintOf("metric:acc", 0)).toBe("0.75\nat step 1\u202f200");
  expect(table.hintOf("metric:loss", 0)).toBe("2\nat step 1\u202f100");
  expect(table.hintOf("hparam:lr", 0)).toBe("1");
  expect(textIn("csv", table).split("\r\n").slice(0, 3)).toEqual([
    "run,group,step,metric:acc,hparam:lr,metric:loss,duration",
    "a,g,1200,0.75,1,2,60",
    "b,g,7,0.5,2,,60",
  ]);
  expect(JSON.parse(textIn("json", table)).map(({ step }: { step: unknown }) => step)).toEqual([1200, 7]);
  expect(textIn("markdown", table).split("\n")[0]).toContain("| Best step | acc |");
  state.options.hparams_groups.set(true);
  expect(table.hintOf("metric:acc", 0)).toBe("0.625\nmean of 2 of 2 trials, 0.5 – 0.75\nat steps 7 – 1\u202f200");
  expect(textIn("csv", table).split("\r\n")[1]).toBe("g,g,2,7–1200,0.625,,2,60");
  state.options.hparams_at.set(null);
  expect(textIn("csv", table)).not.toContain("step");
  ends();
});

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

test("a request that nothing waits for any more is cancelled, and asked again when it is shown again", async () => {
  const board = new SweepBoard({ hparams_at: "metric:acc" });
  boards.push(board);
  board.sweep(PAIR, ["acc", "loss"]);
  const ask = vi.spyOn(board.requests, "ask").mockImplementation(() => new Promise(() => {}));
  const follow = () => effect(() => void board.state.sessions.value);
  const end = follow();
  await vi.waitFor(() => expect(ask).toHaveBeenCalledOnce());
  end();
  await vi.waitFor(() => expect(ask.mock.lastCall?.[2]?.aborted).toBe(true));
  const again = follow();
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
  expect(ask.mock.lastCall?.[2]?.aborted).toBe(false);
  again();
});

const DECLARED = [...Array.from({ length: 12 }, (_, i) => `a${i}`), "val/acc", "fid", "unused"];

/** A sweep with more metrics than are shown, and the page's requests to the kernel. */
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

test("columns that filter, sort, brush or color are looked up, too, shown or not", async () => {
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
  // With the first request, the page starts to look for new points, and finds the ones it has.
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
