// Visible series when memory is short: a store and a viewport as on a page, with a small budget.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { histograms } from "../../src/histograms/codec";
import { scalars } from "../../src/lines/codec";
import { MemoryShort } from "../../src/lines/marks";
import { COARSE_ROWS, type SeriesPart } from "../../src/lines/series";
import { Viewport } from "../../src/wire/channel";
import type { ClientMessage, ViewMessage, VisibleContent } from "../../src/wire/protocol";
import { Store } from "../../src/wire/store";
import { CODECS, EMPTY, part, pointRows } from "./made";

/** Points of a series, which take 24 bytes each. */
const POINTS = 4000;
const BYTES = 24 * POINTS;
/** Width of a chart in pixels, and the rows that it needs. */
const PIXELS = 300;

let store: Store;
let viewport: Viewport;
let sent: ViewMessage[];
let seq = 0;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  open(1.9 * BYTES);
});

afterEach(() => {
  viewport.end();
  vi.useRealTimers();
});

function open(bytes: number): void {
  store = new Store(CODECS, bytes);
  sent = [];
  seq = 0;
  viewport = new Viewport("v", store, (message: ClientMessage) => {
    if (message.type === "view") {
      sent.push(message);
    }
  });
}

function show(tags: readonly string[], more: Partial<VisibleContent> = {}): void {
  viewport.report({ kinds: ["scalars"], tags, range: null, near: null, linked: null, ...more });
}

