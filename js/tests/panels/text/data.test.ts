import { expect, test } from "vitest";
import { type Data, dataOf, differencesOf, flatData } from "../../../src/panels/text/data";
import yamlTexts from "../../fixtures/yaml_texts.json";

/** Data as [key, value] pairs. */
function pairs(data: Data): unknown {
  return typeof data === "string" ? data : data.entries.map(([key, value]) => [key, pairs(value)]);
}

const read = (text: string) => {
  const found = dataOf(text);
  return found?.root ? pairs(found.root) : found;
};

/** The scalars, and the keys that occur in the text. */
function words(data: Data): string[] {
  return typeof data === "string"
    ? [data]
    : data.entries.flatMap(([key, value]) => [...(data.isList ? [] : [key]), ...words(value)]);
}

test("numbers stay as they are written", () => {
  expect(read('{"n": 12345678901234567890, "lr": 1e-4, "a": 1, "a": 1.0, "s": "\\n", "x": NaN}')).toEqual([
    ["n", "12345678901234567890"],
    ["lr", "1e-4"],
    ["a", "1"],
    ["a", "1.0"],
    ["s", '"\\n"'],
    ["x", "NaN"],
  ]);
});

test("names of JavaScript's prototypes are keys like others", () => {
  expect(read('{"__proto__": {"constructor": 1}, "toString": null}')).toEqual([
    ["__proto__", [["constructor", "1"]]],
    ["toString", "null"],
  ]);
});

test("lines with a colon are data, and so are mappings and lists by indentation", () => {
  expect(read("lr: 1e-3\noptimizer:\n  name: adam\n  betas:\n  - 0.9\n  - 0.999\nempty:\nflow: [1, 2]")).toEqual([
    ["lr", "1e-3"],
    [
      "optimizer",
      [
        ["name", "adam"],
        [
          "betas",
          [
            ["0", "0.9"],
            ["1", "0.999"],
          ],
        ],
      ],
    ],
    ["empty", ""],
    [
      "flow",
      [
        ["0", "1"],
        ["1", "2"],
      ],
    ],
  ]);
  expect(read("layers:\n- type: conv\n  size: 3\n- type: pool\nnext: 1")).toEqual([
    [
      "layers",
      [
        [
          "0",
          [
            ["type", "conv"],
            ["size", "3"],
          ],
        ],
        ["1", [["type", "pool"]]],
      ],
    ],
    ["next", "1"],
  ]);
});

test.each([
  ["a fence", '```json\n{"a": 1}\n```\n'],
  ["an indented block", '\n    {\n      "a": 1\n    }\n'],
  ["tabs", '\t{\n\t"a": 1}'],
  ["a fence of YAML", "```yaml\na: 1\n```"],
  ["Windows' line breaks", '{\r\n"a": 1\r\n}\r\n'],
  ["a byte order mark", '\ufeff{"a": 1}'],
])("%s around data is no part of them", (_, text) => {
  expect(read(text)).toEqual([["a", "1"]]);
});

test("a Markdown table of two columns is data", () => {
  expect(dataOf("|param|value|\n|-|-|\n|lr|1e-3|\n|seed|1|")?.isTable).toBe(true);
  expect(read("|param|value|\n|-|-|\n|lr|1e-3|\n|env|`a` b|")).toEqual([
    ["lr", "1e-3"],
    ["env", "`a` b"],
  ]);
  expect(read("|a|b|c|\n|-|-|-|\n|1|2|3|")).toBeNull();
});

test.each([
  ["prose", "The loss fell.\nIt rose: a little."],
  ["one line with a colon", "Note: the loss fell"],
  ["a list of Markdown", "- one\n- two"],
  ["a heading above prose", "# Title\nNote: it fell.\nThen it rose."],
  ["a heading above a list", "# Title\n- a: 1\n- b: 2"],
  ["a key above a list", "Notes:\n- one\n- two"],
  ["a scalar", "12"],
  ["half of JSON", '{"a": 1'],
  ["JSON and more", '{"a": 1} and more'],
  ["a comma too many", "[1,]"],
  ["a link", "see\nhttps://example.org"],
  ["nothing", ""],
  ["strong words", "lr: **0.1**\nopt: adam"],
  ["emphasis", "lr: *0.1*\nopt: adam"],
  ["code", "lr: `0.1`\nopt: adam"],
  ["a link behind a key", "see: [this](https://example.org)\nopt: adam"],
  ["a fence of what is not understood", "```yaml\na: !x 1\nb: *y\n```"],
  ["a list of Markdown with keys", "- loss: 0.1\n- accuracy: 0.9"],
  ["JSON in prose", 'Here it is:\n```json\n{"a": 1}\n```'],
])("%s is not data", (_, text) => {
  expect(read(text)).toBeNull();
});

const texts: Record<string, { text: string; tree: unknown }> = yamlTexts;

