import { expect, test } from "vitest";
import { compareNatural } from "../../src/lib/natural";
import { arrange, isReward, isSmall, isSplitCard, ranksOf, splitCards, tellingSplit } from "../../src/lib/tagorder";
import fixtures from "../fixtures/arrangements.json";

const itself = (tag: string) => tag;

/** Each group with its cards: cards of the usual size, then small ones. */
function shown(tags: readonly string[], ranks?: ReadonlyMap<string, number>) {
  return arrange(tags, itself, ranks).map(({ name, cards }) => [
    name,
    cards.filter((card) => !card.isSmall).map((card) => card.tags),
    cards.filter((card) => card.isSmall).map((card) => card.tags),
  ]);
}

test.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
  "%s: as the kernel arranges them",
  (_, fixture) => {
    expect(shown(fixture.tags)).toEqual(fixture.groups);
  },
);

test.each(fixtures.map((fixture) => [fixture.name, fixture] as const))("%s: which share a card", (_, { tags }) => {
  const cards = arrange(tags).flatMap((group) => group.cards);
  const joined = cards.flatMap((card) => (card.tags.length > 1 ? card.tags.map((tag) => [tag, card.tags]) : []));
  expect(Object.fromEntries(splitCards(tags, itself))).toEqual(Object.fromEntries(joined));
});

test("small cards are the last ones of their group", () => {
  for (const { cards } of fixtures.flatMap(({ tags }) => arrange(tags))) {
    expect(cards.toSorted((one, other) => Number(one.isSmall) - Number(other.isSmall))).toEqual(cards);
    expect(cards.every((card) => card.tags.every((tag) => isSmall(tag) === card.isSmall))).toBe(true);
  }
});

test("tags that share a card are recognized by their names, in any arrangement", () => {
  expect(isSplitCard(["loss/validation", "loss/train"])).toBe(true);
  expect(isSplitCard(["train/loss", "val/loss", "test/loss"])).toBe(true);
  expect(isSplitCard(["loss", "val_loss"])).toBe(true);
  for (const others of [
    [],
    ["loss/train"],
    ["loss/train", "acc/validation"],
    ["train/kl", "val/kl"],
    ["lr/train", "lr/val"],
    ["loss/train", "loss/train"],
    ["loss", "loss_train", "loss_val", "loss_test", "loss_eval"],
  ]) {
    expect(isSplitCard(others)).toBe(false);
  }
  expect(tellingSplit(["loss/train", "loss/validation", "loss/test"])).toBe("loss/validation");
  expect(tellingSplit(["loss/train", "loss/test"])).toBe("loss/test");
});

test("tags are arranged by the names that they are known by", () => {
  const tags = ["train/loss/end", "val/loss/end", "b/end", "b/x/end"];
  const groups = arrange(tags, (tag) => tag.replace(/\/end$/, ""));
  expect(groups.map(({ name, cards }) => [name, cards.map((card) => card.tags)])).toEqual([
    ["/headline", [["train/loss/end", "val/loss/end"]]],
    ["/ordinary", [["b/end"]]],
    ["b", [["b/x/end"]]],
  ]);
});

test("groups stay where they are when better tags come to them; those that come stand where they belong", () => {
  const before = ["a/x", "b/x", "z/x"];
  const after = ["a/x", "b/x", "c/loss", "z/loss", "z/x"];
  expect(shown(after).map(([name]) => name)).toEqual(["c", "z", "a", "b"]);
  expect(shown(after, ranksOf(before, itself)).map(([name]) => name)).toEqual(["c", "a", "b", "z"]);
});

test("a group with the reward of a run stands before the group of losses, whatever is evaluated", () => {
  const tags = ["eval/mean_reward", "rollout/ep_len_mean", "rollout/ep_rew_mean", "train/loss"];
  expect(shown(tags).map(([name]) => name)).toEqual(["rollout", "/headline"]);
  expect(isReward("rollout/ep_rew_mean")).toBe(true);
  expect(["rewards/chosen", "reward_std", "loss"].some(isReward)).toBe(false);
});

test("a word of very many digits takes no time", () => {
  const tags = Array.from({ length: 20 }, (_, i) => `${"1".repeat(20_000 + i)}x/loss${"2".repeat(20_000)}`);
  const before = performance.now();
  expect(arrange(tags).flatMap(({ cards }) => cards)).toHaveLength(tags.length);
  // A regular expression took 4,000.
  expect(performance.now() - before).toBeLessThan(1_000);
});

test("15,000 tags are arranged in natural order", () => {
  const tags = Array.from({ length: 15_000 }, (_, i) => `layer${i % 150}/weight${i}`).sort(compareNatural);
  expect(arrange(tags).flatMap(({ cards }) => cards.flatMap((card) => card.tags))).toEqual(tags);
});
