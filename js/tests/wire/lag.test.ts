import { effect } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FrameScheduler } from "../../src/lib/frames";
import { HOLD_MS, Lag, type LagReport, PAGE_BEHIND } from "../../src/wire/lag";
import { addView, channel, end, model, useFakeChannel } from "./fakechannel";

describe("the lag of a page", () => {
  let reports: LagReport[];
  let lag: Lag;
  /** How far the kernel's clocks are ahead of the page's, in seconds. */
  let ahead: { monotonic: number; epoch: number };
  let seq = 0;

  beforeEach(() => {
    vi.useFakeTimers({ now: 1e12 });
    reports = [];
    lag = new Lag((report) => reports.push(report));
    ahead = { monotonic: 5000, epoch: -3600 };
    seq = 0;
  });

  afterEach(() => {
    lag.dispose();
    vi.useRealTimers();
  });

  /** A message that was composed `late` seconds ago arrives, and is drawn some seconds later. */
  function take(late: number, { drawnAfter = 0, unsent = 0, share = 1 } = {}): number {
    seq += 1;
    const [steady, set] = [performance.now() / 1000, Date.now() / 1000];
    const arrived = lag.arrived([steady + ahead.monotonic - late, set + ahead.epoch - late]);
    lag.applied(seq, performance.now() - 1000 * arrived, unsent, share);
    vi.advanceTimersByTime(1000 * drawnAfter);
    lag.drawn(lag.appliedCount.value);
    return arrived;
  }

  function pass(seconds: number): void {
    vi.advanceTimersByTime(1000 * seconds);
  }

  test("is zero, however wrong the clocks are", () => {
    for (let i = 0; i < 100; i += 1) {
      expect(take(0.01 * (i % 7))).toBeLessThan(0.1);
      pass(1);
    }
    expect(lag.behind.value).toBe(0);
    expect(reports).toEqual([]);
  });

  test("is the delay beyond that of the quickest message, and is gone soon after it has passed", () => {
    take(0.1);
    pass(1);
    expect(take(12.1)).toBeCloseTo(12, 2);
    expect(lag.behind.value).toBeCloseTo(12, 2);
    // A backlog ends with messages that are not late.
    take(0.1);
    expect(lag.behind.value).toBeCloseTo(12, 2);
    pass(HOLD_MS / 1000);
    expect(lag.behind.value).toBe(0);
  });

  test("belongs to the oldest message in a frame", () => {
    take(0);
    lag.applied(2, performance.now() - 4000, 0, 1);
    lag.applied(3, performance.now() - 1000, 0, 1);
    lag.drawn(lag.appliedCount.value);
    expect(lag.behind.value).toBeCloseTo(4, 2);
    expect(reports).toEqual([{ seq: 2, behind: expect.closeTo(4, 2) }]);
  });

  test("ignores messages that arrived after the drawn one", () => {
    take(0);
    lag.applied(2, performance.now() - 3000, 0, 1);
    const count = lag.appliedCount.value;
    lag.applied(3, performance.now() - 9000, 0, 1);
    lag.drawn(count);
    expect(lag.behind.value).toBeCloseTo(3, 2);
    expect(reports).toEqual([{ seq: 2, behind: expect.closeTo(3, 2) }]);
    // It is drawn only once.
    lag.drawn(count);
    expect(reports).toHaveLength(1);
    lag.drawn(lag.appliedCount.value);
    expect(lag.behind.value).toBeCloseTo(9, 2);
  });

  test("belongs to the oldest of thousands of messages that were never drawn", () => {
    take(0);
    lag.applied(2, performance.now(), 0, 1);
    for (let seq = 3; seq < 1000; seq += 1) {
      pass(0.01);
      lag.applied(seq, performance.now(), 0, 1);
    }
    lag.drawn(lag.appliedCount.value);
    expect(lag.behind.value).toBeCloseTo(9.97, 2);
    expect(reports).toEqual([{ seq: 2, behind: expect.closeTo(9.97, 2) }]);
  });

  describe("with twelve charts that draw without pause", () => {
    /** Receives a message with data for every chart each 100 ms for some seconds; returns the largest lag. */
    function draw(msPerChart: number, seconds: number): number {
      let frame: (() => void) | null = null;
      vi.stubGlobal("requestAnimationFrame", (callback: () => void) => {
        frame = callback;
        return 1;
      });
      const frames = new FrameScheduler();
      const charts = Array.from({ length: 12 }, () => ({}));
      const begin = performance.now();
      let [composed, largest] = [begin, 0];
      while (performance.now() < begin + 1000 * seconds) {
        for (; composed <= performance.now(); composed += 100) {
          seq += 1;
          const late = (performance.now() - composed) / 1000;
          const arrived = lag.arrived([performance.now() / 1000 - late, Date.now() / 1000 - late]);
          lag.applied(seq, performance.now() - 1000 * arrived, 0, 1);
          for (const chart of charts) {
            frames.request(chart, () => vi.advanceTimersByTime(msPerChart));
          }
          const count = lag.appliedCount.value;
          frames.whenDrawn(() => lag.drawn(count));
        }
        const callback = frame as (() => void) | null;
        frame = null;
        callback?.();
        vi.advanceTimersByTime(4);
        largest = Math.max(largest, lag.behind.value);
      }
      return largest;
    }

    test("is zero while each is drawn soon", () => {
      expect(draw(9, 30)).toBe(0);
      expect(lag.drawingMs).toBeLessThan(300);
      expect(reports).toEqual([]);
    });

    test("is as long as one round of them, and is reported", () => {
      const largest = draw(250, 30);
      expect(largest).toBeGreaterThan(3);
      expect(largest).toBeLessThan(7);
      expect(reports.length).toBeGreaterThan(3);
    });
  });

  test("shows how it falls", () => {
    take(0);
    const shown: number[] = [];
    for (const late of [3, 9, 6, 4, 3, 1, 0]) {
      pass(1.5);
      take(late);
      shown.push(Math.round(lag.behind.value));
    }
    expect(shown).toEqual([3, 9, 6, 4, 3, 3, 0]);
  });

  /** Receives a message a second, composed `late(minute)` seconds ago; returns the seconds shown per minute. */
  function takeFor(minutes: number, late: (minute: number) => number): number[] {
    return Array.from({ length: minutes }, (_, minute) => {
      for (let second = 0; second < 60; second += 1) {
        take(late(minute + second / 60) + 0.1 * (second % 7));
        pass(1);
      }
      return Math.round(lag.behind.value);
    });
  }

  test("goes on to count for five minutes while it stays the same", () => {
    takeFor(1, () => 0);
    expect(Math.min(...takeFor(5, () => 60))).toBeGreaterThanOrEqual(60);
  });

  test("goes on to count while it grows and falls", () => {
    takeFor(1, () => 0);
    const said = takeFor(30, (minute) => 5 + 3 * minute);
    expect(said.every((seconds, minute) => Math.abs(seconds - 8 - 3 * minute) <= 1)).toBe(true);
    expect(takeFor(20, (minute) => 95 - 3 * minute).at(-1)).toBeGreaterThanOrEqual(35);
  });

  test("is zero once two clocks have differed by the same for some minutes", () => {
    takeFor(1, () => 0);
    // The kernel's machine was paused, and its clock is not corrected.
    ahead.monotonic -= 60;
    ahead.epoch -= 60;
    expect(takeFor(6, () => 0).at(-1)).toBe(0);
    expect(take(5)).toBeCloseTo(5, 1);
    // Then it is corrected: no message is from the future.
    ahead.epoch += 60;
    expect(take(0)).toBeLessThan(1);
  });

  test("is zero if two clocks drift apart", () => {
    for (let hour = 0; hour < 24; hour += 1) {
      ahead.monotonic -= 0.18;
      ahead.epoch -= 0.18;
      takeFor(10, () => 0);
    }
    expect(reports).toEqual([]);
  });

  test("counts until the frame that shows it, including the wait in the kernel", () => {
    take(0);
    take(0, { drawnAfter: 2.5 });
    expect(lag.behind.value).toBeCloseTo(2.5, 2);
    expect(reports).toHaveLength(1);
    pass(10);
    take(0, { unsent: 4 });
    expect(lag.behind.value).toBeCloseTo(4, 2);
    // Sending less would not help here.
    expect(reports).toHaveLength(1);
  });

  test.each([
    ["the kernel's time is set", () => (ahead.epoch -= 3600)],
    ["the kernel's time is set the other way", () => (ahead.epoch += 3600)],
    ["the kernel's machine slept", () => (ahead.monotonic -= 3600)],
    ["the page's machine slept", () => (ahead.monotonic += 3600)],
    ["the page's time is set", () => vi.setSystemTime(Date.now() + 3_600_000)],
  ])("is nothing when %s", (_, jump) => {
    take(0);
    pass(1);
    jump();
    for (let i = 0; i < 10; i += 1) {
      expect(take(0)).toBeLessThan(0.1);
      pass(1);
    }
    expect(lag.behind.value).toBe(0);
    expect(take(5)).toBeCloseTo(5, 1);
  });

  test("is measured again on another connection", () => {
    take(0);
    ahead.epoch -= 3600;
    ahead.monotonic -= 3600;
    lag.reset();
    expect(take(0)).toBe(0);
    expect(take(5)).toBeCloseTo(5, 2);
  });

  test("is zero for a page that was hidden", () => {
    take(0);
    lag.applied(2, performance.now(), 0, 1);
    pass(100);
    lag.shown();
    lag.drawn(lag.appliedCount.value);
    expect(lag.behind.value).toBe(0);
  });

  test("is reported to the kernel, less and less often where that does not hear", () => {
    take(0);
    const at: number[] = [];
    for (let second = 0; second < 100; second += 1) {
      const before = reports.length;
      take(5);
      if (reports.length > before) {
        at.push(second);
      }
      pass(1);
    }
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 51, 71, 91]);
    expect(reports[0]).toEqual({ seq: 2, behind: expect.closeTo(5, 1) });
    // Once it sends less, it has received the report.
    take(5, { share: 0.5 });
    pass(20);
    const before = reports.length;
    for (let second = 0; second < 5; second += 1) {
      take(5, { share: 0.5 });
      pass(1);
    }
    expect(reports.length - before).toBe(5);
  });
});

