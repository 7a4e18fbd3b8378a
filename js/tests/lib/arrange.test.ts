import { expect, test } from "vitest";
import { Arranger, arranged, DEFAULT_ARRANGEMENT } from "../../src/lib/arrange";
import { type CardLayout, parseCardLayout } from "../../src/lib/cardlayout";

const TAGS = ["a/1", "a/2", "a/10", "b/1", "b/2", "c/1", "c/2", "k"];

/** Sections by name, their cards as tags joined with +. */
function shown(layout: CardLayout | null, tags: readonly string[] = TAGS): [string, string[]][] {
  return arranged(layout, tags).map(({ name, cards }) => [
    name,
    cards.map(({ spec }) => (spec.pattern === undefined ? (spec.tags ?? []).join("+") : `/${spec.pattern}/`)),
  ]);
}

/** A section that was not renamed. */
const section = (name: string) => ({ name, prefix: name });

/** A layout with only this entry. */
function layout(...sections: readonly (readonly [name: string, ...cards: object[]])[]): CardLayout {
  const parsed = parseCardLayout({ version: 1, sections: sections.map(([name, ...cards]) => ({ name, cards })) });
  if (!parsed) {
    throw new Error("no layout");
  }
  return parsed;
}

const DEFAULT: [string, string[]][] = [
  ["", ["k"]],
  ["a", ["a/1", "a/2", "a/10"]],
  ["b", ["b/1", "b/2"]],
  ["c", ["c/1", "c/2"]],
];

test("without a layout, tags stand by the text before their first slash", () => {
  expect(shown(null)).toEqual(DEFAULT);
});

test("cards in a layout come first, and the others follow where they belong", () => {
  const given = layout(["b", { tags: ["b/2"] }], ["mine", { tags: ["a/2", "k"] }, { pattern: "c" }]);
  expect(shown(given)).toEqual([
    ["b", ["b/2", "b/1"]],
    ["mine", ["a/2+k", "/c/"]],
    ["a", ["a/1", "a/10"]],
    ["c", ["c/1", "c/2"]],
  ]);
});

test("few tags of several groups stand without titles; arranged, they are one section without a name", () => {
  const few = ["a/1", "b/1", "k"];
  expect(arranged(null, few).map(({ titled }) => titled)).toEqual([false, false, false]);
  const moved = new Arranger(null, few).move("tk", "tb/1", true);
  expect(shown(moved, few)).toEqual([["", ["a/1", "b/1", "k"]]]);
  expect(shown(moved, [...few, "a/2", "b/2"])[0]).toEqual(["", ["a/1", "b/1", "k"]]);
});

test("a card is moved, and a layout names no more than it must", () => {
  const moved = new Arranger(null, TAGS).move("ta/10", "ta/1", false);
  expect(moved?.sections).toEqual([
    { name: "", prefix: "/ordinary", cards: [] },
    { name: "a", cards: [{ tags: ["a/10"] }] },
  ]);
  expect(shown(moved)[1]).toEqual(["a", ["a/10", "a/1", "a/2"]]);
  expect(new Arranger(moved, TAGS).move("ta/10", "ta/2", true)).toBe(null);
  const elsewhere = new Arranger(null, TAGS).move("ta/2", "tc/1", true);
  expect(shown(elsewhere).slice(1)).toEqual([
    ["a", ["a/1", "a/10"]],
    ["b", ["b/1", "b/2"]],
    ["c", ["c/1", "a/2", "c/2"]],
  ]);
});

test("tags are drawn together, taken out one by one, and given cards of their own again", () => {
  const together = new Arranger(null, TAGS).merge("tb/2", "ta/1");
  expect(shown(together).slice(1, 3)).toEqual([
    ["a", ["a/1+b/2", "a/2", "a/10"]],
    ["b", ["b/1"]],
  ]);
  const three = new Arranger(together, TAGS).merge("tk", "ta/1");
  expect(shown(three)[0]).toEqual(["", []]);
  expect(shown(new Arranger(three, TAGS).takeOut("ta/1", "b/2"))[1]).toEqual(["a", ["a/1+k", "b/2", "a/2", "a/10"]]);
  expect(shown(new Arranger(together, TAGS).dissolve("ta/1"))[1]).toEqual(["a", ["a/1", "b/2", "a/2", "a/10"]]);
  // A card keeps its last tag, and a pattern cannot be put into another card.
  expect(new Arranger(null, TAGS).takeOut("ta/1", "a/1")).toBe(null);
  const pattern = new Arranger(null, TAGS).add("c");
  expect(shown(new Arranger(pattern, TAGS).merge("pc", "ta/1"))).toEqual(shown(pattern));
});

