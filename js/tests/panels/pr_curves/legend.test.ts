import { h } from "preact";
import { expect, test, vi } from "vitest";
import { CurvesLegend } from "../../../src/panels/pr_curves/legend";
import { prCurvesOptions } from "../../../src/panels/pr_curves/options";
import { ViewContext } from "../../../src/ui/view";
import { rendered } from "../../ui/rendering";
import { boardOf, CASES } from "./made";

const watch = (_: unknown, show: (is: boolean) => void) => {
  show(true);
  return () => {};
};

const laterTask = () => new Promise((resolve) => setTimeout(resolve, 20));

test("while the threshold changes, the names of the curves are not shortened again", async () => {
  const runs = ["sweep_of_rates_1_seed_0", "sweep_of_rates_2_seed_0"];
  const curves = [CASES[0]?.curve ?? null];
  const board = boardOf(runs.map((run) => ({ run, tag: "pr", steps: [0], curves })));
  const view = { ...board.view, visibility: { watch } } as unknown as typeof board.view;
  // Each element is measured again when it gets another list of names.
  let measured = 0;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {
        measured += 1;
      }
      unobserve() {}
      disconnect() {}
    },
  );
  const page = rendered(h(ViewContext.Provider, { value: view }, h(CurvesLegend, { parts: [board.part("pr")] })));
  const heads: string[] = [];
  for (const threshold of [0.25, 0.5, 0.75]) {
    view.options.of(prCurvesOptions).pr_threshold.set(threshold);
    await laterTask();
    heads.push(page.text());
  }
  expect(new Set(heads).size).toBe(3);
  expect(measured).toBe(runs.length);
  page.end();
});

test.each([null, 0.5])("all rows are as wide as the head, with the threshold %s", async (pr_threshold) => {
  for (const second of [0, 1]) {
    // The same thresholds have averages, and others a row that says that there are none.
    const curves = [0, second].map((i) => [CASES[i]?.curve ?? null]);
    const logged = curves.map((of, i) => ({ run: "a", tag: `${i}`, steps: [0], curves: of }));
    const board = boardOf([...logged, { run: "b", tag: "0", steps: [0], curves: [null] }], { pr_threshold });
    const view = { ...board.view, visibility: { watch } } as unknown as typeof board.view;
    const parts = [board.part("0"), board.part("1")];
    const page = rendered(h(ViewContext.Provider, { value: view }, h(CurvesLegend, { parts })));
    await laterTask();
    const widths = page.root
      .all("tr")
      .map((row) => row.children.reduce((sum, cell) => sum + Number(cell.attribute("colSpan") ?? 1), 0));
    expect(widths).toEqual(Array(second === 0 ? 6 : 5).fill(pr_threshold === null ? 4 : 6));
    page.end();
  }
});
