import { signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import { CheckpointDialog, showCheckpoints } from "../../src/lines/checkpointlist";
import { scalars } from "../../src/lines/codec";
import { type View, ViewContext } from "../../src/ui/view";
import { FakeNode, rendered } from "../ui/rendering";
import { message, part } from "../wire/made";
import { type Board, boardOf } from "./board";

let board: Board | undefined;

afterEach(() => board?.end());

test("many runs are counted, points of tags that are not chosen look up no tags again, and the best may be the highest", async () => {
  Object.assign(FakeNode.prototype, { showModal: () => {}, close: () => {} });
  const runs = Array.from({ length: 30 }, (_, i) => `run ${i}`);
  board = boardOf(runs.flatMap((run) => ["loss", "rate"].map((tag) => part(tag, run, [0, 10]))));
  const view = { ...board.view, tooltip: signal(null) } as unknown as View;
  showCheckpoints(
    view,
    runs.map((run) => ({ run, checkpoints: [] })),
  );
  const page = rendered(h(ViewContext.Provider, { value: view }, h(CheckpointDialog, {})));
  expect(page.root.all("section")).toHaveLength(20);
  expect(page.text()).toContain("and 10 runs more");
  expect(page.root.all("option")).toHaveLength(80);

  const looked = vi.spyOn(board.store.series(scalars), "tag");
  board.store.apply(message(2, [part("rate", "run 0", [20])]), 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(looked).not.toHaveBeenCalled();

  // The name of a loss suggests the lowest value; the user may choose otherwise.
  const chosen = () =>
    page.root
      .all("option")
      .slice(2, 4)
      .map((option) => option.attribute("selected") === true);
  expect(chosen()).toEqual([true, false]);
  page.root.all("select")[1]?.happen("change", { currentTarget: { selectedIndex: 1 } });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(chosen()).toEqual([false, true]);
  page.end();
});
