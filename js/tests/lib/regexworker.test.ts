import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEADLINE, RegexWorker } from "../../src/lib/regexworker";
import type { WorkerLike } from "../../src/lib/workers";
import { nodeWorkers } from "./nodeworkers";

/** Stands where a browser's Worker would; answers when it is told to. */
class FakeWorker implements WorkerLike {
  static readonly made: FakeWorker[] = [];
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  readonly asked: unknown[] = [];
  terminated = false;

  constructor() {
    FakeWorker.made.push(this);
  }

  postMessage(message: unknown): void {
    this.asked.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }

  say(data: unknown): void {
    this.onmessage?.({ data });
  }
}

const fake = () => new FakeWorker();

beforeEach(() => {
  vi.useFakeTimers();
  FakeWorker.made.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

test("a worker is started when it is needed, asked, and let go when it has long had nothing to do", async () => {
  const matcher = new RegexWorker([fake]);
  expect(FakeWorker.made.length).toBe(0);
  const outcome = matcher.match("a+", ["aa", "b"]);
  await settle();
  const [worker] = FakeWorker.made;
  worker?.say("started");
  await settle();
  expect(worker?.asked).toEqual([{ source: "a+", names: ["aa", "b"], flags: "i" }]);
  worker?.say([[0, 2], null]);
  expect(await outcome).toEqual([[0, 2], null]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(worker?.terminated).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(worker?.terminated).toBe(true);
});

test("what takes too long is ended, and the next one is asked of another worker", async () => {
  const matcher = new RegexWorker([fake]);
  const slow = matcher.match("(a+)+b", ["aaa"]);
  const quick = matcher.match("x+", ["x"]);
  await settle();
  FakeWorker.made[0]?.say("started");
  await vi.advanceTimersByTimeAsync(DEADLINE * 0.9);
  expect(FakeWorker.made[0]?.asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(DEADLINE);
  expect([await slow, FakeWorker.made[0]?.terminated]).toEqual(["ended", true]);
  FakeWorker.made[1]?.say("started");
  await settle();
  FakeWorker.made[1]?.say([[0, 1]]);
  expect(await quick).toEqual([[0, 1]]);
});

test("an answer that a busy page has not read at the deadline still counts", async () => {
  const matcher = new RegexWorker([fake]);
  const outcome = matcher.match("a+", ["a"]);
  await settle();
  const [worker] = FakeWorker.made;
  worker?.say("started");
  await vi.advanceTimersByTimeAsync(DEADLINE + 1);
  worker?.say([[0, 1]]);
  expect(await outcome).toEqual([[0, 1]]);
});

test("where one way to start a worker fails, the next is tried; where all do, there is none", async () => {
  const refused = () => {
    throw new Error("Content Security Policy");
  };
  const second = new RegexWorker([refused, fake]).match("a+", ["a"]);
  await settle();
  FakeWorker.made[0]?.say("started");
  await settle();
  FakeWorker.made[0]?.say([[0, 1]]);
  expect(await second).toEqual([[0, 1]]);

  const matcher = new RegexWorker([refused, fake]);
  const none = matcher.match("a+", ["a"]);
  await settle();
  FakeWorker.made[1]?.onerror?.("blocked");
  expect(await none).toBe("unavailable");
  expect(await matcher.match("a+", ["a"])).toBe("unavailable");
  expect(FakeWorker.made.length).toBe(2);
});

test("what nobody wants any more is not begun", async () => {
  const matcher = new RegexWorker([fake]);
  expect(await matcher.match("a+", ["a"], () => false)).toBe("unwanted");
  expect(FakeWorker.made.length).toBe(0);
});

test("closing ends the worker and what it was asked", async () => {
  const matcher = new RegexWorker([fake]);
  const outcome = matcher.match("a+", ["a"]);
  await settle();
  FakeWorker.made[0]?.say("started");
  await settle();
  matcher.close();
  expect([await outcome, FakeWorker.made[0]?.terminated, vi.getTimerCount()]).toEqual(["unwanted", true, 0]);
  expect(await matcher.match("a+", ["a"])).toBe("unwanted");
  expect(FakeWorker.made.length).toBe(1);
});

test("in a real thread, names are matched, and an expression that takes forever is ended", async () => {
  vi.useRealTimers();
  const matcher = new RegexWorker([await nodeWorkers()]);
  expect(await matcher.match("(A+)b", ["xaab", "b"])).toEqual([[1, 4], null]);
  const begun = performance.now();
  const names = Array.from({ length: 200 }, (_, i) => `${"x".repeat(245)}${i}y`);
  expect(await matcher.match("(?:x{0,200}){3}(?:x{0,200}){3}z", names)).toBe("ended");
  expect(performance.now() - begun).toBeLessThan(20 * DEADLINE);
  expect(await matcher.match("^b+$", ["b", "ba"])).toEqual([[0, 1], null]);
  matcher.close();
});
