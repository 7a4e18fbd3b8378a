import { type Signal, signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type InPage, Jobs } from "../../../src/panels/projector/jobs";
import { type Answer, Refused, type SavedAnswer } from "../../../src/wire/requests";

const ARGS = { run: "r", tag: "t", step: "0", method: "umap", dimensions: 2 };

let asked: {
  readonly name: string;
  readonly args: unknown;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}[];
let jobs: Jobs;
let saved: Signal<readonly SavedAnswer[] | null>;
let isBusy: Signal<boolean>;

function ask(name: string, args: unknown, until: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    asked.push({ name, args, resolve, reject });
    until.addEventListener("abort", () => reject(until.reason));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  saved = signal(null);
  isBusy = signal(false);
  jobs = new Jobs({ saved, ask }, isBusy);
});

afterEach(() => {
  vi.useRealTimers();
});

async function answer(value: unknown, data = new Uint8Array()): Promise<void> {
  asked.at(-1)?.resolve({ value, data });
  await vi.advanceTimersByTimeAsync(0);
}

test("a job is asked about until it is done, and its result stays", async () => {
  const end = jobs.follow(ARGS, "0", null);
  await answer({ state: "running", share: 0.5, phase: "layout", done: 250, total: 500 });
  expect(jobs.state(ARGS, "0").value).toEqual({
    ...{ state: "running", by: "kernel", share: 0.5, text: "step 250 of 500" },
  });
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toHaveLength(2);
  await answer(
    { state: "done", used: 2, parameters: { neighbors: 15 } },
    new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer),
  );
  end();
  expect(jobs.state(ARGS, "0").value).toEqual({
    ...{ state: "done", used: 2, parameters: { neighbors: 15 }, held: null },
    planes: [Float32Array.of(1, 2), Float32Array.of(3, 4)],
  });
  jobs.follow(ARGS, "0", null);
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(2);
});

test("a refusal is its reason, and so is an answer without sense", async () => {
  jobs.follow(ARGS, "0", null);
  asked[0]?.reject(new Error("umap-learn is not installed"));
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "refused", reason: "umap-learn is not installed" });
  const other = { ...ARGS, method: "tsne" };
  jobs.follow(other, "0", null);
  await answer({ state: "done" }, new Uint8Array(7));
  expect(jobs.state(other, "0").value.state).toBe("refused");
});

test("a job that the user stopped stays so until it is asked for again", async () => {
  jobs.follow(ARGS, "0", null);
  jobs.stop(ARGS, "0");
  expect(asked.map(({ name }) => name)).toEqual(["projector.project", "projector.stop"]);
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "none" });
  jobs.follow(ARGS, "0", null);
  expect(asked).toHaveLength(2);
  jobs.restart(ARGS, "0", null);
  expect(asked).toHaveLength(3);
  expect(jobs.state(ARGS, "0").value.state).toBe("running");
});

test("a card that leaves the screen asks no more, and goes on when it comes back", async () => {
  const end = jobs.follow(ARGS, "0", null);
  await answer({ state: "running", share: null, text: "" });
  end();
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(1);
  jobs.follow(ARGS, "0", null);
  expect(asked).toHaveLength(2);
});

/** An answer with a result of one point. */
function done(x: number, y: number): Answer {
  return { value: { state: "done", used: 1, parameters: {} }, data: new Uint8Array(Float32Array.of(x, y).buffer) };
}

test("a saved page shows its own result, with arguments in any order, and requests none", async () => {
  const { dimensions, ...others } = ARGS;
  saved.value = [{ name: "projector.project", args: { dimensions, ...others }, answer: done(1, 2) }];
  jobs.follow(ARGS, "0", null);
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS, "0").value).toMatchObject({
    state: "done",
    planes: [Float32Array.of(1), Float32Array.of(2)],
  });
  const other = { ...ARGS, step: "1" };
  jobs.follow(other, "0", null);
  await vi.advanceTimersByTimeAsync(5000);
  expect(jobs.state(other, "0").value).toEqual({ state: "refused", reason: "not in this saved page" });
  expect(asked).toEqual([]);
});

