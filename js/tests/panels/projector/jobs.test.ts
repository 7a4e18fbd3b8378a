import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Jobs } from "../../../src/panels/projector/jobs";
import type { Answer } from "../../../src/wire/requests";

const ARGS = { run: "r", tag: "t", step: "0", method: "umap", dimensions: 2 };

let asked: { readonly name: string; resolve(answer: Answer): void; reject(error: Error): void }[];
let jobs: Jobs;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  jobs = new Jobs({
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
  const end = jobs.follow(ARGS);
  await answer({ state: "running", share: 0.5, phase: "layout", done: 250, total: 500 });
  expect(jobs.state(ARGS).value).toEqual({ state: "running", share: 0.5, text: "step 250 of 500" });
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toHaveLength(2);
  await answer(
    { state: "done", used: 2, parameters: { neighbors: 15 } },
    new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer),
  );
  end();
  expect(jobs.state(ARGS).value).toEqual({
    ...{ state: "done", used: 2, parameters: { neighbors: 15 } },
    planes: [Float32Array.of(1, 2), Float32Array.of(3, 4)],
  });
  jobs.follow(ARGS);
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(2);
});

test("a refusal is its reason, and so is an answer without sense", async () => {
  jobs.follow(ARGS);
  asked[0]?.reject(new Error("umap-learn is not installed"));
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS).value).toEqual({ state: "refused", reason: "umap-learn is not installed" });
  const other = { ...ARGS, method: "tsne" };
  jobs.follow(other);
  await answer({ state: "done" }, new Uint8Array(7));
  expect(jobs.state(other).value.state).toBe("refused");
});

test("a job that the user stopped stays so until it is asked for again", async () => {
  jobs.follow(ARGS);
  jobs.stop(ARGS);
  expect(asked.map(({ name }) => name)).toEqual(["projector.project", "projector.stop"]);
  expect(jobs.state(ARGS).value).toEqual({ state: "none" });
  jobs.follow(ARGS);
  expect(asked).toHaveLength(2);
  jobs.restart(ARGS);
  expect(asked).toHaveLength(3);
  expect(jobs.state(ARGS).value.state).toBe("running");
});

test("a card that leaves the screen asks no more, and goes on when it comes back", async () => {
  const end = jobs.follow(ARGS);
  await answer({ state: "running", share: null, text: "" });
  end();
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(1);
  jobs.follow(ARGS);
  expect(asked).toHaveLength(2);
});
