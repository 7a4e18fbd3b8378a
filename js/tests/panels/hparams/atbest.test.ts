import { effect } from "@preact/signals";
import { afterEach, expect, test, vi } from "vitest";
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