/** A tree as the fixture has it. */
function treeOf(data: Data): unknown {
  return typeof data === "string"
    ? data
    : data.isList
      ? data.entries.map(([, value]) => treeOf(value))
      : { pairs: data.entries.map(([key, value]) => [key, treeOf(value)]) };
}

test.each(Object.keys(texts))("YAML with %s is a tree as PyYAML reads it, or shown as logged", (name) => {
  const { text, tree } = texts[name] as (typeof texts)[string];
  const found = dataOf(text);
  expect(found?.root ? treeOf(found.root) : found).toEqual(tree ?? { root: null, isTable: false });
});

test("a tag makes a text of a number, and a merge is an entry", () => {
  expect(read("a: !!str 1\nb: &b {c: 2}\nd:\n  <<: *b\n  e: 3")).toEqual([
    ["a", '"1"'],
    ["b", [["c", "2"]]],
    [
      "d",
      [
        ["<<", [["c", "2"]]],
        ["e", "3"],
      ],
    ],
  ]);
});

test("escapes of JSON are the characters that they stand for, where these can be seen", () => {
  expect(
    read('{"\\ud55c": "\\u00e9\\ud83d\\ude00\\n", "a": "\\\\u00e9\\u202e\\u0022\\u005c\\ud83d", "b": "\\u0041"}'),
  ).toEqual([
    ["\ud55c", '"\u00e9\ud83d\ude00\\n"'],
    ["a", '"\\\\u00e9\\u202e\\u0022\\u005c\\ud83d"'],
    ["b", '"A"'],
  ]);
});

test("block scalars keep their lines, without what indents all of them", () => {
  expect(
    read("a: |  # two\n  one\n    two  \n\n  three # no comment\n\nb: >2-\n    x\n  y\nc: |\nd: |\n  # text\n"),
  ).toEqual([
    ["a", "one\n  two  \n\nthree # no comment"],
    ["b", "  x\ny"],
    ["c", ""],
    ["d", "# text"],
  ]);
});

test.each([
  ["JSON with a comma too many", '{\n"a": 1,\n}'],
  ["JSON with comments", '{\n"a": 1 // one\n}'],
  ["Python's spelling of a dict", "{'lr': 0.1,\n 'opt': None}"],
  ["Python's spelling of a list", "[{'lr': 0.1},\n {'lr': 0.2}]"],
  ["lines with an alias of nothing", "a: 1\nb: *x\n"],
  ["one key above what is not understood", "model:\n  lr: !x 0.1\n  depth: 50"],
])("%s looks like data: it is shown as logged", (_, text) => {
  expect(dataOf(text)).toEqual({ root: null, isTable: false });
});

test.each([
  ["deep JSON", "[".repeat(10_000)],
  ["deep objects", '{"a":'.repeat(10_000)],
  ["deep lines", `a: 1\n${Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}b:`).join("\n")}`],
  ["a deep line", `a: 1\nb:\n  ${"- ".repeat(300)}x`],
  [
    "a long key above many entries",
    `{"${"x".repeat(40_000)}": ${JSON.stringify(Array.from({ length: 1_900 }, (_, i) => i))}}`,
  ],
  [
    "aliases that grow",
    `a: &a [x, x]\n${[..."abcdefgh"].map((c, i) => `${"bcdefghi"[i]}: &${"bcdefghi"[i]} [*${c}, *${c}]`).join("\n")}`,
  ],
  ["aliases of a long text", `a: &a ${"x".repeat(50_000)}\nb: [${"*a , ".repeat(100)}]`],
  ["an alias of what it is in", "a: &a\n  b: *a\n  c: 1"],
  ["very many entries", JSON.stringify(Array.from({ length: 5_000 }, (_, i) => i))],
])("%s is beyond the limits", (_, text) => {
  expect(dataOf(text)).toEqual({ root: null, isTable: false });
});

test.each([
  ["quotes", `{"${"\\".repeat(49_990)}`],
  ["a quote in lines", `a: "${"\\a".repeat(40_000)}`],
  ["spaces", " ".repeat(99_999)],
  ["fences", "```\n".repeat(24_000)],
  ["pairs", "a: [\n".repeat(20_000)],
  ["dashes", "- ".repeat(50_000)],
  ["lines of spaces", " \n".repeat(50_000)],
  ["bars", `a|b\n-|-\n${"|".repeat(90_000)}`],
  ["10 MB", `{"a": "${"x".repeat(10_000_000)}"}`],
  ["spaces behind a fence", `\`\`\`${" ".repeat(99_990)}x`],
  ["spaces behind a fence's language", `\`\`\`json${" ".repeat(99_990)}x`],
  ["long fences", `${"`".repeat(50_000)}\n${"`".repeat(49_990)}`],
  ["spaces behind a table's rule", `a|b\n-|-${" ".repeat(99_980)}x\n1|2`],
  ["spaces behind a rule's bar", `a|b\n-|-|${" ".repeat(99_980)}x\n1|2`],
  ["dashes of a rule", `a|b\n${"-".repeat(99_980)}x\n1|2`],
  ["single quotes", `a: '${"''".repeat(49_980)}x\nb: 1`],
  ["quotes in brackets", `a: [${"'x' # ".repeat(16_000)}\nb: 1`],
  ["comments", `a: 1 ${"# ".repeat(49_980)}\nb: *x`],
  ["blocks", `a: &x\n${"b: |\n".repeat(19_900)}`],
  ["lines of a block", `a: |\n${" x\n".repeat(33_000)}b`],
  ["stars", `a: &x\n${"* ".repeat(49_900)}`],
  ["brackets around spaces", `[${" ".repeat(99_980)}x]`],
  ["comments of a document", `${"#\n".repeat(49_900)}a: &x`],
  ["brackets in lines", `a: [${"]".repeat(99_970)}x\nb: 1`],
  // The measure is the test's own duration: a few milliseconds, and many seconds if the time were quadratic.
])("hostile %s are judged without backtracking", { timeout: 5_000 }, (_, text) => {
  expect(dataOf(text)?.root ?? null).toBeNull();
});

