// The tables of options equal the traits in Python: names, defaults, `remembered`, and limits.

import { expect, test } from "vitest";
import { cardOptions } from "../../src/options/cards";
import type { OptionSpec, OptionTable } from "../../src/options/declare";
import { runTableOptions } from "../../src/options/runtable";
import { boardOptions } from "../../src/options/shared";
import { panels } from "../../src/panels/registry";
import twins from "../fixtures/options.json";

interface Twin {
  readonly default: unknown;
  readonly remembered: boolean;
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

const tables = new Set<OptionTable>([
  boardOptions,
  runTableOptions,
  cardOptions,
  ...panels.flatMap((panel) => panel.options),
]);
const specs = new Map<string, OptionSpec<unknown>>([...tables].flatMap((table) => Object.entries(table)));
/** Options with their own rules, for names that may appear and expressions that may be wrong: see options.ts. */
const APART = ["run_filter", "selected_runs", "tag_filter"];

function serialized(spec: OptionSpec<unknown>, value: unknown): unknown {
  return spec.serialize ? spec.serialize(value) : value;
}

test("both halves have the same options", () => {
  const how = "an option of one half has its twin in the other; after a change in Python: make generated";
  expect([...specs.keys(), ...APART].sort(), how).toEqual(Object.keys(twins).sort());
});

test.each([...specs.keys()].filter((name) => name in twins).sort())("%s is the same in both halves", (name) => {
  const spec = specs.get(name) as OptionSpec<unknown>;
  const twin = (twins as Record<string, Twin>)[name] as Twin;
  expect(serialized(spec, spec.initial)).toEqual(twin.default);
  expect(spec.remembered).toBe(twin.remembered);
  for (const value of twin.accepted) {
    const parsed = spec.parse(value);
    expect(parsed, JSON.stringify(value)).not.toBeUndefined();
    expect(serialized(spec, parsed)).toEqual(value);
  }
  for (const value of twin.refused) {
    expect(spec.parse(value), JSON.stringify(value)).toBeUndefined();
  }
});
