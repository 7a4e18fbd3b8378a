import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, GRACE, SILENCE, SILENCE_IN_CELL } from "../../src/wire/connection";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
let end: AbortController;
let connection: Connection;
let watched: boolean;
let wakeUps: number;
let silences: number;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  show(true);
  watched = true;
  wakeUps = 0;
  silences = 0;
  end = new AbortController();
  const resumed = () => {
    wakeUps += 1;
  };
  const fellSilent = () => {
    silences += 1;
  };
  connection = new Connection(page as unknown as Document, () => watched, { resumed, fellSilent }, end.signal);
});

afterEach(() => {
  end.abort();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function show(visible: boolean): void {
  page.visibilityState = visible ? "visible" : "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
}

/** The computer sleeps: time passes, and no timer runs. */
function sleep(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

test("a kernel that is silent for long is taken to be gone, until it says something", () => {
  connection.received(false);
  vi.advanceTimersByTime(SILENCE - 1000);
  expect(connection.loss.value).toBeNull();
  vi.advanceTimersByTime(1000);
  expect(connection.loss.value?.why).toBe("silent");
  expect(connection.received(false)).toBe(true);
  expect(connection.loss.value).toBeNull();
  expect(connection.received(false)).toBe(false);
});

test("each silence is reported once, also if the host reconnects and nothing arrives", () => {
  connection.received(false);
  vi.advanceTimersByTime(SILENCE - 1000);
  expect(silences).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(silences).toBe(1);
  const since = connection.loss.value?.since;
  connection.interrupted();
  vi.advanceTimersByTime(1000);
  connection.restored();
  vi.advanceTimersByTime(2 * SILENCE);
  expect([connection.loss.value, silences]).toEqual([{ why: "silent", since }, 1]);
  connection.interrupted();
  vi.advanceTimersByTime(10_000);
  expect(connection.loss.value?.why).toBe("interrupted");
  connection.restored();
  vi.advanceTimersByTime(2 * SILENCE);
  expect([connection.loss.value, silences]).toEqual([{ why: "silent", since }, 1]);
  connection.received(false);
  vi.advanceTimersByTime(SILENCE);
  expect(silences).toBe(2);
});

test("one that was never heard is taken to be gone as soon", () => {
  vi.advanceTimersByTime(SILENCE);
  expect(connection.loss.value?.why).toBe("silent");
});

test("one that ran a cell has more time", () => {
  connection.received(true);
  vi.advanceTimersByTime(SILENCE_IN_CELL - 1000);
  expect(connection.loss.value).toBeNull();
  vi.advanceTimersByTime(1000);
  expect(connection.loss.value?.why).toBe("silent");
  connection.received(null);
  vi.advanceTimersByTime(SILENCE);
  expect(connection.loss.value?.why).toBe("silent");
});

test("time in which the page is hidden does not count; shown again, the kernel has some to answer", () => {
  connection.received(false);
  vi.advanceTimersByTime(SILENCE - 2000);
  show(false);
  vi.advanceTimersByTime(10 * SILENCE);
  show(true);
  vi.advanceTimersByTime(GRACE - 1000);
  expect(connection.loss.value).toBeNull();
  vi.advanceTimersByTime(1000);
  expect(connection.loss.value?.why).toBe("silent");
});

test("nor does time without a view: the kernel stops sending then", () => {
  watched = false;
  vi.advanceTimersByTime(10 * SILENCE);
  expect(connection.loss.value).toBeNull();
});

test("after a sleep the kernel is asked for a sign of life, and has some time to give it", () => {
  connection.received(false);
  vi.advanceTimersByTime(SILENCE - 2000);
  sleep(3_600_000);
  vi.advanceTimersByTime(1000);
  expect([connection.loss.value, wakeUps]).toEqual([null, 1]);
  vi.advanceTimersByTime(GRACE - 1000);
  expect(connection.loss.value).toBeNull();
  vi.advanceTimersByTime(1000);
  expect([connection.loss.value?.why, wakeUps]).toEqual(["silent", 1]);
});

test("a clock that is set back does no harm", () => {
  sleep(-3_600_000);
  vi.advanceTimersByTime(SILENCE - 1000);
  expect(connection.loss.value).toBeNull();
});

test("if the host reports the kernel's end, it has ended since then, whatever the connection does", () => {
  connection.received(true);
  vi.advanceTimersByTime(2500);
  connection.ended();
  const since = Date.now();
  expect(connection.loss.value).toEqual({ why: "ended", since });
  connection.interrupted();
  vi.advanceTimersByTime(2 * SILENCE_IN_CELL);
  connection.restored();
  connection.ended();
  expect(connection.loss.value).toEqual({ why: "ended", since });
  connection.received(false);
  expect(connection.loss.value).toBeNull();
});

test("a page that the host connects again within a moment says nothing; else since when, until it is connected", () => {
  connection.received(false);
  vi.advanceTimersByTime(10_000);
  connection.interrupted();
  const since = Date.now();
  vi.advanceTimersByTime(3000);
  connection.restored();
  vi.advanceTimersByTime(GRACE - 1000);
  expect(connection.loss.value).toBeNull();
  connection.interrupted();
  vi.advanceTimersByTime(5000);
  connection.interrupted();
  expect(connection.loss.value).toEqual({ why: "interrupted", since: since + 3000 + GRACE - 1000 });
  vi.advanceTimersByTime(2 * SILENCE);
  expect(connection.loss.value?.why).toBe("interrupted");
  connection.restored();
  expect(connection.loss.value).toBeNull();
  vi.advanceTimersByTime(GRACE);
  expect(connection.loss.value?.why).toBe("silent");
});
