// The code that shows a view again. tests/unit/test_copied_code.py has Python run what is stored here.

import { expect, test } from "vitest";
import { pythonValue } from "../../src/lib/pythonliteral";
import { cardOptions } from "../../src/options/cards";
import type { OptionTable } from "../../src/options/declare";
import { Options } from "../../src/options/options";
import { pythonCode } from "../../src/options/pythoncode";
import { runTableOptions } from "../../src/options/runtable";
import { boardOptions } from "../../src/options/shared";
import { panels } from "../../src/panels/registry";
import { Store } from "../../src/wire/store";
import twins from "../fixtures/options.json";
import { CODECS } from "../wire/made";
import { FakeModel } from "./fakemodel";

const TABLES = new Set<OptionTable>(panels.flatMap((panel) => panel.options));

const HOSTILE = ["it's", '"', "\\", "new\nline", "\u202e\u2066", "'); import os #", "한국어", "\0", "{}", "🙂\udcff"];

/** Besides those of the fixture: names, large steps and nested values. */
const MORE: Readonly<Record<string, readonly unknown[]>> = {
  baseline: HOSTILE,
  run_filter: ["a|b", "lr=\\d+'\""],
  tag_filter: ["^loss/"],
  selected_runs: [[], HOSTILE],
  pinned: [HOSTILE],
  log_y: [["loss/train", "it's"]],
  archived_runs: [HOSTILE],
  run_colors: [{ "it's": "#1f77b4", __proto__x: "#000000" }],
  run_names: [Object.fromEntries(HOSTILE.map((name) => [name, `<b>${name}`]))],
  run_notes: [{ "a/b": "two\nlines" }],
  linked_step: [0, -1, 2 ** 53 - 1, "9007199254740993", "-9223372036854775808"],
  step_range: [
    [0, 100],
    ["-9223372036854775808", "9223372036854775807"],
  ],
  run_sort: ["-last:loss"],
  run_color_by: ["group", "hparam:lr"],
  y_ranges: [{ "loss/train": [0, 0.5], "it's": [null, 1e-7] }],
  ...Object.fromEntries(
    [
      ...["headline_tag", "x_tag", "text_search", "projector_color"],
      ...["projector_label", "graph_run", "graph_name", "graph_isolated", "graph_selected"],
    ].map((name) => [name, ["it's", "a/b\n"]]),
  ),
  graph_step: ["step100"],
  hparams_goal: ["metric:it's"],
  hparams_at: ["metric:a/b"],
  group_by: ["folder", "regex:lr=([^,]*)", "hparam:it's"],
  card_layout: [{ version: 1, sections: [{ name: "it's", cards: [{ tags: ["a", "b\n"], width: 2 }] }] }],
};

function opened(state: Readonly<Record<string, unknown>>) {
  const end = new AbortController();
  const defaults = Object.fromEntries(Object.entries(twins).map(([name, twin]) => [name, twin.default]));
  const model = new FakeModel({ ...defaults, ...state });
  const options = new Options(
    model,
    new Store(CODECS),
    TABLES,
    end.signal,
    undefined,
    undefined,
    panels.map(({ name }) => name),
  );
  return { options, end: () => end.abort() };
}

/** JSON of each on a line. It escapes lone surrogates, so that the file is UTF-8. */
function linesOf(all: readonly unknown[]): string {
  return all.map((one) => `${JSON.stringify(one)}\n`).join("");
}

test("options with their usual values are left out", () => {
  const { options, end } = opened({});
  expect([...options.differing()]).toEqual([]);
  expect(pythonCode("show", [["", "runs"]], options.differing())).toBe("import tbwidget\n\ntbwidget.show('runs')\n");
  end();
});

test("every option with another value is in the code", async () => {
  const all = [boardOptions, runTableOptions, cardOptions, ...TABLES].flatMap((table) => Object.keys(table));
  const written: { name: string; value: unknown; code: string }[] = [];
  for (const name of [...new Set([...all, "selected_runs", "run_filter", "tag_filter"])].sort()) {
    const twin = (twins as Record<string, { default: unknown; accepted: readonly unknown[] }>)[name];
    const values = [...(twin?.accepted ?? []), ...(MORE[name] ?? [])];
    const other = values.filter((value) => JSON.stringify(value) !== JSON.stringify(twin?.default));
    for (const value of other) {
      const { options, end } = opened({ [name]: value });
      const given = options.differing();
      expect([...given.keys()], name).toEqual([name]);
      written.push({ name, value, code: pythonValue(given.get(name)) });
      end();
    }
  }
  const untried = all.filter((name) => name !== "panel" && !written.some((one) => one.name === name));
  expect(untried, "give a value of it in MORE").toEqual([]);
  await expect(linesOf(written)).toMatchFileSnapshot("../fixtures/copied_options.jsonl");
});

