import { signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import { heightStyle } from "../../src/dashboard/height";
import { Tags } from "../../src/dashboard/tags/pane";
import { DEFAULT_ARRANGEMENT } from "../../src/lib/arrange";
import type { CardGrid } from "../../src/ui/cardgrid";
import { type View, ViewContext } from "../../src/ui/view";
import { rendered } from "../ui/rendering";

afterEach(() => vi.unstubAllGlobals());

const gridOf = (...tags: readonly string[]): CardGrid => ({
  panel: "scalars",
  tags: signal(tags),
  nameOf: (tag) => tag,
  arrangeOptions: () => DEFAULT_ARRANGEMENT,
  folded: signal(0),
  cards: signal([]),
  go: () => {},
  goToCard: () => {},
  move: () => {},
});

test("the tree lists the tags of the panel that is shown, also after another tab was chosen", async () => {
  const view = {
    id: "view",
    inSight: signal([]),
    options: {
      tagFilter: { matches: signal(() => true), text: signal("") },
      runTable: { runs_width: signal(null) },
    },
  } as unknown as View;
  const grid = signal(gridOf("loss", "rate"));
  const Pane = () => h(ViewContext.Provider, { value: view }, h(Tags, { grid: grid.value, children: null }));
  const { text, end } = rendered(h(Pane, {}));
  try {
    expect(text()).toBe("lossrate");
    grid.value = gridOf("weights");
    await vi.waitFor(() => expect(text()).toBe("weights"));
  } finally {
    end();
  }
});

test("a height set by the user is also less than the former tab's height", () => {
  expect(heightStyle(300, 640)).toEqual({ "--tbwidget-max-height": "300px", "--tbwidget-min-height": "300px" });
  expect(heightStyle(640, 300)).toEqual({ "--tbwidget-max-height": "640px", "--tbwidget-min-height": "300px" });
});
