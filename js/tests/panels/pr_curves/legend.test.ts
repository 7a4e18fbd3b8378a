import { h } from "preact";
import { expect, test, vi } from "vitest";
import { CurvesLegend } from "../../../src/panels/pr_curves/legend";
import { prCurvesOptions } from "../../../src/panels/pr_curves/options";
import { shortName } from "../../../src/ui/runname";
import { ViewContext } from "../../../src/ui/view";
import { rendered } from "../../ui/rendering";
import { boardOf, CASES } from "./made";

const laterTask = () => new Promise((resolve) => setTimeout(resolve, 20));

test("while the threshold changes, what tells the names of the curves apart is not looked for again", async () => {
  const runs = ["sweep_of_rates_1_seed_0", "sweep_of_rates_2_seed_0"];
  const curves = [CASES[0]?.curve ?? null];
  const board = boardOf(runs.map((run) => ({ run, tag: "pr", steps: [0], curves })));
  const watch = (_: unknown, show: (is: boolean) => void) => {
    show(true);
    return () => {};
  };
  const view = { ...board.view, visibility: { watch } } as unknown as typeof board.view;
  const remembered = vi.spyOn(WeakMap.prototype, "set");
  const page = rendered(h(ViewContext.Provider, { value: view }, h(CurvesLegend, { parts: [board.part("pr")] })));
  const heads: string[] = [];
  for (const threshold of [0.25, 0.5, 0.75]) {
    view.options.of(prCurvesOptions).pr_threshold.set(threshold);
    await laterTask();
    heads.push(page.text());
  }
  const names = runs.map((run) => shortName(run, view)).join();
  const lists = remembered.mock.calls.map(([key]) => key).filter((key) => Array.isArray(key) && key.join() === names);
  expect(new Set(heads).size).toBe(3);
  expect(new Set(lists).size).toBe(1);
  page.end();
  remembered.mockRestore();
});
