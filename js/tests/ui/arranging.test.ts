import { expect, test } from "vitest";
import { type CardLayout, parseCardLayout } from "../../src/lib/cardlayout";
import { pinnedCards } from "../../src/ui/arranging";

const PINS = ["x", "loss/val", "acc/train", "loss/train", "acc/val"];

/** The pinned cards, their tags joined with +. */
function pinned(joins: boolean | null, ...cards: readonly object[]): string[] {
  const layout = parseCardLayout({ version: 1, sections: [{ name: "", cards }] }) as CardLayout;
  return pinnedCards(PINS, (tag) => tag, joins, layout).map((tags) => tags.join("+"));
}

test("pinned tags share cards as in the sections", () => {
  const apart = ["x", "loss/val", "acc/train", "loss/train", "acc/val"];
  const together = ["x", "loss/train+loss/val", "acc/train+acc/val"];
  expect(pinned(true)).toEqual(together);
  expect(pinned(false)).toEqual(apart);
  // A card that is listed only for its position decides nothing.
  expect(pinned(true, { tags: ["loss/train"], width: 2 }, { tags: ["x"] })).toEqual(together);
  expect(pinned(false, { tags: ["loss/train", "loss/val"] })).toEqual(apart);
  expect(pinned(true, { tags: ["loss/train"], apart: true })).toEqual([
    ...["x", "loss/val", "acc/train+acc/val", "loss/train"],
  ]);
  const joined = { tags: ["loss/train", "loss/val"], joined: true };
  expect(pinned(false, joined)).toEqual(["x", "loss/train+loss/val", "acc/train", "acc/val"]);
  expect(pinned(null, joined)).toEqual(apart);
  const of = (joins: boolean, exceptions: object) => {
    const layout = parseCardLayout({ version: 1, sections: [], ...exceptions }) as CardLayout;
    return pinnedCards(PINS, (tag) => tag, joins, layout).map((tags) => tags.join("+"));
  };
  expect(of(true, { apart: ["loss/train", "loss/val"] })).toEqual(["x", "loss/val", "acc/train+acc/val", "loss/train"]);
  expect(of(false, { joined: ["loss/train", "loss/val"] })).toEqual([
    ...["x", "loss/train+loss/val", "acc/train", "acc/val"],
  ]);
});