describe("a channel whose page is behind", () => {
  useFakeChannel();

  /** The number of notifications to views. */
  function countNotifications(): () => number {
    let count = 0;
    const stop = effect(() => {
      void channel.store.receivedAt.value;
      count += 1;
    });
    end.signal.addEventListener("abort", stop);
    return () => count - 1;
  }

  test("applies messages at once where they are not late", () => {
    const notified = countNotifications();
    model.receive(0);
    expect(channel.store.seq).toBe(1);
    vi.advanceTimersByTime(100);
    model.receive(1, 0.3);
    expect(channel.store.seq).toBe(2);
    expect(notified()).toBe(2);
  });

  test("applies late ones together, so that they are drawn once", () => {
    const notified = countNotifications();
    model.receive(0);
    vi.advanceTimersByTime(100);
    model.receive(1, 8);
    model.receive(2, 5);
    model.receive(3, 1);
    expect([channel.store.seq, notified()]).toEqual([1, 1]);
    vi.advanceTimersByTime(60);
    expect(channel.store.seq).toBe(4);
    expect(notified()).toBe(2);
    expect(channel.store.complete).toBe(true);
  });

  test("waits longer the longer drawing takes", () => {
    model.receive(0);
    vi.advanceTimersByTime(800);
    channel.lag.drawn(channel.lag.appliedCount.value);
    model.receive(1, 8);
    vi.advanceTimersByTime(390);
    expect(channel.store.seq).toBe(1);
    vi.advanceTimersByTime(20);
    expect(channel.store.seq).toBe(2);
  });

  test("keeps a limited number of waiting messages", () => {
    model.receive(0);
    vi.advanceTimersByTime(100);
    for (let i = 0; i < 200; i += 1) {
      model.receive(1, 8);
    }
    expect(channel.store.seq).toBe(2);
  });

  test("keeps a limited number of waiting bytes", () => {
    model.receive(0);
    vi.advanceTimersByTime(100);
    model.receive(1, 8, 15e6);
    model.receive(1, 8);
    expect(channel.store.seq).toBe(1);
    model.receive(1, 8, 5e6);
    expect(channel.store.seq).toBe(2);
    // Counting starts again at 0.
    model.receive(2, 8, 15e6);
    expect(channel.store.seq).toBe(2);
  });

  test("is not behind because it had no view", () => {
    model.receive(0);
    vi.advanceTimersByTime(60_000);
    addView();
    channel.lag.drawn(channel.lag.appliedCount.value);
    expect(channel.lag.behind.value).toBe(0);
    expect(model.sent).toEqual([]);
  });

  test("says so to the kernel", () => {
    addView();
    model.receive(0);
    channel.lag.drawn(channel.lag.appliedCount.value);
    vi.advanceTimersByTime(100);
    model.receive(1, 4);
    vi.advanceTimersByTime(60);
    channel.lag.drawn(channel.lag.appliedCount.value);
    expect(model.sent).toEqual([{ type: "drawn", seq: 2, behind: expect.closeTo(4.05, 1) }]);
    expect(channel.lag.behind.value).toBeGreaterThan(PAGE_BEHIND);
  });

  test("applies nothing after its end", () => {
    model.receive(0);
    model.receive(1, 8);
    end.abort();
    vi.advanceTimersByTime(1000);
    expect(channel.store.seq).toBe(1);
  });
});
