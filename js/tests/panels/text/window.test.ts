import { expect, test } from "vitest";
import {
  countUpTo,
  entriesOf,
  held,
  NEWEST,
  PAGE,
  type TextWindow,
  withNewer,
  withOlder,
} from "../../../src/panels/text/window";

interface Row {
  readonly id: number;
  readonly step: bigint;
}

function runOf(run: string, steps: readonly number[]) {
  return { run, rows: steps.map((step, id) => ({ id, step: BigInt(step) })) };
}

const shown = (runs: ReturnType<typeof runOf>[], window: TextWindow) =>
  entriesOf<Row>(runs, window).entries.map(({ run, row }) => `${run}${row.step}`);

const A = runOf("a", [0, 10, 20, 20, 40]);
const B = runOf("b", [5, 20, 30]);

test("rows up to a step are counted, equal ones too", () => {
  expect([-1, 0, 15, 20, 99].map((step) => countUpTo(A.rows, BigInt(step)))).toEqual([0, 1, 2, 4, 5]);
  expect(countUpTo([], 3n)).toBe(0);
});

test("texts of all runs stand together, the newest first", () => {
  expect(shown([A, B], NEWEST)).toEqual(["a40", "b30", "a20", "a20", "b20", "a10", "b5", "a0"]);
});

test("the one written last of equal steps is first in its run", () => {
  const { entries } = entriesOf<Row>([A], { pivot: 20n, older: 2, newer: 0 });
  expect(entries.map(({ row }) => row.id)).toEqual([3, 2]);
});

test("a window surrounds a step, and counts the texts on either side", () => {
  const found = entriesOf<Row>([A, B], { pivot: 25n, older: 3, newer: 1 });
  expect(found.entries.map(({ run, row }) => `${run}${row.step}`)).toEqual(["b30", "a20", "a20", "b20"]);
  expect([found.newerLeft, found.olderLeft]).toEqual([1, 3]);
});

test("the texts of any window are neighbors in the overall order", () => {
  const all = shown([A, B], { pivot: null, older: 99, newer: 0 });
  for (let pivot = -1; pivot <= 41; pivot += 1) {
    for (const older of [0, 1, 3, 99]) {
      for (const newer of [0, 2, 99]) {
        const window = { pivot: BigInt(pivot), older, newer };
        const { entries, newerLeft, olderLeft } = entriesOf<Row>([A, B], window);
        expect(newerLeft + entries.length + olderLeft).toBe(all.length);
        expect(shown([A, B], window)).toEqual(all.slice(newerLeft, all.length - olderLeft));
      }
    }
  }
});

test("nothing shown has nothing left", () => {
  expect(entriesOf<Row>([], NEWEST)).toEqual({ entries: [], newerLeft: 0, olderLeft: 0 });
  expect(entriesOf<Row>([runOf("a", [])], NEWEST)).toEqual({ entries: [], newerLeft: 0, olderLeft: 0 });
});

test("every text can be reached page by page, with few on the page at once", () => {
  const runs = ["a", "b", "c"].map((run) =>
    runOf(
      run,
      Array.from({ length: 300 }, (_, i) => i),
    ),
  );
  const seen = new Set<string>();
  let window: TextWindow = NEWEST;
  let found = entriesOf<Row>(runs, window);
  let most = 0;
  for (let turn = 0; turn < 200 && found.olderLeft > 0; turn += 1) {
    const before = found.entries;
    window = withOlder(window, found);
    found = entriesOf<Row>(runs, window);
    most = Math.max(most, found.entries.length);
    // The former last text stays on the page.
    expect(found.entries).toContainEqual(before.at(-1));
    for (const { run, row } of [...before, ...found.entries]) {
      seen.add(`${run}${row.step}`);
    }
  }
  expect([seen.size, found.olderLeft]).toEqual([900, 0]);
  // And back.
  for (let turn = 0; turn < 200 && found.newerLeft > 0; turn += 1) {
    const first = found.entries[0];
    window = withNewer(window, found);
    found = entriesOf<Row>(runs, window);
    most = Math.max(most, found.entries.length);
    expect(found.entries).toContainEqual(first);
  }
  expect(found.entries[0]).toEqual({ run: "a", row: { id: 299, step: 299n } });
  expect(most).toBeLessThan(200);
});

test("texts in the window stay when newer ones arrive", () => {
  const before = [runOf("a", [0, 1, 2])];
  const window = held(NEWEST, entriesOf<Row>(before, NEWEST));
  const after = entriesOf<Row>([runOf("a", [0, 1, 2, 3])], window);
  expect(after.entries.map(({ row }) => row.step)).toEqual([2n, 1n, 0n]);
  expect(after.newerLeft).toBe(1);
  expect(held(NEWEST, entriesOf<Row>([], NEWEST))).toBe(NEWEST);
  expect(PAGE).toBeGreaterThan(3);
});