test("a card of a pattern is added before all others, and removed", () => {
  const added = new Arranger(null, TAGS).add("b|c");
  expect(shown(added)[0]).toEqual(["", ["/b|c/", "k"]]);
  expect(shown(added).slice(1)).toEqual(DEFAULT.slice(1));
  expect(new Arranger(added, TAGS).dissolve("pb|c")).toBe(null);
  expect(shown(new Arranger(null, []).add("x"), [])).toEqual([["", ["/x/"]]]);
  const named = new Arranger(added, TAGS).add("x", "All");
  expect(named?.sections[0]?.cards[0]).toEqual({ pattern: "x", title: "All" });
  expect(new Arranger(named, TAGS).remove("x")).toEqual(new Arranger(added, TAGS).remove("x"));
});

test("sizes are whole, and no smaller or larger than cards can be; the usual one is not named", () => {
  const large = new Arranger(null, TAGS).resize("ta/1", { width: 2.4, height: 99 });
  expect(large?.sections.at(-1)?.cards).toEqual([{ tags: ["a/1"], width: 2, height: 12 }]);
  expect(new Arranger(large, TAGS).resize("ta/1", { width: 0, height: 1 })).toBe(null);
});

test("sections fold, get other names and places, and keep the tags that belong to them", () => {
  const folded = new Arranger(null, TAGS).open(section("b"), false);
  expect(folded?.sections.map(({ name, open }) => [name, open])).toEqual([
    ["", undefined],
    ["a", undefined],
    ["b", false],
  ]);
  expect(new Arranger(folded, TAGS).open(section("b"), null)).toBe(null);
  expect(new Arranger(folded, TAGS).open(section("b"), true)?.sections.at(-1)).toEqual({
    name: "b",
    open: true,
    cards: [],
  });
  const renamed = new Arranger(null, TAGS).rename(section("a"), "first");
  expect(shown(renamed)[1]).toEqual(["first", ["a/1", "a/2", "a/10"]]);
  expect(shown(renamed, ["a/1", "a/2", "a/3", "b/1", "b/2", "b/3", "k"])[1]).toEqual(["first", ["a/1", "a/2", "a/3"]]);
  // Two sections of one name could not be told apart.
  expect(new Arranger(null, TAGS).rename(section("a"), "b")).toBe(null);
  expect(new Arranger(null, TAGS).rename(section("a"), "")).toBe(null);
  const moved = new Arranger(null, TAGS).moveSection(section("c"), section("a"), false);
  expect(shown(moved).map(([name]) => name)).toEqual(["", "c", "a", "b"]);
  expect(new Arranger(moved, TAGS).moveSection(section("c"), section("b"), true)).toBe(null);
});

test("a section is put before one of several that have no name", () => {
  const parts = ["/headline", "/ordinary"].map((prefix) => ({ name: "", prefix, cards: [] }));
  const given = parseCardLayout({ version: 1, sections: [...parts, { name: "a", cards: [] }] }) ?? null;
  const tags = ["a/1", "a/2", "loss", "x", ...Array.from({ length: 6 }, (_, i) => `b/${i}`)];
  const order = (layout: CardLayout | null) => arranged(layout, tags).map(({ prefix }) => prefix);
  expect(order(given)).toEqual(["/headline", "/ordinary", "a", "b"]);
  const moved = new Arranger(given, tags).moveSection(section("a"), { name: "", prefix: "/ordinary" }, false);
  expect(order(moved)).toEqual(["/headline", "a", "/ordinary", "b"]);
});

