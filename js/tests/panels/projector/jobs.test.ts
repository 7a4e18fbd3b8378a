import { type Signal, signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Jobs } from "../../../src/panels/projector/jobs";
import type { Answer, SavedAnswer } from "../../../src/wire/requests";

const ARGS = { run: "r", tag: "t", step: "0", method: "umap", dimensions: 2 };

let asked: { readonly name: string; resolve(answer: Answer): void; reject(error: Error): void }[];
let jobs: Jobs;
let saved: Signal<readonly SavedAnswer[] | null>;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  saved = signal(null);
  jobs = new Jobs({
    saved,
    ask: (name) => new Promise((resolve, reject) => asked.push({ name, resolve, reject })),
  });
});

afterEach(() => {
  vi.useRealTimers();
});

async function answer(value: unknown, data = new Uint8Array()): Promise<void> {
  asked.at(-1)?.resolve({ value, data });
  await vi.advanceTimersByTimeAsync(0);
}

test("a job is asked about until it is done, and its result stays", async () => {
  const end = jobs.follow(ARGS, "0");
  await answer({ state: "running", share: 0.5, phase: "layout", done: 250, total: 500 });
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "running", share: 0.5, text: "step 250 of 500" });
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toHaveLength(2);
  await answer(
    { state: "done", used: 2, parameters: { neighbors: 15 } },
    new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer),
  );
  end();
  expect(jobs.state(ARGS, "0").value).toEqual({
    ...{ state: "done", used: 2, parameters: { neighbors: 15 } },
    planes: [Float32Array.of(1, 2), Float32Array.of(3, 4)],
  });
  jobs.follow(ARGS, "0");
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(2);
});

test("a refusal is its reason, and so is an answer without sense", async () => {
  jobs.follow(ARGS, "0");
  asked[0]?.reject(new Error("umap-learn is not installed"));
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "refused", reason: "umap-learn is not installed" });
  const other = { ...ARGS, method: "tsne" };
  jobs.follow(other, "0");
  await answer({ state: "done" }, new Uint8Array(7));
  expect(jobs.state(other, "0").value.state).toBe("refused");
});

test("a job that the user stopped stays so until it is asked for again", async () => {
  jobs.follow(ARGS, "0");
  jobs.stop(ARGS, "0");
  expect(asked.map(({ name }) => name)).toEqual(["projector.project", "projector.stop"]);
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "none" });
  jobs.follow(ARGS, "0");
  expect(asked).toHaveLength(2);
  jobs.restart(ARGS, "0");
  expect(asked).toHaveLength(3);
  expect(jobs.state(ARGS, "0").value.state).toBe("running");
});

test("a card that leaves the screen asks no more, and goes on when it comes back", async () => {
  const end = jobs.follow(ARGS, "0");
  await answer({ state: "running", share: null, text: "" });
  end();
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(1);
  jobs.follow(ARGS, "0");
  expect(asked).toHaveLength(2);
});

/** The answer with a result of one point. */
function done(x: number, y: number): Answer {
  return { value: { state: "done", used: 1, parameters: {} }, data: new Uint8Array(Float32Array.of(x, y).buffer) };
}

test("a saved page shows the result that it holds, in whatever order its arguments are, and asks for none", async () => {
  const { dimensions, ...others } = ARGS;
  saved.value = [{ name: "projector.project", args: { dimensions, ...others }, answer: done(1, 2) }];
  jobs.follow(ARGS, "0");
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS, "0").value).toMatchObject({
    state: "done",
    planes: [Float32Array.of(1), Float32Array.of(2)],
  });
  const other = { ...ARGS, step: "1" };
  jobs.follow(other, "0");
  await vi.advanceTimersByTimeAsync(5000);
  expect(jobs.state(other, "0").value).toEqual({ state: "refused", reason: "not in this saved page" });
  expect(asked).toEqual([]);
});

test("a saved page whose kernel speaks asks it", async () => {
  saved.value = [];
  jobs.follow(ARGS, "0")();
  saved.value = null;
  jobs.follow(ARGS, "0");
  expect(asked).toHaveLength(1);
});

test("the result of what was written before is not that of what is there now", async () => {
  const end = jobs.follow(ARGS, "0");
  asked[0]?.resolve(done(1, 2));
  await vi.advanceTimersByTimeAsync(0);
  end();
  expect(jobs.state(ARGS, "1").value).toEqual({ state: "none" });
  jobs.follow(ARGS, "1");
  expect(asked).toHaveLength(2);
});

test("one more job than are kept is followed, too, while the others run", async () => {
  const all = Array.from({ length: 9 }, (_, i) => ({ ...ARGS, step: String(i) }));
  for (const args of all) {
    jobs.follow(args, "0");
  }
  const last = all[8] as (typeof all)[0];
  expect(jobs.state(last, "0").value.state).toBe("running");
  asked[8]?.resolve(done(1, 2));
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(last, "0").value.state).toBe("done");
});
