import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ItemFetcher, partsOf } from "../../src/items/fetcher";
import { type ImageRow, imageItems } from "../../src/panels/images/codec";
import type { Answer } from "../../src/wire/requests";
import { placeOf } from "../panels/images/made";
import { settled } from "../wire/tracked";

interface Asked {
  readonly args: { readonly images: readonly (readonly unknown[])[]; readonly pixels: number | null };
  readonly until: AbortSignal;
  answer(value: unknown, data?: readonly number[]): Promise<void>;
  refuse(reason: string): Promise<void>;
}

let asked: Asked[];
let came: unknown[];
let fetcher: ItemFetcher<ImageRow>;

const wanted = (id: number, revision = 1) => ({ ...placeOf(id), revision });

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  came = [];
  const ask = (_name: string, args: unknown, until: AbortSignal) =>
    new Promise<Answer>((resolve, reject) => {
      until.addEventListener("abort", () => reject(until.reason));
      asked.push({
        args: args as Asked["args"],
        until,
        answer: (value, data = []) => {
          resolve({ value, data: Uint8Array.from(data) });
          return settled();
        },
        refuse: (text) => {
          reject(new Error(text));
          return settled();
        },
      });
    });
  fetcher = new ItemFetcher({ ask }, imageItems.request, ({ row }, size, part) => {
    came.push("blob" in part ? [row.id, size, ...part.blob] : [row.id, size, part.reason]);
  });
});

afterEach(() => {
  vi.useRealTimers();
});

test("items that stay visible are requested together, once for each size", async () => {
  fetcher.ask(wanted(1), 320);
  fetcher.ask(wanted(2), 320);
  fetcher.ask(wanted(3), Number.POSITIVE_INFINITY);
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
  await asked[0]?.answer([{ size: 2 }, { reason: "broken" }], [7, 8]);
  await asked[1]?.answer([{ size: 1 }], [9]);
  expect(came).toEqual([
    [1, 320, 7, 8],
    [2, 320, "broken"],
    [3, Number.POSITIVE_INFINITY, 9],
  ]);
});

test("items that move on before the request are never requested, and are cancelled after it", async () => {
  fetcher.ask(wanted(1), 320)();
  const ends = [2, 3].map((id) => fetcher.ask(wanted(id), 320));
  vi.advanceTimersByTime(100);
  expect(asked.map(({ args }) => args.images.length)).toEqual([2]);
  ends[0]?.();
  vi.advanceTimersByTime(100);
  expect(asked[0]?.until.aborted).toBe(false);
  ends[1]?.();
  vi.advanceTimersByTime(100);
  expect(asked[0]?.until.aborted).toBe(true);
  fetcher.ask(wanted(3), 320);
  vi.advanceTimersByTime(100);
  expect(asked.length).toBe(2);
});

test("the first step of a drag is asked for at once, those that follow once it rests", async () => {
  let end = fetcher.ask(wanted(1), 320);
  vi.advanceTimersByTime(20);
  expect(asked.length).toBe(1);
  for (const id of [2, 3, 4]) {
    end();
    end = fetcher.ask(wanted(id), 320);
    vi.advanceTimersByTime(40);
  }
  expect(asked.length).toBe(1);
  vi.advanceTimersByTime(40);
  expect(asked[1]?.args.images.map(([, , step]) => step)).toEqual(["4"]);
  fetcher.ask(wanted(5), 320);
  vi.advanceTimersByTime(20);
  expect(asked.length).toBe(3);
});

test("requested items are not requested again", async () => {
  const first = fetcher.ask(wanted(1), 320);
  vi.advanceTimersByTime(100);
  first();
  fetcher.ask(wanted(1), 320);
  fetcher.ask(wanted(1), 640);
  vi.advanceTimersByTime(100);
  expect(asked.map(({ args, until }) => [args.pixels, until.aborted])).toEqual([
    [320, false],
    [640, false],
  ]);
  await asked[0]?.answer([{ size: 1 }], [5]);
  expect(came).toEqual([[1, 320, 5]]);
});

test("items that the kernel pushes are requested only if they do not arrive", async () => {
  const end = fetcher.ask(wanted(1), 320, true);
  fetcher.ask(wanted(2), 320);
  vi.advanceTimersByTime(200);
  expect(asked.map(({ args }) => args.images.length)).toEqual([1]);
  vi.advanceTimersByTime(1000);
  expect(asked.length).toBe(2);
  end();
});

test("items without space in an answer are requested again", async () => {
  fetcher.ask(wanted(1), 320);
  fetcher.ask(wanted(2), 320);
  vi.advanceTimersByTime(100);
  await asked[0]?.answer([{ size: 1 }, { later: true }], [5]);
  vi.advanceTimersByTime(100);
  expect(asked[1]?.args.images).toEqual([["r", "t", "2", 0, 1002]]);
  await asked[1]?.refuse("too many requests");
  expect(came).toEqual([
    [1, 320, 5],
    [2, 320, "too many requests"],
  ]);
});

test("items without space in an answer are not requested again once no view wants them", async () => {
  fetcher.ask(wanted(1), 320);
  const end = fetcher.ask(wanted(2), 320);
  vi.advanceTimersByTime(100);
  end();
  await asked[0]?.answer([{ size: 1 }, { later: true }], [5]);
  vi.advanceTimersByTime(10_000);
  expect([asked.length, came]).toEqual([1, [[1, 320, 5]]]);
});

test("an answer of nothing but later is a refusal: it would be asked for for ever", async () => {
  fetcher.ask(wanted(1), 320);
  vi.advanceTimersByTime(100);
  await asked[0]?.answer([{ later: true }]);
  vi.advanceTimersByTime(10_000);
  expect([asked.length, came.length]).toEqual([1, 1]);
});

test("an item of another revision is another one, though it has the same id", async () => {
  fetcher.ask(wanted(1), 320);
  vi.advanceTimersByTime(100);
  fetcher.ask(wanted(1, 2), 320);
  vi.advanceTimersByTime(100);
  expect(asked.length).toBe(2);
});

test("an answer is taken as far as it makes sense", async () => {
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