test.each([
  ["spaces in front of a line separator", `a:${" ".repeat(99_980)}\u2028x\nb: 1`],
  ["tabs in front of a line separator", `a:${"\t".repeat(99_980)}\u2029x\nb: 1`],
  ["dashes in front of a line separator", `\`\`\`yaml\n-${" ".repeat(99_970)}\u2028x\n\`\`\``],
  ["line separators", `a: ${"\u2028x".repeat(49_980)}\nb: 1`],
  ["empty lines of blocks", `a: |\n${"\n".repeat(50_000)}b: |\n${"\n".repeat(49_000)}c: &x`],
  ["quotes of a block", `a: |\n${" '\"".repeat(24_000)}\nb: 1`],
  ["keys", `${"a: 1\n".repeat(1_900)}`],
])("%s are read without backtracking", { timeout: 5_000 }, (_, text) => {
  expect(dataOf(text)?.root).toBeTruthy();
});

/** A reproducible source of integers below a bound. */
function randomIntegers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const SCALARS = ["1", "1e-4", "12345678901234567890", "-0.0", "true", "null", '"a, b"', '"\\""', '"[}"', "1.50", '""'];
const KEYS = ["a", "lr", "__proto__", "a.b", "x y", "<b>", "\u202e"];

test("the tree has the keys and scalars as written, in their order", () => {
  const below = randomIntegers(7);
  for (let round = 0; round < 300; round += 1) {
    const written: string[] = [];
    const pad = () => ["", " ", "\n", "\t "][below(4)];
    const make = (depth: number): string => {
      const scalar = depth > 0 && below(3) > 0;
      if (scalar || depth > 5) {
        const text = SCALARS[below(SCALARS.length)] as string;
        written.push(text);
        return text;
      }
      const isList = below(2) === 0;
      const parts = Array.from({ length: below(5) }, () => {
        const key = KEYS[below(KEYS.length)] as string;
        if (!isList) {
          written.push(key);
        }
        return `${isList ? "" : `"${key}"${pad()}:${pad()}`}${make(depth + 1)}${pad()}`;
      });
      return isList ? `[${pad()}${parts.join(`,${pad()}`)}]` : `{${pad()}${parts.join(`,${pad()}`)}}`;
    };
    const text = make(0);
    JSON.parse(text);
    const root = dataOf(text)?.root;
    expect(root, text).toBeTruthy();
    expect(words(root as Data)).toEqual(written);
  }
});

test("entries are equal where they are written alike, and lacking ones are said to be", () => {
  const flat = (text: string) => flatData(dataOf(text)?.root as never);
  const rows = differencesOf(
    [flat('{"lr": 1e-4, "seed": 1, "o": {"b": [1, 2]}, "e": []}'), flat('{"seed": 1, "lr": 0.0001, "o": {"b": [1]}}')],
    100,
  );
  expect(rows.map(({ path, values, differs }) => [path, values, differs])).toEqual([
    ["lr", ["1e-4", "0.0001"], true],
    ["seed", ["1", "1"], false],
    ["o.b[0]", ["1", "1"], false],
    ["o.b[1]", ["2", null], true],
    ["e", ["[]", null], true],
  ]);
});

test("equal keys, and keys with the signs of paths, are entries of their own", () => {
  const flat = flatData(dataOf('{"a": 1, "a": 2, "a.b": 3, "b": {"c": 4}, "b.c": 5, "[0]": 6}')?.root as never);
  expect([...flat.values()].map(({ path, value }) => `${path}=${value}`)).toEqual([
    "a=1",
    "a (2)=2",
    "a.b=3",
    "b.c=4",
    "b.c=5",
    "[0]=6",
  ]);
});

test("entries beyond the bound are left out", () => {
  const flat = flatData(dataOf("a: 1\nb: 2\nc: 3")?.root as never);
  expect(differencesOf([flat, flat], 2).map(({ path }) => path)).toEqual(["a", "b"]);
});
