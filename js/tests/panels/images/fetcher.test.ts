import { signal } from "@preact/signals";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Fetcher, partsOf } from "../../../src/panels/images/fetcher";
import type { Answer, Pending } from "../../../src/wire/requests";
import { placeOf } from "./made";

interface Asked {
  readonly args: { readonly images: readonly (readonly unknown[])[]; readonly pixels: number | null };
  readonly until: AbortSignal;
  answer(value: unknown, data?: readonly number[]): void;
  refuse(reason: string): void;
}

let asked: Asked[];
let came: unknown[];
let fetcher: Fetcher;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  came = [];
  const ask = (_name: string, args: unknown, until: AbortSignal): Pending => {
    const state = signal<"waits" | "answered" | "refused">("waits");
    const answer = signal<Answer | null>(null);
    const reason = signal<string | null>(null);
    asked.push({
      args: args as Asked["args"],
      until,
      answer: (value, data = []) => {
        answer.value = { value, data: Uint8Array.from(data) };
        state.value = "answered";
      },
      refuse: (text) => {
        reason.value = text;
        state.value = "refused";
      },
    });
    return { state, answer, reason, madeOf: null };
  };
  fetcher = new Fetcher(
    { ask },
    {
      thumbnail: ({ row }, blob) => came.push(["thumbnail", row.id, ...blob]),
      sharp: ({ row }, blob) => came.push(["sharp", row.id, ...blob]),
      refused: ({ row }, pixels, reason) => came.push(["refused", row.id, pixels, reason]),
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
});

test("what comes to rest is asked for together, once for each size", () => {
  fetcher.ask(placeOf(1), 320);
  fetcher.ask(placeOf(2), 320);
  fetcher.ask(placeOf(3), Number.POSITIVE_INFINITY);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(asked.map(({ args }) => [args.pixels, args.images])).toEqual([
    [
      320,
      [
        ["r", "t", "1", 0, 1001],
        ["r", "t", "2", 0, 1002],
      ],
    ],
    [null, [["r", "t", "3", 0, 1003]]],
  ]);
  asked[0]?.answer([{ size: 2 }, { reason: "broken" }], [7, 8]);
  asked[1]?.answer([{ size: 1 }], [9]);
  expect(came).toEqual([
    ["thumbnail", 1, 7, 8],
    ["refused", 2, null, "broken"],
    ["sharp", 3, 9],
  ]);
});

test("what moves on before it is asked for is never asked for, and cancelled after that", () => {
  fetcher.ask(placeOf(1), 320)();
  const ends = [2, 3].map((id) => fetcher.ask(placeOf(id), 320));
  vi.advanceTimersByTime(100);
  expect(asked.map(({ args }) => args.images.length)).toEqual([2]);
  ends[0]?.();
  vi.advanceTimersByTime(100);
  expect(asked[0]?.until.aborted).toBe(false);
  ends[1]?.();
  vi.advanceTimersByTime(100);
  expect(asked[0]?.until.aborted).toBe(true);
  fetcher.ask(placeOf(3), 320);
  vi.advanceTimersByTime(100);
  expect(asked.length).toBe(2);
});

test("the first step of a drag is asked for at once, those that follow once it rests", () => {
  let end = fetcher.ask(placeOf(1), 320);
  vi.advanceTimersByTime(20);
  expect(asked.length).toBe(1);
  for (const id of [2, 3, 4]) {
    end();
    end = fetcher.ask(placeOf(id), 320);
    vi.advanceTimersByTime(40);
  }
  expect(asked.length).toBe(1);
  vi.advanceTimersByTime(40);
  expect(asked[1]?.args.images.map(([, , step]) => step)).toEqual(["4"]);
  fetcher.ask(placeOf(5), 320);
  vi.advanceTimersByTime(20);
  expect(asked.length).toBe(3);
});

test("what has been asked for already is not asked for again", () => {
  const first = fetcher.ask(placeOf(1), 320);
  vi.advanceTimersByTime(100);
  first();
  fetcher.ask(placeOf(1), 320);
  fetcher.ask(placeOf(1), 640);
  vi.advanceTimersByTime(100);
  expect(asked.map(({ args, until }) => [args.pixels, until.aborted])).toEqual([
    [320, false],
    [640, false],
  ]);
  asked[0]?.answer([{ size: 1 }], [5]);
  expect(came).toEqual([["thumbnail", 1, 5]]);
});

test("what the kernel sends by itself is asked for only if it does not come", () => {
  const end = fetcher.ask(placeOf(1), 320, true);
  fetcher.ask(placeOf(2), 320);
  vi.advanceTimersByTime(200);
  expect(asked.map(({ args }) => args.images.length)).toEqual([1]);
  vi.advanceTimersByTime(1000);
  expect(asked.length).toBe(2);
  end();
});

test("what an answer had no room for is asked for again", () => {
  fetcher.ask(placeOf(1), 320);
  fetcher.ask(placeOf(2), 320);
  vi.advanceTimersByTime(100);
  asked[0]?.answer([{ size: 1 }, { later: true }], [5]);
  vi.advanceTimersByTime(100);
  expect(asked[1]?.args.images).toEqual([["r", "t", "2", 0, 1002]]);
  asked[1]?.refuse("too many requests");
  expect(came).toEqual([
    ["thumbnail", 1, 5],
    ["refused", 2, null, "too many requests"],
  ]);
});

test("an answer is taken as far as it makes sense", () => {
  const data = Uint8Array.from([1, 2, 3]);
  expect(partsOf({ value: [{ size: 2 }, { size: 9 }, { size: 1 }], data })).toEqual([
    { blob: Uint8Array.from([1, 2]) },
  ]);
  expect([partsOf({ value: null, data }), partsOf({ value: [{}], data }), partsOf({ value: [3], data })]).toEqual([
    [],
    [],
    [],
  ]);
});
