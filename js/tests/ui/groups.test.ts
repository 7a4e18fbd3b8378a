import { signal } from "@preact/signals";
import { h } from "preact";
import { useMemo } from "preact/hooks";
import { afterEach, expect, test, vi } from "vitest";
import { scalars, type TagScalars } from "../../src/lines/codec";
import { type CardProps, Groups } from "../../src/ui/groups";
import { KeyedSignals } from "../../src/ui/keyed";
import { type GroupState, type View, ViewContext } from "../../src/ui/view";
import { type Board, boardOf } from "../lines/board";
import { message, part } from "../wire/made";
import { rendered } from "./rendering";

let board: Board;

afterEach(() => board.end());

/** A grid with a card for each tag; `add` brings more tags, `cards` has the element and the state of each card. */
function gridOf(tags: readonly string[]) {
  const partsOf = (names: readonly string[]) => names.map((tag) => part(tag, "run", [0, 1]));
  board = boardOf(partsOf(tags));
  const { store } = board;
  expect(store.settled.value).toBe(true);
  const some = {
    panel: signal({ name: "scalars" }),
    groups: new KeyedSignals<GroupState>({ open: true, most: 1000 }),
    // Every card is near the viewport.
    visibility: {
      watchWindow: (_: Element, near: (isNear: boolean) => boolean) => {
        queueMicrotask(() => near(true));
        return () => {};
      },
    },
    ...{ goal: signal(null), grid: signal(null), width: signal(1000), isMaximized: signal(false) },
  };
  const view = { ...board.view, ...some } as unknown as View;
  let mounted = 0;
  const Card = ({ tag }: CardProps<TagScalars>) => {
    const state = useMemo(() => {
      mounted += 1;
      return mounted;
    }, []);
    return h("b", {}, `${tag} ${state}`);
  };
  const page = rendered(
    h(ViewContext.Provider, { value: view }, h(Groups<TagScalars>, { of: store.series(scalars), Card })),
  );
  let sent = 1;
  return {
    add: async (...names: readonly string[]) => {
      sent += 1;
      store.apply(message(sent, partsOf(names)), 0);
      await new Promise((resolve) => setTimeout(resolve, 30));
    },
    cards: () =>
      new Map(
        page.root.all("b").map((element) => {
          const [tag = "", state] = element.textContent.split(" ");
          return [tag, { element, state }];
        }),
      ),
    titles: () => page.root.all("h3").map(({ textContent }) => textContent),
    end: page.end,
  };
}

const SEVEN = ["a/1", "c/1", "e/1", "e/2", "g/1", "i/1", "k/1"];

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${10 + i}`);

test.each([
  ["a new section without a title comes in front", SEVEN, ["0/1"], ["e2"]],
  ["a section without a title comes between two others", SEVEN, ["b/1"], ["e2"]],
  ["a section goes from one tag to two", SEVEN, ["c/2"], ["c2", "e2"]],
  ["the first section goes from one tag to two", SEVEN, ["a/2"], ["a2", "e2"]],
  ["a new section in front makes more cards than are mounted at once", numbered("m/", 24), ["0/1"], ["m24"]],
  ["a section gets its second tag among very many", ["a/1", ...numbered("m/", 60)], ["a/2"], ["a2", "m60"]],
  ["the seventh tag gives sections their titles", SEVEN.slice(0, 6), ["k/1"], ["e2"]],
])("cards stay what they are when %s", async (_, tags, more, titles) => {
  const grid = gridOf(tags);
  await vi.waitUntil(() => grid.cards().size === tags.length);
  const before = grid.cards();
  await grid.add(...more);
  expect(grid.titles()).toEqual(titles);
  const after = grid.cards();
  for (const [tag, { element, state }] of before) {
    expect([tag, after.get(tag)?.state]).toEqual([tag, state]);
    expect(after.get(tag)?.element === element, `the element of ${tag}`).toBe(true);
  }
  grid.end();
});