test("one of two sections of a prefix, as a layout that was written by hand has them, is changed alone", () => {
  const sections = [
    { name: "mine", prefix: "a", cards: [{ tags: ["a/1"] }] },
    { name: "a", cards: [{ tags: ["a/2"], title: "two" }] },
  ];
  const given = parseCardLayout({ version: 1, sections }) ?? null;
  const renamed = new Arranger(given, TAGS).rename(section("a"), "other");
  expect(shown(renamed).slice(0, 2)).toEqual([
    ["mine", ["a/1", "a/10"]],
    ["other", ["a/2"]],
  ]);
});

test("no two sections have one name, whatever appears after one was renamed", () => {
  const renamed = new Arranger(null, ["a/1", "a/2"]).rename(section("a"), "b");
  expect(shown(renamed, ["a/1", "a/2", "b/1"])).toEqual([["b", ["a/1", "a/2", "b/1"]]]);
  const swapped = parseCardLayout({
    version: 1,
    sections: [
      { name: "b", prefix: "a" },
      { name: "a", prefix: "b" },
    ],
  });
  expect(shown(swapped ?? null, ["a/1", "b/1"])).toEqual([
    ["b", ["a/1"]],
    ["a", ["b/1"]],
  ]);
});

test("arrangements of other panels stay, though their tags are not here", () => {
  const given = layout(["images", { tags: ["images/y"] }, { tags: ["images/x"] }]);
  const moved = new Arranger(given, TAGS).move("ta/10", "ta/1", false);
  expect(moved?.sections[0]).toEqual(given.sections[0]);
});

