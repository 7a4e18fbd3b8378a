import { expect, test } from "vitest";
import { rowsOf, selectedIn } from "../../../src/panels/projector/card";
import type { Column } from "../../../src/panels/projector/codec";
import {
  clusterColumn,
  colorColumn,
  groupsOf,
  labelColumn,
  NO_GROUP,
  pointColors,
} from "../../../src/panels/projector/coloring";
import {
  type Bars,
  barsOfSelection,
  crossFiltered,
  type Filter,
  passing,
  rangeOfBars,
  shownCounts,
} from "../../../src/panels/projector/filters";
import { axesOf } from "../../../src/panels/projector/projecting";
import { search } from "../../../src/panels/projector/search";

function texts(name: string, all: readonly string[]): Column {
  const values = [...new Set(all)];
  return { name, sort: "text", values, codes: Uint32Array.from(all, (text) => values.indexOf(text)) };
}

function numbers(name: string, all: readonly number[]): Column {
  return { name, sort: "number", numbers: Float64Array.from(all) };
}

test("few values have a color each, in natural order; an empty text is no value", () => {
  const groups = groupsOf(texts("class", ["c10", "c2", "", "c2"]));
  expect(groups).toMatchObject({
    sort: "categories",
    others: 0,
    categories: [
      { text: "c2", count: 2 },
      { text: "c10", count: 1 },
    ],
  });
  expect(groups.sort === "categories" && [...groups.groups]).toEqual([1, 0, NO_GROUP, 0]);
});

test("the 49 most frequent of more than 50 values have colors, the others share one", () => {
  const all = Array.from({ length: 60 }, (_, i) => Array(60 - i).fill(`v${i}`)).flat();
  const groups = groupsOf(texts("many", all));
  if (groups.sort !== "categories") {
    throw new Error();
  }
  expect(groups.categories).toHaveLength(50);
  expect(groups.others).toBe(11);
  expect(groups.categories.at(-1)).toEqual({ text: null, count: (11 * 12) / 2 });
});

test("up to 50 whole numbers that repeat are categories; rows and measures are not", () => {
  const classes = Array.from({ length: 120 }, (_, i) => i % 40);
  expect(groupsOf(numbers("class", classes))).toMatchObject({ sort: "categories", others: 0 });
  expect(groupsOf(numbers("row", [...classes.keys()].slice(0, 40)))).toMatchObject({ sort: "numbers" });
  expect(
    groupsOf(
      numbers(
        "rate",
        classes.map((one) => one / 2),
      ),
    ),
  ).toMatchObject({ sort: "numbers" });
});

test("few numbers are categories, many a scale; NaN is neither", () => {
  expect(groupsOf(numbers("digit", [3, 1, 3, Number.NaN]))).toMatchObject({
    categories: [
      { text: "1", count: 1 },
      { text: "3", count: 2 },
    ],
  });
  const many = Array.from({ length: 40 }, (_, i) => i / 2);
  expect(groupsOf(numbers("loss", [...many, Number.NaN]))).toMatchObject({ sort: "numbers", least: 0, most: 19.5 });
});

test("the first column of classes colors the points", () => {
  const words = texts(
    "word",
    Array.from({ length: 30 }, (_, i) => `w${i}`),
  );
  const same = texts("same", Array(30).fill("x"));
  const half = texts(
    "half",
    Array.from({ length: 30 }, (_, i) => (i % 2 ? "a" : "b")),
  );
  expect(colorColumn([words, same, half], null)).toBe(half);
  expect(colorColumn([words, same], null)).toBeNull();
  expect(colorColumn([words, half], "word")).toBe(words);
  expect(colorColumn([words, half], "")).toBeNull();
  expect(labelColumn([half, words], null)).toBe(words);
  expect(labelColumn([half], null)).toBe(half);
  // The chosen column belongs to another card of the board.
  expect(colorColumn([words, half], "elsewhere")).toBe(half);
});

test("with more classes than colors, the most frequent are colored if only truth values are left", () => {
  const many = texts(
    "many",
    Array.from({ length: 600 }, (_, i) => `c${i % 100}`),
  );
  const named = texts(
    "named",
    Array.from({ length: 600 }, (_, i) => `n${i % 300}`),
  );
  const right = texts(
    "right",
    Array.from({ length: 600 }, (_, i) => (i % 3 ? "true" : "false")),
  );
  const few = texts(
    "few",
    Array.from({ length: 600 }, (_, i) => (i % 3 ? "a" : "b")),
  );
  expect(colorColumn([named, right, many], null)).toBe(many);
  expect(colorColumn([many, few], null)).toBe(few);
  expect(colorColumn([named], null)).toBeNull();
});

