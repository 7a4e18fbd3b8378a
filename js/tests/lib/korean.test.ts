// The Korean tables, compared with the English ones.

import { expect, test } from "vitest";
import "../../src/korean";
import type { Table, Texts } from "../../src/lib/texts";
import { reasonTemplates } from "../../src/wire/reasons";
import reasons from "../fixtures/reasons.json";
import { differences, unchanged } from "./tables";

const modules = import.meta.glob(["../../src/**/texts.ts", "../../src/**/commontexts.ts", "!../../src/jupyterlab/**"], {
  eager: true,
});

function isTexts(value: unknown): value is Texts<Table> {
  return typeof value === "function" && "tables" in value;
}

const tables = Object.values(modules).flatMap((module) =>
  Object.entries(module).filter((entry): entry is [string, Texts<Table>] => isTexts(entry[1])),
);

/** Names, abbreviations and code, which are the same in both languages. */
const SAME = new Set([
  "cardTexts.addPlaceholder",
  "commandTexts.keys.Escape",
  ...["bytes.1", "bytes.2", "bytes.3", "bytes.4", "units.millisecond", "units.hertz", "units.kilohertz"].map(
    (unit) => `commonTexts.${unit}`,
  ),
  ...["symlog", "smoothingKinds.ema"].map((name) => `lineTexts.${name}`),
  ...["scales.symlog"].map((name) => `lineTexts.${name}`),
  ...["draws.pr", "draws.roc", "isoF1", "averagePrecision", "auc"].map((name) => `prCurveTexts.${name}`),
  ...["tp", "fp", "tn", "fn"].map((name) => `prCurveTexts.counts.${name}`),
  ...["methods.pca", "methods.umap", "methods.tsne", "perplexity", "libraries.umap", "libraries.tsne"].map(
    (name) => `projectorTexts.${name}`,
  ),
  ...["component", "tsneNote"].map((name) => `projectorTexts.${name}`),
  "textPanelTexts.textForms.markdown",
  ...["logsHint", "readers.tensors", "readers.custom_scalars", "readers.run_metadata"].map(
    (name) => `uiTexts.undrawn.${name}`,
  ),
]);

/** In English, these show the name of an option's value, "mean" or "median", unchanged. */
const NAMED = new Set(
  ["aggregateOf", "notAggregated", "notAggregatedHint", "groupsNamed", "aggregateAt"].map(
    (name) => `compareTexts.${name}`,
  ),
);

test("every table has a Korean one, with the same texts and arguments", () => {
  expect(tables.length).toBeGreaterThan(25);
  const different = tables.flatMap(([name, { tables: byLanguage }]) =>
    differences(byLanguage.get("en"), byLanguage.get("ko"), name),
  );
  expect(new Set(different)).toEqual(NAMED);
});

test("no text is left in English", () => {
  const left = tables.flatMap(([name, { tables: byLanguage }]) =>
    unchanged(byLanguage.get("en"), byLanguage.get("ko"), name),
  );
  expect(new Set(left)).toEqual(SAME);
});

/** The arguments that a template names; a count is represented by its name alone. */
function argumentsOf(template: string): string[] {
  return [...template.matchAll(/\{(\w+)/g)].map(([, name]) => name ?? "").sort();
}

test("every reason has a Korean template, with the same arguments", () => {
  const korean = reasonTemplates.get("ko") ?? {};
  const codes = Object.keys(korean).filter((name) => !name.includes(":"));
  expect(codes).toEqual(Object.keys(reasons));
  for (const [code, english] of Object.entries(reasons)) {
    expect([code, argumentsOf(korean[code] ?? "")]).toEqual([code, argumentsOf(english)]);
  }
  const same = Object.entries(reasons).filter(
    ([code, english]) => korean[code] === english && /[a-z]{2}/.test(english.replace(/\{.*?\}/g, "")),
  );
  expect(same).toEqual([]);
});