test("each card has its own key, even if a layout names tags twice", () => {
  const given = layout(["x", { tags: ["a/1"] }, { tags: ["a/1"] }, { pattern: "a" }, { pattern: "a" }]);
  const keys = arranged(given, TAGS).flatMap(({ cards }) => cards.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
});

test("an invalid layout changes nothing, and invalid parts of a layout are left out", () => {
  for (const wrong of [undefined, 3, "x", [], {}, { version: 2, sections: [] }, { version: 1 }]) {
    expect(parseCardLayout(wrong)).toBe(undefined);
  }
  expect(parseCardLayout(null)).toBe(null);
  const odd = {
    version: 1,
    sections: [
      { name: "a", open: false, cards: [{}, 3, { tags: [] }, { tags: ["t", "t"], width: 0, height: 2 }] },
      { open: true },
      { name: "b", prefix: "c" },
    ],
  };
  expect(parseCardLayout(odd)).toEqual({
    version: 1,
    sections: [
      { name: "a", open: false, cards: [{ tags: ["t"], height: 2 }] },
      { name: "b", prefix: "c", cards: [] },
    ],
  });
});

test("a section of one tag has a title once the user has arranged it, or cards of it elsewhere", () => {
  const tags = [...TAGS, "alone/x"].sort();
  const titles = (of: CardLayout | null) => arranged(of, tags).map(({ name, titled }) => [name, titled]);
  const before = [
    ["", false],
    ["a", true],
    ["alone", false],
    ["b", true],
    ["c", true],
  ];
  expect(titles(null)).toEqual(before);
  // Neither folding another section nor moving a card out of one changes that.
  expect(titles(new Arranger(null, tags).open(section("c"), false))).toEqual(before);
  expect(titles(new Arranger(null, tags).move("tb/1", "tk", true))).toEqual(before);
  expect(titles(new Arranger(null, tags).rename(section("alone"), "mine"))[2]).toEqual(["mine", true]);
});

test("tags without a section stand apart: the first ones, the others, and the small ones", () => {
  const tags = ["a/1", "a/2", "b/1", "b/2", "b/3", "k", "loss", "lr", "system/cpu", "system/gpu"];
  const before = [
    ["", ["loss"]],
    ["", ["k"]],
    ["a", ["a/1", "a/2"]],
    ["b", ["b/1", "b/2", "b/3"]],
    ["", ["lr"]],
    ["system", ["system/cpu", "system/gpu"]],
  ];
  expect(shown(null, tags)).toEqual(before);
  // A section that is folded leaves them where they are, and what comes later stands with its like.
  const folded = new Arranger(null, tags).open(section("system"), false);
  expect(shown(folded, tags)).toEqual(before);
  expect(shown(folded, [...tags, "acc", "epoch"].sort())[0]).toEqual(["", ["loss", "acc"]]);
  expect(shown(folded, [...tags, "acc", "epoch"].sort())[4]).toEqual(["", ["epoch", "lr"]]);
  expect(new Arranger(folded, tags).open(section("system"), null)).toBe(null);
  expect(parseCardLayout(JSON.parse(JSON.stringify(folded)))).toEqual(folded);
  const moved = new Arranger(null, tags).move("tlr", "tk", false);
  expect(shown(moved, tags).slice(0, 3)).toEqual([
    ["", ["loss"]],
    ["", ["lr", "k"]],
    ["a", ["a/1", "a/2"]],
  ]);
  expect(new Arranger(moved, tags).move("tlr", "tsystem/cpu", false)).not.toBe(null);
  // A layout that was stored before, or written by hand, has all of them in one section.
  const stored = layout(["a", ...[]], ["", { tags: ["lr"] }]);
  expect(shown(stored, tags).slice(0, 2)).toEqual([
    ["a", ["a/1", "a/2"]],
    ["", ["lr", "loss", "k"]],
  ]);
  const keys = arranged(stored, tags).flatMap(({ cards }) => cards.map(({ key }) => key));
  expect(keys.length).toBe(tags.length);
});

const SPLITS = [
  "acc/train",
  "acc/val",
  "loss/reg",
  "loss/train",
  "loss/validation",
  "lr",
  "time/fps",
  "time/total",
  "x",
];
const JOINED = { ...DEFAULT_ARRANGEMENT, joins: true };
const APART = { ...DEFAULT_ARRANGEMENT, joins: false };

/** The same, with training and validation of one stem in one card. */
function joined(layout: CardLayout | null, tags = SPLITS, options = JOINED): [string, string[]][] {
  return arranged(layout, tags, options).map(({ name, cards }) => [
    name,
    cards.map(({ spec }) => spec.tags?.join("+") ?? ""),
  ]);
}

/** The same where joining is off. */
function apartly(layout: CardLayout | null): [string, string[]][] {
  return joined(layout, SPLITS, APART);
}

const ALL_JOINED = [
  ["loss", ["loss/train+loss/validation", "loss/reg"]],
  ["acc", ["acc/train+acc/val"]],
  ["", ["x"]],
  ["", ["lr"]],
  ["time", ["time/fps", "time/total"]],
];

test("training and validation share a card, or stand side by side in its place", () => {
  expect(joined(null)).toEqual(ALL_JOINED);
  expect(shown(null, SPLITS).map(([, cards]) => cards)).toEqual([
    ["loss/train", "loss/validation", "loss/reg"],
    ["acc/train", "acc/val"],
    ["x"],
    ["lr"],
    ["time/fps", "time/total"],
  ]);
  // A group of one card needs no title.
  expect(arranged(null, SPLITS, JOINED).map(({ titled }) => titled)).toEqual([true, false, false, false, true]);
});

test("a card of training and validation is split and joined again, and a layout names no more than it must", () => {
  const arranger = (layout: CardLayout | null) => new Arranger(layout, SPLITS, JOINED);
  const split = arranger(null).dissolve("tloss/train");
  expect(split).toEqual({ version: 1, sections: [], apart: ["loss/train", "loss/validation"] });
  expect(parseCardLayout(JSON.parse(JSON.stringify(split)))).toEqual(split);
  expect(joined(split)[0]).toEqual(["loss", ["loss/train", "loss/validation", "loss/reg"]]);
  expect(joined(split).slice(1)).toEqual(ALL_JOINED.slice(1));
  expect(arranger(split).join(["loss/train", "loss/validation"])).toBe(null);
  // Moved apart: they meet where the first is.
  const away = arranger(split).move("tloss/validation", "tx", false);
  expect(joined(away).map(([, cards]) => cards[0])).toContain("loss/validation");
  expect(joined(arranger(away).join(["loss/train", "loss/validation"]))).toEqual(ALL_JOINED);
  // Moved as one card, and back.
  const moved = arranger(null).move("tloss/train", "tloss/reg", true);
  expect(joined(moved)[0]).toEqual(["loss", ["loss/reg", "loss/train+loss/validation"]]);
  expect(arranger(moved).move("tloss/train", "tloss/reg", false)).toBe(null);
  // Cards of many runs stand apart, until the user joins them.
  const own = new Arranger(null, SPLITS, APART).join(["acc/train", "acc/val"]);
  expect(own).toEqual({ version: 1, sections: [], joined: ["acc/train", "acc/val"] });
  expect(apartly(own)[1]).toEqual(["acc", ["acc/train+acc/val"]]);
  const sized = new Arranger(own, SPLITS, APART).resize("tacc/train", { width: 2, height: 1 });
  expect(apartly(sized)[1]).toEqual(["acc", ["acc/train+acc/val"]]);
  expect(new Arranger(own, SPLITS, APART).dissolve("tacc/train")).toBe(null);
  const dropped = new Arranger(null, SPLITS, APART).merge("tacc/val", "tacc/train");
  expect(dropped?.sections.at(-1)?.cards).toEqual([{ tags: ["acc/train", "acc/val"], joined: true }]);
  expect(apartly(dropped)).toEqual(apartly(own));
  // When these leave a card, the others stay.
  const others = new Arranger(null, SPLITS).merge("tacc/val", "tx");
  const left = new Arranger(others, SPLITS).join(["acc/train", "acc/val"]);
  expect(shown(left, SPLITS).map(([, cards]) => cards)).toContainEqual(["acc/train+acc/val"]);
  expect(shown(left, SPLITS).map(([, cards]) => cards)).toContainEqual(["x"]);
});

test("a card is taken apart in its place: all others stay in theirs, and those that come later go to theirs", () => {
  const few = ["loss/train", "loss/val", "time/fps"];
  const split = new Arranger(null, few, JOINED).dissolve("tloss/train");
  expect(joined(split, few)).toEqual([
    ["loss", ["loss/train", "loss/val"]],
    ["time", ["time/fps"]],
  ]);
  const later = ["acc/train", "acc/val", "accuracy", "loss/test", ...few, "val_loss"].sort();
  const cards = (of: CardLayout | null) => joined(of, later).flatMap(([, own]) => own);
  const [before, after] = [cards(null), cards(split)];
  expect(before).toEqual(["val_loss", "accuracy", "loss/train+loss/val+loss/test", "acc/train+acc/val", "time/fps"]);
  expect(after).toEqual(before.flatMap((card) => (card.startsWith("loss/") ? card.split("+") : [card])));
  // No title appears, since nothing else is arranged.
  const titles = (of: CardLayout | null, tags: readonly string[]) =>
    arranged(of, tags, JOINED).map(({ name, titled }) => [name, titled]);
  expect(titles(split, few)).toEqual(titles(null, few));
  expect(titles(split, SPLITS)).toEqual(titles(null, SPLITS));
  expect(new Arranger(split, later, JOINED).join(["loss/train", "loss/val", "loss/test"])).toBe(null);
  // Where the layout names cards, those that it names stay, too.
  const sized = new Arranger(split, few, JOINED).resize("ttime/fps", { width: 2, height: 1 });
  expect(joined(sized, few).flatMap(([, own]) => own)).toEqual(["loss/train", "loss/val", "time/fps"]);
  const again = new Arranger(sized, few, JOINED).join(["loss/train", "loss/val"]);
  expect(joined(again, few).flatMap(([, own]) => own)).toEqual(["loss/train+loss/val", "time/fps"]);
  expect(again?.apart).toBe(undefined);
});

test("a card that was moved or sized, and those before it, are joined and split as others are", () => {
  const sized = new Arranger(null, SPLITS, JOINED).resize("tloss/reg", { width: 2, height: 1 });
  expect(sized?.sections[0]?.cards).toEqual([
    { tags: ["loss/train", "loss/validation"] },
    { tags: ["loss/reg"], width: 2 },
  ]);
  expect(apartly(sized)[0]).toEqual(["loss", ["loss/train", "loss/validation", "loss/reg"]]);
  const wide = new Arranger(null, SPLITS, JOINED).resize("tloss/train", { width: 2, height: 1 });
  expect(apartly(wide)[0]).toEqual(["loss", ["loss/train", "loss/validation", "loss/reg"]]);
  expect(arranged(wide, SPLITS, APART)[0]?.cards.map(({ spec }) => spec.width)).toEqual([2, 2, undefined]);
  // Arranged with joining off, and then turned on again.
  const apart = new Arranger(null, SPLITS, APART).resize("tloss/reg", { width: 2, height: 1 });
  expect(joined(apart)).toEqual(ALL_JOINED);
  const moved = new Arranger(null, SPLITS, APART).move("tloss/validation", "tloss/reg", true);
  expect(joined(moved)[0]).toEqual(["loss", ["loss/train+loss/validation", "loss/reg"]]);
  // A panel without such cards leaves them as they are.
  expect(shown(wide, SPLITS)[0]).toEqual(["loss", ["loss/train+loss/validation", "loss/reg"]]);
});

test("validation that comes after cards were sized joins its training", () => {
  const early = ["acc/train", "loss/reg", "loss/train", "x"];
  const sized = new Arranger(null, early, JOINED).resize("tx", { width: 2, height: 1 });
  expect(joined(sized, early)).toEqual([["", ["loss/train", "loss/reg", "acc/train", "x"]]]);
  const later = ["acc/train", "acc/val", "loss/reg", "loss/train", "loss/validation", "x"];
  expect(joined(sized, later)).toEqual([["", ["loss/train+loss/validation", "loss/reg", "acc/train+acc/val", "x"]]]);
});

test("tags that were taken out, or put into cards of others, join nothing by themselves", () => {
  const three = ["a/x", "loss/test", "loss/train", "loss/val", "x", "y"];
  const cards = (of: CardLayout | null, options = JOINED) => joined(of, three, options).flatMap(([, own]) => own);
  const out = new Arranger(null, three, JOINED).takeOut("tloss/train", "loss/val");
  expect(cards(out).slice(0, 2)).toEqual(["loss/train+loss/test", "loss/val"]);
  expect(cards(out, APART).slice(0, 3)).toEqual(["loss/train", "loss/val", "loss/test"]);
  const merged = new Arranger(out, three, JOINED).merge("tloss/val", "tx");
  expect(cards(merged)).toEqual(["loss/train+loss/test", "x+loss/val", "y", "a/x"]);
  expect(cards(merged, APART)).toContain("x+loss/val");
  // A tag that leaves that card, too, has a card of its own.
  expect(cards(new Arranger(merged, three, JOINED).takeOut("tx", "loss/val"))).toContain("loss/val");
  const titled = layout(["", { tags: ["loss/train"], title: "mine" }, { tags: ["loss/val", "loss/test"], title: "b" }]);
  expect(cards(titled, APART).slice(0, 2)).toEqual(["loss/train", "loss/val+loss/test"]);
  expect(cards(titled).slice(0, 2)).toEqual(["loss/train", "loss/val+loss/test"]);
  // A tag that a layout names twice has both cards.
  expect(cards(layout(["", { tags: ["loss/val"], title: "b" }, { tags: ["loss/val"] }])).slice(0, 2)).toEqual([
    "loss/val",
    "loss/val",
  ]);
});

test("a small card has its usual size with one row, and is small again without", () => {
  const usual = new Arranger(null, SPLITS).resize("tlr", { width: 1, height: 1 });
  expect(usual?.sections.flatMap(({ cards }) => cards)).toContainEqual({ tags: ["lr"], height: 1 });
  expect(new Arranger(usual, SPLITS).resize("tlr", { width: 1, height: 0 })).toBe(null);
  const wide = new Arranger(null, SPLITS).resize("tlr", { width: 2, height: 0 });
  expect(wide?.sections.flatMap(({ cards }) => cards)).toContainEqual({ tags: ["lr"], width: 2 });
});

test("groups that were there keep their places, and a layout says nothing of it", () => {
  const ranks = new Map([
    ["a", 5],
    ["b", 5],
  ]);
  const tags = ["a/1", "a/2", "a/3", "a/4", "b/loss", "b/x", "c/loss", "c/x"];
  const options = { ...DEFAULT_ARRANGEMENT, ranks };
  expect(arranged(null, tags, options).map(({ name }) => name)).toEqual(["c", "a", "b"]);
  expect(arranged(null, tags).map(({ name }) => name)).toEqual(["b", "c", "a"]);
  const folded = new Arranger(null, tags, options).open(section("c"), false);
  expect(new Arranger(folded, tags, options).open(section("c"), null)).toBe(null);
});