test("truth values name no point, and color only where nothing else does", () => {
  const right = texts("right", ["True", "False", "True", "True", "False", "True"]);
  const digit = numbers("digit", [1, 2, 1, 2, 1, 2]);
  expect(labelColumn([right, digit], null)).toBe(digit);
  expect(labelColumn([right], null)).toBeNull();
  expect(colorColumn([right, digit], null)).toBe(digit);
  expect(colorColumn([right], null)).toBe(right);
});

test("clusters are named by the colors, or by the labels where numbers or nothing color", () => {
  const loss = numbers(
    "loss",
    Array.from({ length: 90 }, (_, i) => i / 7),
  );
  const word = texts(
    "word",
    Array.from({ length: 90 }, (_, i) => `w${i % 30}`),
  );
  const half = texts(
    "half",
    Array.from({ length: 90 }, (_, i) => (i % 2 ? "a" : "b")),
  );
  const own = texts(
    "own",
    Array.from({ length: 90 }, (_, i) => `n${i}`),
  );
  expect(clusterColumn(half, word)).toBe(half);
  expect(clusterColumn(loss, word)).toBe(word);
  expect(clusterColumn(null, word)).toBe(word);
  expect(clusterColumn(null, own)).toBeNull();
});

test("points of a category have its color, others gray, and a scale has its ends", () => {
  const colors = pointColors(groupsOf(texts("c", ["a", "b", "a", ""])), 4, "light", "#000000");
  expect(colors[0]).toBe(colors[2]);
  expect(new Set(colors).size).toBe(3);
  expect([...pointColors(null, 2, "light", "#010203")]).toEqual([0xff030201 | 0, 0xff030201 | 0]);
});

const kind = texts("kind", ["a", "a", "b", "b", "b"]);
const size = numbers("size", [...Array.from({ length: 5 }, (_, i) => i)]);

test("a filter of a column leaves its own bars whole, and the bars of others to what passes", () => {
  const filters = new Map<string, Filter>([["kind", { texts: new Set(["a"]) }]]);
  expect([...(passing([kind, size], filters, 5) ?? [])]).toEqual([1, 1, 0, 0, 0]);
  const [ofKind, ofSize] = crossFiltered([kind, size], filters, 5, null);
  expect(ofKind).toMatchObject({ counts: [2, 3], totals: [2, 3] });
  expect(ofSize).toMatchObject({ counts: [1, 1, 0, 0, 0], totals: [1, 1, 1, 1, 1] });
});

test("filters of two columns hold together, and only among the points that are left", () => {
  const filters = new Map<string, Filter>([
    ["kind", { texts: new Set(["b"]) }],
    ["size", { range: [3, 4] }],
  ]);
  expect([...(passing([kind, size], filters, 5) ?? [])]).toEqual([0, 0, 0, 1, 1]);
  const [ofKind] = crossFiltered([kind, size], filters, 5, Uint8Array.of(1, 1, 1, 1, 0));
  expect(ofKind).toMatchObject({ counts: [0, 1], totals: [2, 2] });
  expect(passing([kind], new Map(), 5)).toBeNull();
});

test("bars of a selection count its points among those that pass the other filters", () => {
  const filters = new Map<string, Filter>([["size", { range: [1, 4] }]]);
  const [ofKind] = crossFiltered([kind, size], filters, 5, null);
  expect(barsOfSelection(ofKind as Bars, [1, 3, 4])).toMatchObject({ counts: [1, 2], totals: [1, 3] });
});

test("bars of numbers go from the least to the greatest, both included", () => {
  expect(rangeOfBars({ least: 0, most: 24 }, 0, 23)).toEqual([0, 24]);
  expect(rangeOfBars({ least: 0, most: 24 }, 2, 3)).toEqual([2, 4]);
});

test("the points that pass a range are exactly those of its bars", () => {
  // 0.1 · 3 is no float's multiple; a number at the end of a bar belongs to the next bar.
  const tenths = numbers(
    "tenths",
    Array.from({ length: 25 }, (_, i) => i * 0.1),
  );
  const groups = groupsOf(tenths);
  if (groups.sort !== "numbers") {
    throw new Error();
  }
  const all = crossFiltered([tenths], new Map(), 25, null)[0]?.totals ?? [];
  for (let from = 0; from < 24; from += 1) {
    for (let to = from; to < 24; to += 1) {
      const passed = passing([tenths], new Map([["tenths", { range: rangeOfBars(groups, from, to) }]]), 25) ?? [];
      expect([...passed].filter((one) => one === 1)).toHaveLength(
        all.slice(from, to + 1).reduce((sum, one) => sum + one, 0),
      );
    }
  }
});

