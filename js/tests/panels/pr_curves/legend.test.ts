import { h } from "preact";
import { expect, test, vi } from "vitest";
import { CurvesLegend } from "../../../src/panels/pr_curves/legend";
import { prCurvesOptions } from "../../../src/panels/pr_curves/options";
import { ViewContext } from "../../../src/ui/view";
import { rendered } from "../../ui/rendering";
import { boardOf, CASES } from "./made";

test("another threshold does not find anew what tells the names of the curves apart", async () => {
  const curves = [CASES[0]?.curve ?? null];
  const board = boardOf(["run/a", "run/b"].map((run) => ({ run, tag: "pr", steps: [0], curves })));
  const visibility = {
    watch: (_: unknown, set: (visible: boolean) => void) => {
      set(true);
      return () => {};
    },
  };
  const view = { ...board.view, visibility } as unknown as typeof board.view;
  // What was found is kept by the list of names.
  const kept = vi.spyOn(WeakMap.prototype, "set");
  const legend = h(CurvesLegend, { parts: [board.part("pr")] });
  const page = rendered(h(ViewContext.Provider, { value: view }, legend));
  await vi.waitFor(() => expect(page.text()).toContain("Best F1"));
  view.options.of(prCurvesOptions).pr_threshold.set(0.5);
  await vi.waitFor(() => expect(page.text()).toContain("F1 at 0.5"));
  const lists = kept.mock.calls.map(([list]) => list).filter((list) => Array.isArray(list));
  kept.mockRestore();
  page.end();
  const ofNames = lists.filter((list) => list !== view.channel.store.runs.peek() && list.join() === "run/a,run/b");
  expect(new Set(ofNames).size).toBe(1);
});