test("what a file in the log directory sets is given although it is usual", () => {
  const model = new FakeModel({});
  const end = new AbortController();
  const options = new Options(model, new Store(CODECS), TABLES, end.signal);
  model.file({ ignore_outliers: false });
  expect(options.differing().get("ignore_outliers")).toBe(false);
  options
    .of(panels.flatMap((panel) => panel.options).find((table) => "ignore_outliers" in table) as OptionTable)
    .ignore_outliers?.set(true);
  expect(options.differing().get("ignore_outliers")).toBe(true);
  end.abort();
});

test("values are literals of Python", async () => {
  let seed = 41;
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const character = () =>
    String.fromCodePoint([next(0x80), next(0x300), next(0x10_000), next(0x11_0000)][next(4)] ?? 0);
  const text = () => Array.from({ length: next(12) }, character).join("");
  const any = (depth: number): unknown =>
    [
      text,
      () => next(2) === 0,
      () => null,
      () => next(2_000_000) - 1_000_000,
      () => (next(2_000_000_000) - 1e9) * 10 ** (next(40) - 20),
      () => Array.from({ length: next(4) }, () => any(depth - 1)),
      () => Object.fromEntries(Array.from({ length: next(4) }, () => [text(), any(depth - 1)])),
    ][next(depth > 0 ? 7 : 5)]?.();
  const values = [
    ...HOSTILE,
    0.1,
    1e21,
    1e300,
    5e-324,
    1.7976931348623157e308,
    2 ** 53,
    -0.5,
    ...Array.from({ length: 300 }, () => any(3)),
  ];
  const written = values.map((value) => ({ value, code: pythonValue(value) }));
  await expect(linesOf(written)).toMatchFileSnapshot("../fixtures/python_values.jsonl");
});

test.each([
  [9_007_199_254_740_993n, "9007199254740993"],
  [-(2n ** 63n), "-9223372036854775808"],
  [-0, "-0.0"],
  [Number.NaN, 'float("nan")'],
  [Number.POSITIVE_INFINITY, 'float("inf")'],
  [Number.NEGATIVE_INFINITY, '-float("inf")'],
  [undefined, "None"],
  [new Set(["a"]), "{'a'}"],
  [new Set(), "set()"],
  [new Map([["__proto__", [1, true, null]]]), "{'__proto__': [1, True, None]}"],
])("%s is %s", (value, code) => {
  expect(pythonValue(value)).toBe(code);
});

test("long code has a line for each option", () => {
  const given = new Map<string, unknown>([
    ["smoothing", 0.3],
    ["selected_runs", Array.from({ length: 12 }, (_, i) => `run${i}`)],
  ]);
  expect(pythonCode("ScalarsView", [["", "/logs"]], given)).toBe(
    "import tbwidget\n\ntbwidget.ScalarsView(\n    '/logs',\n    smoothing=0.3,\n    selected_runs=['run0', 'run1', 'run2', " +
      "'run3', 'run4', 'run5', 'run6', 'run7', 'run8', 'run9', 'run10', 'run11'],\n)\n",
  );
});

test.each([
  [[["", "/home/me/it's {a, b: c}"]], `"/home/me/it's {a, b: c}"`],
  [[["", "C:\\runs"]], "'C:\\\\runs'"],
  [[["one", "s3://b/c"]], "{'one': 's3://b/c'}"],
  [
    [
      ["a, b: c", '/x, y: "z"'],
      ["__proto__", "/{d}"],
    ],
    `{'a, b: c': '/x, y: "z"', '__proto__': '/{d}'}`,
  ],
] as const)("the directories %j are %s", (directories, code) => {
  expect(pythonCode("show", directories, new Map())).toBe(`import tbwidget\n\ntbwidget.show(${code})\n`);
});
