import { signal } from "@preact/signals";
import { h } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { afterEach, expect, test, vi } from "vitest";
import { scalars, type TagScalars } from "../../src/lines/codec";
import { cardOptions } from "../../src/options/cards";
import { PlaceContext } from "../../src/ui/arranging";
import { type CardProps, Groups, type SeveralProps } from "../../src/ui/groups";
import { KeyedSignals } from "../../src/ui/keyed";
import { type GroupState, type View, ViewContext } from "../../src/ui/view";
import { type Board, boardOf } from "../lines/board";
import { message, part } from "../wire/made";
import { rendered } from "./rendering";

let board: Board;

afterEach(() => board.end());

/** The view of a board with these tags, and its store. */
function viewOf(tags: readonly string[]) {
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
  return { store, view: { ...board.view, ...some } as unknown as View };
}

function partsOf(names: readonly string[]) {
  return names.map((tag) => part(tag, "run", [0, 1]));
}

/** A grid with a card for each tag; `add` adds tags, `cards` has the element and the state of each card. */
function gridOf(tags: readonly string[]) {
  const { store, view } = viewOf(tags);
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

test.each([
  [["loss", "time/fps"], ["time/fps"]],
  [["lr", "time/fps"], []],
  [["acc", "loss", "lr"], ["lr"]],
])("of %s, %s are small", async (tags, small) => {
  const { store, view } = viewOf(tags);
  const found = new Map<string, boolean>();
  const Card = ({ tag }: CardProps<TagScalars>) => {
    found.set(tag, useContext(PlaceContext)?.small === true);
    return null;
  };
  const props = { of: store.series(scalars), Card, Several: () => null, joinsSplits: true };
  const page = rendered(h(ViewContext.Provider, { value: view }, h(Groups<TagScalars>, props)));
  await vi.waitUntil(() => found.size === tags.length);
  expect(tags.filter((tag) => found.get(tag))).toEqual(small);
  page.end();
});

test("a tag is taken out of its card, and out of the pinned card by being unpinned", async () => {
  const { store, view } = viewOf(["loss/test", "loss/train", "loss/val"]);
  const { board: of } = view.options;
  const takeOut = new Map<string, (tag: string) => void>();
  const Several = ({ id, takeOut: out }: SeveralProps<TagScalars>) => {
    takeOut.set(id, out);
    return h("i", {}, id);
  };
  const props = { of: store.series(scalars), Card: () => null, Several, joinsSplits: true };
  const page = rendered(h(ViewContext.Provider, { value: view }, h(Groups<TagScalars>, props)));
  await vi.waitUntil(() => takeOut.has("tloss/train"));
  of.pinned.set(["loss/train", "loss/val", "loss/test"]);
  await vi.waitUntil(() => takeOut.has("!loss/train"));
  takeOut.get("!loss/train")?.("loss/test");
  expect(of.pinned.peek()).toEqual(["loss/train", "loss/val"]);
  expect(view.options.of(cardOptions).card_layout.peek()).toBe(null);
  takeOut.get("tloss/train")?.("loss/val");
  expect(view.options.of(cardOptions).card_layout.peek()).toEqual({ version: 1, sections: [], apart: ["loss/val"] });
  page.end();
});
