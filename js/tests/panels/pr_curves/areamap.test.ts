import { signal } from "@preact/signals";
import { h } from "preact";
import { expect, test } from "vitest";
import { AreaMap } from "../../../src/panels/pr_curves/areamap";
import { KeyedSignals } from "../../../src/ui/keyed";
import { type View, ViewContext } from "../../../src/ui/view";
import { rendered } from "../../ui/rendering";
import { boardOf } from "./made";

test("while the areas are folded, their heading counts tags without reading a curve", async () => {
  const tags = ["a", "b", "c", "d"];
  const board = boardOf(tags.map((tag) => ({ run: "run", tag, steps: [0], curves: [] })));
  let reads = 0;
  for (const tag of tags) {
    for (const held of board.part(tag).data.byRun.values()) {
      const { rows } = held;
      Object.defineProperty(held, "rows", {
        get: () => {
          reads += 1;
          return rows;
        },
      });
    }
  }
  const now = signal(0);
  const more = { now, groups: new KeyedSignals({ open: false, shown: 0 }) };
  const view = { ...board.view, ...more } as unknown as View;
  const page = rendered(h(ViewContext.Provider, { value: view }, h(AreaMap, {})));
  now.value += 1000;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(page.text()).toContain("AP by tag4");
  view.options.tagFilter.set("[ab]", "typed");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads).toBe(0);
  page.end();
});
