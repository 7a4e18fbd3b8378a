import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FrameScheduler } from "../../src/lib/frames";

let pending: (() => void)[] = [];
let now = 0;

beforeEach(() => {
  pending = [];
  now = 0;
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => pending.push(callback));
  vi.stubGlobal("cancelAnimationFrame", () => {
    pending = [];
  });
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => vi.unstubAllGlobals());

function frame(): void {
  for (const callback of pending.splice(0)) {
    callback();
  }
}

test("jobs that do not fit into a frame run in the next; preferred ones run first", () => {
  const frames = new FrameScheduler();
  const drawn: string[] = [];
  const owners = ["a", "b", "c", "d"].map((name) => ({ name }));
  for (const owner of owners) {
    frames.request(owner, () => {
      drawn.push(owner.name);
      now += 25;
    });
  }
  frames.prefer(owners[3] ?? {});
  frame();
  expect(drawn).toEqual(["d", "a"]);
  frames.release(owners[3] ?? {});
  frame();
  expect(drawn).toEqual(["d", "a", "b", "c"]);
  expect(pending).toEqual([]);
});

test("each owner draws its last request only, and nothing once cancelled", () => {
  const frames = new FrameScheduler();
  const drawn: string[] = [];
  const [a, b] = [{}, {}];
  frames.request(a, () => drawn.push("old"));
  frames.request(a, () => drawn.push("new"));
  frames.request(b, () => drawn.push("b"));
  frames.cancel(b);
  frame();
  expect(drawn).toEqual(["new"]);
  frames.request(a, () => drawn.push("late"));
  frames.stop();
  frame();
  expect(drawn).toEqual(["new"]);
});

test("one that cannot be drawn does not keep the others from it, and is heard of", () => {
  const frames = new FrameScheduler();
  const drawn: string[] = [];
  frames.request({}, () => {
    throw new Error("broken");
  });
  frames.request({}, () => drawn.push("b"));
  expect(frame).toThrow("broken");
  expect(drawn).toEqual(["b"]);
});

test("tells when those that waited are drawn, though others are requested without pause", () => {
  const frames = new FrameScheduler();
  const told: number[] = [];
  const owners = [{}, {}, {}, {}];
  const requestAll = () => {
    for (const owner of owners) {
      frames.request(owner, () => {
        now += 25;
      });
    }
  };
  // Each frame draws two, and all wait again before the next.
  for (let message = 0; message < 8; message += 1) {
    requestAll();
    frames.whenDrawn(() => told.push(message));
    frame();
  }
  expect(told).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test("cancelled jobs are not waited for", () => {
  const frames = new FrameScheduler();
  const told: string[] = [];
  const [a, b, c] = [{}, {}, {}];
  frames.request(a, () => {
    now += 50;
  });
  frames.request(b, () => told.push("b"));
  frames.whenDrawn(() => told.push("drawn"));
  frame();
  expect(told).toEqual([]);
  frames.cancel(b);
  frames.request(c, () => told.push("c"));
  frame();
  expect(told).toEqual(["c", "drawn"]);
});

test("tells once when nothing is left to draw, in that very frame", () => {
  const frames = new FrameScheduler();
  const told: string[] = [];
  frames.whenDrawn(() => told.push("idle"));
  frame();
  expect(told).toEqual(["idle"]);
  frames.whenDrawn(() => told.push("replaced"));
  frames.whenDrawn(() => told.push("drawn"));
  for (const owner of [{}, {}, {}]) {
    frames.request(owner, () => {
      now += 30;
    });
  }
  frame();
  expect(told).toEqual(["idle"]);
  frame();
  expect(told).toEqual(["idle", "drawn"]);
  frame();
  frames.whenDrawn(() => told.push("stopped"));
  frames.stop();
  frame();
  expect(told).toEqual(["idle", "drawn"]);
});
