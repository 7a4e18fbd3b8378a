import { expect, test } from "vitest";
import { columnsToAdd, MAX_ADDED_COLUMNS } from "../../src/dashboard/undrawn";
import type { Attribute } from "../../src/wire/runfacts";

function attributes(names: readonly string[], ...runs: Readonly<Record<string, Attribute>>[]) {
  const byRun = new Map(runs.map((values, i) => [`run${i}`, new Map(Object.entries(values))] as const));
  return { names, byRun };
}

test("hyperparameters that differ between runs are the first columns", () => {
  const names = ["seed", "optimizer", "rate"];
  expect(columnsToAdd(attributes(names, { seed: 1, optimizer: "sgd", rate: 1 }))).toEqual(names);
  const runs = [
    { seed: 1, optimizer: "sgd", rate: 1 },
    { seed: 1, optimizer: "sgd", rate: 2 },
  ];
  expect(columnsToAdd(attributes(names, ...runs))).toEqual(["rate", "seed", "optimizer"]);
  // One that only some runs have differs, too.
  expect(columnsToAdd(attributes(names, { seed: 1, rate: 1 }, { seed: 1, rate: 1, optimizer: "sgd" }))[0]).toBe(
    "optimizer",
  );
});

test("one click adds a few columns, however many hyperparameters there are", () => {
  const names = Array.from({ length: 1000 }, (_, i) => `parameter ${i}`);
  expect(columnsToAdd(attributes(names))).toEqual(names.slice(0, MAX_ADDED_COLUMNS));
});
