import { h } from "preact";
import { useRef } from "preact/hooks";
import { afterEach, expect, test, vi } from "vitest";
import { nextSorts } from "../../src/lib/sortrows";
import { fileRows, sortedRows, Table, type TableColumn } from "../../src/ui/table/table";
import { useRowWindow } from "../../src/ui/table/windowed";
import { rendered } from "./rendering";

interface Fruit {
  readonly name: string;
  readonly count: number | null;
}

const COLUMNS: TableColumn<Fruit>[] = [
  { key: "name", title: "Name", isText: true, cellOf: ({ name }) => name, shown: ({ name }) => name },
  { key: "count", title: "Count", isText: false, cellOf: ({ count }) => count, shown: ({ count }) => count },
];

const ROWS: Fruit[] = [
  { name: "pear10", count: 3 },
  { name: "pear2", count: Number.NaN },
  { name: "apple", count: null },
  { name: "plum", count: 7 },
];

const laterTask = () => new Promise((resolve) => setTimeout(resolve, 20));

afterEach(() => vi.unstubAllGlobals());

test("rows that are equal in one column are ordered by the next", () => {
  const rows: Fruit[] = ["b1", "a1", "b2", "a2"].map((name) => ({ name, count: Number(name[1]) }));
  const sorts = [
    { key: "count", descending: true },
    { key: "name", descending: false },
  ];
  expect(sortedRows(rows, sorts, COLUMNS).map(({ name }) => name)).toEqual(["a2", "b2", "a1", "b1"]);
});

test("a click sorts by one column, one with Shift by several", () => {
  const first = nextSorts([], "count", true, false);
  expect(first).toEqual([{ key: "count", descending: true }]);
  const both = nextSorts(first, "name", false, true);
  expect(both).toEqual([...first, { key: "name", descending: false }]);
  expect(nextSorts(both, "count", true, true)[0]).toEqual({ key: "count", descending: false });
  expect(nextSorts(both, "name", false, false)).toEqual([{ key: "name", descending: true }]);
  expect(nextSorts(nextSorts(both, "name", false, true), "name", false, true)).toEqual(first);
});

test("rows are sorted by a column; those without a number come last either way", () => {
  const order = (key: string, descending: boolean) =>
    sortedRows(ROWS, [{ key, descending }], COLUMNS).map(({ name }) => name);
  expect(order("count", true)).toEqual(["plum", "pear10", "pear2", "apple"]);
  expect(order("count", false)).toEqual(["pear10", "plum", "pear2", "apple"]);
  expect(order("name", false)).toEqual(["apple", "pear2", "pear10", "plum"]);
  expect([sortedRows(ROWS, [], COLUMNS), sortedRows(ROWS, [{ key: "gone", descending: true }], COLUMNS)]).toEqual([
    ROWS,
    ROWS,
  ]);
});

test("files have all rows under the keys of the columns", () => {
  expect(fileRows(ROWS.slice(1, 4), COLUMNS)).toEqual([
    ["name", "count"],
    ["pear2", Number.NaN],
    ["apple", ""],
    ["plum", 7],
  ]);
});

test("measures that depend on the list's size are updated when it changes, though nothing is rendered", async () => {
  const resized: (() => void)[] = [];
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        resized.push(callback);
      }
      observe(): void {}
      unobserve(): void {}
      disconnect(): void {}
    },
  );
  const heights: number[] = [];
  const List = () => {
    const scroller = useRef<HTMLDivElement>(null);
    useRowWindow(scroller, 1000, 20, ({ clientHeight }) => heights.push(clientHeight));
    return h("div", { ref: scroller });
  };
  const shown = rendered(h(List, {}));
  await laterTask();
  const before = heights.length;
  resized[0]?.();
  expect(heights.slice(before)).toEqual([210]);
  shown.end();
});

test("only visible rows of a long table exist, and some around them; space replaces the others", async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({ name: `n${i}`, count: i }));
  const table = (some: readonly Fruit[]) =>
    h(Table<Fruit>, {
      ...{ columns: COLUMNS, rows: some, sorts: [], setSorts: () => {} },
      ...{ keyOf: ({ name }: Fruit) => name, attributesOf: () => ({}) },
    });
  const shown = rendered(table(rows));
  await laterTask();
  const body = shown.root.all("tbody")[0];
  const texts = () => body?.all("tr").map(({ textContent }) => textContent) ?? [];
  expect(texts().length).toBeLessThan(60);
  expect([texts()[0], texts().at(-1)]).toEqual(["n00", ""]);
  // A row that reuses another's elements does not take over its focus.
  const focused = body?.all("td")[0];
  const blur = vi.fn();
  vi.stubGlobal("HTMLElement", Object);
  Object.assign(body?.ownerDocument ?? {}, { activeElement: Object.assign(focused ?? {}, { blur }) });
  shown.show(table(rows.map((row) => ({ ...row }))));
  expect(blur).not.toHaveBeenCalled();
  shown.show(table([...rows].reverse()));
  expect([texts()[0], blur.mock.calls.length]).toEqual(["n999999", 1]);
  shown.end();
  const few = rendered(table(rows.slice(0, 40)));
  await laterTask();
  expect(few.root.all("tbody")[0]?.all("tr")).toHaveLength(40);
  few.end();
});