test("a saved page whose kernel speaks asks it", async () => {
  saved.value = [];
  jobs.follow(ARGS, "0", null)();
  saved.value = null;
  jobs.follow(ARGS, "0", null);
  expect(asked).toHaveLength(1);
});

test("the result of earlier vectors is not used for the present ones", async () => {
  const end = jobs.follow(ARGS, "0", null);
  asked[0]?.resolve(done(1, 2));
  await vi.advanceTimersByTimeAsync(0);
  end();
  expect(jobs.state(ARGS, "1").value).toEqual({ state: "none" });
  jobs.follow(ARGS, "1", null);
  expect(asked).toHaveLength(2);
});

test("one more job than are kept is followed, too, while the others run", async () => {
  const all = Array.from({ length: 9 }, (_, i) => ({ ...ARGS, step: String(i) }));
  for (const args of all) {
    jobs.follow(args, "0", null);
  }
  const last = all[8] as (typeof all)[0];
  expect(jobs.state(last, "0").value.state).toBe("running");
  asked[8]?.resolve(done(1, 2));
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(last, "0").value.state).toBe("done");
});

/** The page computes coordinates for one point, in this many milliseconds. */
function inPage(ms: number): Exclude<InPage, string> & { readonly stopped: () => boolean } {
  let isStopped = false;
  return {
    stopped: () => isStopped,
    digest: null,
    compute: async (report, until) => {
      until.addEventListener("abort", () => {
        isStopped = true;
      });
      report({ phase: "layout", done: 1, total: 4 });
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { value: { state: "done", used: 1, parameters: {}, held: 8 }, data: done(5, 6).data };
    },
  };
}

const NO_PACKAGE = new Refused(() => "no package", { code: "projection-package", args: {} });

test("an idle kernel computes, though the page could", async () => {
  jobs.follow(ARGS, "0", inPage(1000));
  await answer({ state: "running", share: null, phase: "compiling" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "running", by: "kernel" });
});

test("the page computes where the kernel lacks the package", async () => {
  jobs.follow(ARGS, "0", inPage(1000));
  asked[0]?.reject(NO_PACKAGE);
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "running", by: "page", share: 0.25, text: "step 1 of 4" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({
    state: "done",
    held: 8,
    planes: [Float32Array.of(5), Float32Array.of(6)],
  });
});

test("any other refusal is the kernel's word", async () => {
  jobs.follow(ARGS, "0", inPage(1000));
  asked[0]?.reject(new Refused(() => "damaged", { code: "embedding-unreadable", args: {} }));
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "refused", reason: "damaged" });
});

test("the page computes while the kernel runs a cell, which is asked nothing", async () => {
  isBusy.value = true;
  jobs.follow(ARGS, "0", inPage(1000));
  await vi.advanceTimersByTimeAsync(2000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "running", by: "page" });
  isBusy.value = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "done", held: 8 });
  expect(asked).toEqual([]);
});

test("an idle kernel receives the page's result", async () => {
  isBusy.value = true;
  jobs.follow(ARGS, "0", { ...inPage(1000), digest: "abc" });
  await vi.advanceTimersByTimeAsync(4000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "done", held: 8 });
  expect(asked, "it is busy").toEqual([]);
  isBusy.value = false;
  const args = { ...ARGS, digest: "abc", held: 8, coordinates: "AACgQAAAwEA=" };
  expect(asked).toMatchObject([{ name: "projector.keep", args }]);
  asked[0]?.reject(new Refused(() => "other vectors"));
  isBusy.value = true;
  isBusy.value = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked, "once").toHaveLength(1);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "done", held: 8 });
});

