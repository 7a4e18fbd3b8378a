import { expect, test } from "vitest";
import { ALL, fromNames, namesOf, type Selection, toggled } from "../../src/options/selection";

const RUNS = ["a", "b", "c"];

function shown({ names, only }: Selection, runs: readonly string[] = RUNS): string[] {
  return runs.filter((run) => names.has(run) === only);
}

test("hiding one run lets those that come later be seen", () => {
  const selection = toggled(ALL, ["b"], false, RUNS);
  expect(shown(selection, [...RUNS, "new"])).toEqual(["a", "c", "new"]);
  expect(namesOf(selection, [...RUNS, "new"])).toEqual(["a", "c", "new"]);
});

test("choosing one run keeps the others out, later ones too", () => {
  const only: Selection = { names: new Set(["a"]), only: true };
  expect(shown(toggled(only, ["c"], true, RUNS), [...RUNS, "new"])).toEqual(["a", "c"]);
});

test("with none left, the next choice is the only one; with all chosen, later runs are chosen too", () => {
  const none = toggled(ALL, RUNS, false, RUNS);
  expect(namesOf(none, RUNS)).toEqual([]);
  expect(shown(toggled(none, ["b"], true, RUNS), [...RUNS, "new"])).toEqual(["b"]);
  expect(toggled(none, RUNS, true, RUNS)).toBe(ALL);
  expect(namesOf(ALL, RUNS)).toBeNull();
});

test("names from Python are the only ones", () => {
  expect(shown(fromNames(["c"]), [...RUNS, "new"])).toEqual(["c"]);
  expect(fromNames(null)).toBe(ALL);
});
