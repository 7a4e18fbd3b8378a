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

const HOSTILE = [
  ...[
    "it's",
    '"',
    `'"\\'"`,
    "\\",
    "\\d+[^/]*(?<x>a)$",
    "new\nline",
    "a\rb\tc\x7f",
    "\u2028\u2029\ufeff",
    "\u202e\u2066",
  ],
  ...["'); import os #", "한국어", "\0", "{}", "{x}%s", "🙂\udcff", "\ud83d", "</script>", "nan", "None", "", " "],
  "__proto__",
];

/** By each of the names. `JSON.parse` makes a name even of "__proto__". */
const byName = (value: unknown, before = "") =>
  JSON.parse(`{${HOSTILE.map((name) => `${JSON.stringify(before + name)}: ${JSON.stringify(value)}`).join()}}`);

const prefixed = (...prefixes: readonly string[]) => prefixes.flatMap((prefix) => HOSTILE.map((name) => prefix + name));

const ofNames = [
  "archived_runs",
  "graph_devices",
  "graph_expanded",
  "graph_extract",
  "graph_grouped",
  "graph_hidden_ops",
];
const ofMoreNames = ["graph_keep", "graph_ungrouped", "log_counts", "log_y", "outliers_y", "pinned", "symlog_y"];
const ofText = [
  "baseline",
  "graph_isolated",
  "graph_name",
  "graph_run",
  "graph_selected",
  "graph_step",
  "headline_tag",
];
const ofMoreText = ["projector_color", "projector_label", "text_search", "x_tag"];

/** Values in addition to the fixture's: names, large steps and nested values. */
const MORE: Readonly<Record<string, readonly unknown[]>> = {
  ...Object.fromEntries([...ofNames, ...ofMoreNames, "selected_runs"].map((name) => [name, [[], HOSTILE]])),
  ...Object.fromEntries([...ofText, ...ofMoreText].map((name) => [name, HOSTILE])),
  run_filter: ["a|b", "lr=\\d+'\"", "(?<=a)\\p{2}[\\]'\"\n]", "한국어|🙂"],
  tag_filter: ["^loss/", "^(?!.*</script>)'\"\\\\"],
  run_colors: [byName("#1f77b4")],
  run_names: [Object.fromEntries(HOSTILE.map((name) => [name, `<b>${name}`]))],
  run_notes: [byName("two\nlines 'of' \"notes\" 🙂")],
  alert_rules: [
    { non_finite: false, diverged: null, diverged_noise: 5e-324, plateau_steps: 2 ** 53, stalled_seconds: 1e300 },
  ],
  linked_step: [0, -1, 2 ** 53 - 1, "9007199254740993", "-9223372036854775808"],
  step_range: [
    [0, 100],
    ["-9223372036854775808", "9223372036854775807"],
  ],
  named_ranges: [
    [],
    [
      ["it's \"\\ </script>", -1, 0],
      ["한국어 🙂", "9007199254740993", "9007199254740993"],
      ["nan", "-9223372036854775808", 2 ** 53 - 1],
    ],
  ],
  run_columns: [prefixed("last:", "min:", "hparam:").filter((name) => !name.endsWith(":"))],
  run_sort: ["name", "-last:it's \"\\\n"],
  run_color_by: ["group", "hparam:lr", "hparam:it's \"\\"],
  y_ranges: [{ "loss/train": [0, 0.5], "it's": [null, 1e-7] }, byName([-1e300, 5e-324]), byName([0.1, null])],
  graph_step: ["step100"],
  projector_axes: [[{ from: "^it's \"\\\\</script>$", to: "" }]],
  hparams_columns: [prefixed("hparam:", "metric:")],
  hparams_sort: [prefixed("hparam:", "-metric:")],
  hparams_flipped: [prefixed("metric:")],
  hparams_scales: [byName("log", "hparam:")],
  hparams_plots: [[]],
  hparams_filters: [
    byName({ values: ["", "it's", "\\", null, true, false, 0, -0.5, 1e21, 2 ** 60, 5e-324] }, "hparam:"),
    byName({ min: -1e300, max: 1e-7 }, "metric:"),
    { run: { pattern: "lr=\\d+'\"\n" }, group: { values: [] } },
  ],
  hparams_goal: prefixed("metric:"),
  hparams_at: prefixed("metric:"),
  group_by: ["folder", "regex:lr=([^,]*)", "regex:'\"\\\\(?<x>a)</script>", "hparam:it's"],
  card_layout: [
    { version: 1, sections: [] },
    {
      version: 1,
      sections: HOSTILE.map((name, i) => ({
        name,
        open: i % 2 === 0,
        prefix: name,
        cards: [
          { tags: HOSTILE, title: name, width: 2, height: 12, joined: true },
          { pattern: "it's \"\\\\</script>|\n" },
          { tags: ["x"], apart: true },
        ],
      })),
    },
  ],
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

test("the panel that is open is in the code", () => {
  const { options, end } = opened({ panel: "hparams" });
  expect([...options.differing()]).toEqual([["panel", "hparams"]]);
  end();
});

test("an expression that is none is left out, for Python would refuse it", () => {
  const { options, end } = opened({
    group_by: "regex:(",
    projector_axes: [{ from: "a", to: "[" }],
    hparams_filters: { run: { pattern: "(" }, group: { pattern: "a" }, "hparam:lr": { min: 0 } },
  });
  expect(pythonCode("show", [["", "/logs"]], options.differing())).toContain(
    "tbwidget.show('/logs', hparams_filters={'group': {'pattern': 'a'}, 'hparam:lr': {'min': 0}})",
  );
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
  const written: object[] = values.map((value) => ({ value, code: pythonValue(value) }));
  // JSON has none of these.
  const numbers = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 2n ** 53n + 1n, -(2n ** 63n)];
  for (const number of numbers) {
    const text = Object.is(number, -0) ? "-0" : String(number);
    written.push({
      [typeof number === "bigint" ? "int" : "float"]: text,
      code: pythonValue([new Map([["x", number]])]),
    });
  }
  await expect(linesOf(written)).toMatchFileSnapshot("../fixtures/python_values.jsonl");
});

test.each([
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