test("a filter of values does not hold where the column is a scale, nor one of a range where it has values", () => {
  const scale = numbers(
    "size",
    Array.from({ length: 30 }, (_, i) => i),
  );
  const ofValues = new Map<string, Filter>([["size", { texts: new Set(["3"]) }]]);
  expect(passing([scale], ofValues, 30)).toEqual(new Uint8Array(30).fill(1));
  expect(crossFiltered([scale, kind], ofValues, 5, null)[1]).toMatchObject({ counts: [2, 3] });
  expect(passing([kind], new Map([["kind", { range: [40, 50] }]]), 5)).toEqual(new Uint8Array(5).fill(1));
});

test("only the bars of the columns that are shown are computed, with the filters of all", () => {
  const filters = new Map<string, Filter>([["kind", { texts: new Set(["a"]) }]]);
  expect(crossFiltered([kind, size], filters, 5, null, [size])).toMatchObject([{ counts: [1, 1, 0, 0, 0] }]);
});

const never = { match: () => Promise.reject(new Error("not asked")) };

test("a search finds texts and numbers by a regular expression, in one column or all", async () => {
  const find = (text: string, columns: readonly Column[]) => search(text, columns, 5, never, () => true);
  expect(await find("^A$", [kind, size])).toMatchObject({ count: 2, isPlain: false });
  expect(await find("[34]", [kind, size])).toMatchObject({ count: 2 });
  expect(await find("[34]", [kind])).toMatchObject({ count: 0 });
});

test("an invalid expression, or one that takes too long, is searched for as text", async () => {
  const brackets = texts("t", ["a(b", "ab"]);
  expect(await search("a(", [brackets], 2, never, () => true)).toMatchObject({ count: 1, isPlain: true });
  const slow = { match: () => Promise.resolve("ended" as const) };
  expect(await search("(a+)+b", [brackets], 2, slow, () => true)).toMatchObject({ count: 0, isPlain: true });
});

test("a selection holds for cards with the same rows; one that Python sets, for all", () => {
  const [here, there] = [rowsOf({ count: 5, columns: [kind] }), rowsOf({ count: 5, columns: [size] })];
  const picked = { rows: there, points: [1, 2] };
  expect(selectedIn(here, [1, 2], picked, [4])).toEqual([4]);
  expect(selectedIn(there, [1, 2], picked, [1, 2])).toEqual([1, 2]);
  expect(selectedIn(here, [3], picked, [4])).toEqual([3]);
  expect(selectedIn(here, [3], null, [])).toEqual([3]);
});

test("custom axes begin between the largest classes, each matched alone", async () => {
  const classes = texts("class", ["a.b", "a.b", "a.b", "axb", "axb", "c"]);
  expect(axesOf([], classes, 2)).toEqual([
    { from: "^a\\.b$", to: "^axb$" },
    { from: "^a\\.b$", to: "^c$" },
  ]);
  expect(await search("^a\\.b$", [classes], 6, never, () => true)).toMatchObject({ count: 3 });
  expect(axesOf([], null, 2)).toEqual([]);
  expect(axesOf([{ from: "a", to: "c" }], classes, 2)).toEqual([{ from: "a", to: "c" }]);
  expect(axesOf([], texts("same", ["a", "a"]), 2)).toEqual([]);
});

test("an empty cell of numbers is not found, and a search that takes long ends where it is not wanted", async () => {
  const some = numbers("some", [1, Number.NaN, 1]);
  const found = await search("nan|1", [some], 3, never, () => true);
  expect([...(found?.mask ?? [])]).toEqual([1, 0, 1]);
  const many = Array.from({ length: 40 }, (_, column) =>
    numbers(
      `c${column}`,
      Array.from({ length: 20_000 }, (_, i) => i / 7),
    ),
  );
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  });
  expect(await search("5", many, 20_000, never, () => turns < 2)).toBeNull();
  clearInterval(timer);
});

test("the legend counts the points that are drawn", () => {
  expect([...shownCounts(groupsOf(kind), Uint8Array.of(2, 0, 1, 3, 0))].slice(0, 2)).toEqual([1, 2]);
});
