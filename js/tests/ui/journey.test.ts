import { signal } from "@preact/signals";
import { afterEach, expect, test, vi } from "vitest";
import { goToCard, MAX_WAIT_MS, showRun } from "../../src/ui/journey";
import type { View } from "../../src/ui/view";
import { boardOf } from "../lines/board";
import { part } from "../wire/made";

afterEach(() => vi.useRealTimers());

function travels(panel: string, ...tags: readonly string[]) {
  const { view, end } = boardOf(["a", "b"].map((run) => part("loss", run, [0])));
  const gone: string[] = [];
  const gridOf = (name: string, ...own: readonly string[]) => ({
    panel: name,
    tags: signal(own),
    go: (tag: string) => gone.push(`${name}/${tag}`),
  });
  const grid = signal(gridOf(panel, ...tags));
  // The panel changes at once, the grid as soon as the panel is drawn.
  const some = { ...view, panel: view.options.board.panel, grid } as unknown as View;
  return { view: some, grid, gridOf, gone, end };
}

test("a card in another panel is not looked for in the grid of the former one", async () => {
  const { view, grid, gridOf, gone, end } = travels("scalars", "weights");
  goToCard("histograms", "weights", view);
  await Promise.resolve();
  expect(gone).toEqual([]);
  grid.value = gridOf("histograms", "weights");
  await Promise.resolve();
  expect(gone).toEqual(["histograms/weights"]);
  end();
});

test("a card that comes much later is not gone to any more", async () => {
  vi.useFakeTimers();
  const { view, grid, gridOf, gone, end } = travels("scalars");
  goToCard("scalars", "soon", view);
  vi.advanceTimersByTime(MAX_WAIT_MS - 1);
  grid.value = gridOf("scalars", "soon");
  await Promise.resolve();
  expect(gone).toEqual(["scalars/soon"]);
  goToCard("scalars", "late", view);
  vi.advanceTimersByTime(MAX_WAIT_MS);
  grid.value = gridOf("scalars", "late");
  await Promise.resolve();
  expect(gone).toEqual(["scalars/soon"]);
  end();
});

test("a run is shown, whatever kept it away", () => {
  const { view, end } = travels("scalars");
  const { options } = view;
  options.select({ names: new Set(["b"]), only: true });
  options.runFilter.set("b", "typed");
  options.runTable.archived_runs.set(new Set(["a"]));
  expect(options.shows("a")).toBe(false);
  showRun("a", view);
  expect(["a", "b"].map((run) => options.shows(run))).toEqual([true, true]);
  end();
});