function steps(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Receives a message, like the channel. */
function receive(...series: readonly SeriesPart[]): void {
  seq += 1;
  store.apply({ ...EMPTY, seq, begins: seq === 1, ends: seq === 1, series }, 0);
  viewport.dataChanged();
}

function whole(tag: string, total = POINTS): SeriesPart {
  return part(tag, "r", steps(0, total));
}

function held(tag: string) {
  return store.series(scalars).tag(tag)?.byRun.get("r")?.series;
}

/** Answers `want` like the kernel, for some seconds; returns the number of series that were sent in full. */
function answer(seconds: number): number {
  let answered = 0;
  for (let i = 0; i < 10 * seconds; i += 1) {
    vi.advanceTimersByTime(100);
    for (const { want } of sent.splice(0)) {
      receive(...want.map(([, tag]) => whole(tag, held(tag)?.total)));
      answered += want.length;
    }
  }
  return answered;
}

test("series on the screen are never held in fewer rows than their charts can show, and not requested again and again", () => {
  show(["a", "b"]);
  store.drawnIn({}, ["a"], PIXELS);
  store.drawnIn({}, ["b"], PIXELS);
  receive(whole("a"), whole("b"));
  expect(answer(10)).toBe(0);
  // The end of the screen first.
  expect(held("a")?.width).toBe(1);
  expect(held("b")).toMatchObject({ width: 8, last: POINTS - 1, lastStep: BigInt(POINTS - 1) });
  expect(store.bytes).toBeLessThanOrEqual(1.9 * BYTES);
  // The header says that the kernel is busy while a series is coarser than necessary.
  expect(store.isCoarse(["scalars"], "b")).toBe(false);
  show(["a", "b"], { range: [0, 100], near: ["a", "b"] });
  vi.advanceTimersByTime(2000);
  expect(sent).toMatchObject([{ want: [], range: [0, 100], short: [["scalars", "b", 8, 2 * PIXELS]] }]);
});

test("series reduced for lack of memory continue as points arrive, in as many rows", () => {
  show(["a", "b"]);
  store.drawnIn({}, ["a", "b"], PIXELS);
  receive(whole("a", 2000), whole("b", 2000));
  for (let total = 2000; total < POINTS; total += 10) {
    const more = { rows: pointRows(steps(total, total + 10)), keep: total, total: total + 10 };
    receive(part("a", "r", [], more), part("b", "r", [], more));
  }
  expect(answer(3)).toBe(0);
  for (const tag of ["a", "b"]) {
    expect(held(tag)).toMatchObject({ total: POINTS, lastStep: BigInt(POINTS - 1) });
    expect(held(tag)?.step.length).toBeGreaterThanOrEqual(PIXELS);
  }
  expect(held("b")?.reduced).toMatchObject({ rows: 2 * PIXELS, settled: POINTS });
  expect(store.bytes).toBeLessThanOrEqual(1.9 * BYTES);
});

test("series off the screen go before those on it, and those that come onto it are requested in full again", () => {
  show(["a"]);
  store.drawnIn({}, ["a"], PIXELS);
  receive(whole("a"), whole("b"));
  expect([held("a")?.width, held("b")?.width]).toEqual([1, 64]);
  expect(answer(2)).toBe(0);
  // "a" leaves the screen, and may be coarse then.
  show(["b"]);
  expect(answer(2)).toBe(1);
  expect([held("a")?.width, held("b")?.width]).toEqual([64, 1]);
});

test("it is requested in full once there is room for it, and once it was off the screen", () => {
  show(["a", "b"]);
  store.drawnIn({}, ["a", "b"], PIXELS);
  receive(whole("a"), whole("b"));
  expect([held("b")?.width, answer(2)]).toEqual([8, 0]);
  show(["a"]);
  vi.advanceTimersByTime(500);
  show(["a", "b"]);
  expect(answer(3)).toBe(1);
  expect(held("b")?.width).toBe(8);
  // The view that shows "a" is closed, and its data are gone.
  store.apply(
    { ...EMPTY, seq: 2 + seq, keyframe: 2, begins: true, ends: true, series: [part("b", "r", [], reduced())] },
    0,
  );
  seq += 2;
  viewport.dataChanged();
  expect(answer(3)).toBe(1);
  expect(held("b")?.width).toBe(1);
});

/** The coarse version of "b" in a keyframe: a page with more data keeps its own. */
function reduced(): Partial<SeriesPart> {
  const rows = pointRows(steps(0, 63).map((i) => 64 * i + 63));
  return { rows, width: 64, total: POINTS, last: POINTS - 1 };
}

test("a chart that has become much wider gets more rows", () => {
  const chart = {};
  show(["a", "b"]);
  store.drawnIn(chart, ["a", "b"], PIXELS);
  receive(whole("a"), whole("b"));
  expect(held("b")?.width).toBe(8);
  store.drawnIn(chart, ["a", "b"], 3 * PIXELS);
  viewport.dataChanged();
  expect(answer(2)).toBeGreaterThan(0);
  expect(held("b")?.width).toBe(4);
});

test("series count as visible for the kinds that the view draws, until the view ends", () => {
  open(0.5 * BYTES);
  viewport.report({ kinds: ["histograms"], tags: ["a"], range: null, near: null, linked: null });
  receive(whole("a"));
  expect(held("a")?.step.length).toBeLessThanOrEqual(COARSE_ROWS);
  show(["a"]);
  receive(whole("a"));
  expect(held("a")?.step.length).toBeGreaterThan(COARSE_ROWS);
  viewport.end();
  receive(whole("a"));
  expect(held("a")?.step.length).toBeLessThanOrEqual(COARSE_ROWS);
});

test("several series that use the same buffer count it once, with the room in it", () => {
  open(1e9);
  const shared = pointRows(steps(0, 1000));
  const rows = () => ({ rows: { ...shared, value: shared.value.slice() } });
  const parts = ["a", "b", "c", "d"].map((tag) => part(tag, "r", [], { ...rows(), total: 1000 }));
  receive(...parts.map((one) => ({ ...one, rows: { ...one.rows, min: one.rows.value, max: one.rows.value } })));
  // Steps and times once, and four columns of values.
  expect(store.bytes).toBe(6 * 8000);
  const more = pointRows([1000]);
  receive(...parts.map(({ tag }) => part(tag, "r", [], { rows: more, keep: 1000, total: 1001 })));
  const buffers = new Set(
    parts.flatMap(({ tag }) => [held(tag)?.step.buffer, held(tag)?.wall.buffer, held(tag)?.value.buffer]),
  );
  expect(buffers.size).toBe(6);
  expect(store.bytes).toBe([...buffers].reduce((bytes, buffer) => bytes + (buffer?.byteLength ?? 0), 0));
  store.apply({ ...EMPTY, seq: 3, keyframe: 2, begins: true, ends: true, series: [] }, 0);
  expect(store.bytes).toBe(0);
});

test("histograms on the screen stay, too, as many as their plots have room for", () => {
  const row = (place: number) => ({
    place,
    step: BigInt(place),
    wall: 1000 + place,
    counts: new Float64Array(30),
    layout: { low: 0, high: 1, innerEdges: null },
    mean: Number.NaN,
    deviation: Number.NaN,
  });
  const rows = steps(0, 2000).map(row);
  const head = { kind: "histograms", run: "r", tag: "h", revision: 0, superseded: 0, startWall: 1000, fine: true };
  open(600_000);
  viewport.report({ kinds: ["histograms"], tags: ["h"], range: null, near: null, linked: null });
  store.drawnIn({}, ["h"], PIXELS);
  const apply = (series: object) => {
    seq += 1;
    store.apply({ ...EMPTY, seq, begins: seq === 1, series: [{ ...head, ...series } as never] }, 0);
  };
  apply({ keep: 0, total: 2000, stride: 1, rows });
  const drawn = () => store.series(histograms).tag("h")?.byRun.get("r")?.series;
  expect(drawn()).toMatchObject({ stride: 4 });
  expect(store.isCoarse(["histograms"], "h")).toBe(false);
  // The kernel continues at its stride.
  apply({ keep: 2000, total: 2003, stride: 1, rows: steps(2000, 2003).map(row) });
  expect(
    drawn()
      ?.rows.slice(-3)
      .map(({ place }) => place),
  ).toEqual([1996, 2000, 2002]);
  apply({ keep: 2003, total: 2004, stride: 1, rows: [row(2003)] });
  expect(
    drawn()
      ?.rows.slice(-3)
      .map(({ place }) => place),
  ).toEqual([1996, 2000, 2003]);
  expect(store.isCoarse(["histograms"], "h")).toBe(false);
});

test("a card says that its series are reduced for lack of memory, and no other card does", () => {
  show(["a", "b"]);
  store.drawnIn({}, ["a", "b"], PIXELS);
  receive(whole("a"), whole("b"));
  const note = (tag: string) => MemoryShort({ series: [held(tag)].filter((series) => series !== undefined) });
  expect(note("a")).toBeNull();
  expect(note("b")?.props).toMatchObject({
    hint: expect.stringMatching(/^4.000 points are stored as 500 buckets/),
    text: "low memory",
  });
});