test("a kernel without the package is given the result at once, and none is given for a saved page", async () => {
  jobs.follow(ARGS, "0", { ...inPage(1000), digest: "abc" });
  asked[0]?.reject(NO_PACKAGE);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked.map(({ name }) => name)).toEqual(["projector.project", "projector.keep"]);
  saved.value = [];
  const other = { ...ARGS, step: "1" };
  jobs.follow(other, "0", { ...inPage(1000), digest: "abc" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(jobs.state(other, "0").value).toMatchObject({ state: "done", held: 8 });
  expect(asked).toHaveLength(2);
  saved.value = null;
  expect(asked.map(({ name }) => name)).toEqual(["projector.project", "projector.keep", "projector.keep"]);
});

test("a cell of a moment is waited for", async () => {
  isBusy.value = true;
  jobs.follow(ARGS, "0", inPage(1000));
  await vi.advanceTimersByTimeAsync(1000);
  isBusy.value = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveLength(1);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "running", by: "kernel" });
});

test("the page takes over once a cell keeps the kernel from answering", async () => {
  jobs.follow(ARGS, "0", inPage(1000));
  await answer({ state: "running", share: null, phase: "compiling" });
  isBusy.value = true;
  await vi.advanceTimersByTimeAsync(4000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "done", held: 8 });
});

test("a kernel that has begun, and answers during its cell, goes on", async () => {
  jobs.follow(ARGS, "0", inPage(1000));
  await answer({ state: "running", share: null, phase: "compiling" });
  isBusy.value = true;
  for (let i = 0; i < 10; i += 1) {
    await vi.advanceTimersByTimeAsync(500);
    await answer({ state: "running", share: null, phase: "neighbors" });
  }
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "running", by: "kernel" });
  expect(asked).toHaveLength(11);
});

test("where the page cannot compute, a busy kernel is waited for, and a refusal says both reasons", async () => {
  isBusy.value = true;
  jobs.follow(ARGS, "0", "more than 10,000 points");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "running", by: "kernel" });
  asked[0]?.reject(NO_PACKAGE);
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "refused", reason: "no package; more than 10,000 points" });
});

/** The page tries to compute, and fails. */
const FAILING: InPage = {
  digest: "abc",
  compute: async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    throw new Error("this page may start no workers");
  },
};

test("where the page fails, a kernel that was only busy is asked", async () => {
  isBusy.value = true;
  jobs.follow(ARGS, "0", FAILING);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "running", by: "kernel" });
  expect(asked).toHaveLength(1);
  isBusy.value = false;
  asked[0]?.resolve(done(1, 2));
  await vi.advanceTimersByTimeAsync(0);
  expect(jobs.state(ARGS, "0").value).toMatchObject({
    state: "done",
    planes: [Float32Array.of(1), Float32Array.of(2)],
  });
});

test("where neither the kernel nor the page can compute, both reasons are said", async () => {
  jobs.follow(ARGS, "0", FAILING);
  asked[0]?.reject(NO_PACKAGE);
  await vi.advanceTimersByTimeAsync(200);
  asked[1]?.reject(NO_PACKAGE);
  await vi.advanceTimersByTimeAsync(0);
  const reason = "no package; this page may start no workers";
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "refused", reason });
  saved.value = [];
  const other = { ...ARGS, step: "1" };
  jobs.follow(other, "0", FAILING);
  await vi.advanceTimersByTimeAsync(200);
  const ofSaved = "not in this saved page; this page may start no workers";
  expect(jobs.state(other, "0").value).toEqual({ state: "refused", reason: ofSaved });
});

test("a saved page computes missing results", async () => {
  saved.value = [];
  jobs.follow(ARGS, "0", inPage(1000));
  await vi.advanceTimersByTimeAsync(1000);
  expect(jobs.state(ARGS, "0").value).toMatchObject({ state: "done", held: 8 });
});

test("the page computes no more for a card that has left the screen, or was stopped", async () => {
  saved.value = [];
  const computing = inPage(1000);
  const end = jobs.follow(ARGS, "0", computing);
  await vi.advanceTimersByTimeAsync(10);
  end();
  expect(computing.stopped()).toBe(true);
  const other = inPage(1000);
  jobs.follow(ARGS, "0", other);
  await vi.advanceTimersByTimeAsync(10);
  jobs.stop(ARGS, "0");
  expect(other.stopped()).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(jobs.state(ARGS, "0").value).toEqual({ state: "none" });
  expect(asked).toEqual([]);
});
