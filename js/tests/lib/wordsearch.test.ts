import { expect, test } from "vitest";
import { lowered, NOT_FOUND, WordQuery } from "../../src/lib/wordsearch";

const rank = (query: string, name: string, context?: string) => new WordQuery(query).rank(name, lowered(name), context);
const marks = (query: string, name: string) =>
  new WordQuery(query).parts(name).map(([from, to]) => name.slice(from, to));

test.each([
  ["loss", "loss/train", ["loss"]],
  ["LOSS", "Loss/Train", ["Loss"]],
  ["train", "loss/train", ["train"]],
  ["rai", "loss/train", ["rai"]],
  ["train loss", "loss/train", ["loss", "train"]],
  ["vacc", "validation/accuracy", ["v", "acc"]],
  ["lt", "lossTrain", ["l", "T"]],
  ["l2w", "layer2/weights", ["l", "2", "w"]],
  ["ll", "loss/l", ["l", "l"]],
  ["lossx", "loss/x", ["loss", "x"]],
  ["lolo", "layer/loss/look", ["lo", "lo"]],
  ["손실", "학습/손실", ["손실"]],
  ["🙂", "a🙂b", ["🙂"]],
])("%s finds %s", (query, name, found) => {
  expect(rank(query, name)).not.toBe(NOT_FOUND);
  expect(marks(query, name)).toEqual(found);
});

test.each([
  ["tl", "loss/train"],
  ["losst", "loss"],
  ["oi", "loss/train"],
  ["loss accuracy", "loss/train"],
  ["x", ""],
])("%s does not find %s", (query, name) => {
  expect(rank(query, name)).toBe(NOT_FOUND);
  expect(marks(query, name).join("")).not.toBe(query);
});

test("the beginning of a name counts more than the beginning of a word, and that more than any other position", () => {
  const names = ["floss", "my/loss", "loss/train", "l/o/s/s", "loss"];
  const sorted = names.toSorted((a, b) => rank("loss", a) - rank("loss", b));
  expect(sorted).toEqual(["loss", "loss/train", "my/loss", "floss", "l/o/s/s"]);
});

test("a word may stand in the context, which has no marks", () => {
  expect(rank("scalars loss", "loss/train", "Scalars")).not.toBe(NOT_FOUND);
  expect(rank("calars loss", "loss/train", "Scalars")).toBe(NOT_FOUND);
  expect(marks("scalars loss", "loss/train")).toEqual(["loss"]);
});

test("an empty query finds everything", () => {
  expect(new WordQuery(" \t").isEmpty).toBe(true);
  expect(rank("", "anything")).toBe(0);
});

test("letters whose small form is longer move no mark", () => {
  const name = "İİİ/loss";
  expect(marks("loss", name)).toEqual(["loss"]);
});

test("the work is bounded, whatever the name and the query", () => {
  const names = Array.from({ length: 15_000 }, (_, i) => `${"a/".repeat(100)}layer${i}`);
  const lower = names.map(lowered);
  const began = performance.now();
  for (const query of ["a".repeat(100), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "a a a a a a a a b", "/a/a/a/b"]) {
    const words = new WordQuery(query);
    expect(names.filter((name, i) => words.rank(name, lower[i] as string) !== NOT_FOUND)).toEqual([]);
  }
  expect(performance.now() - began).toBeLessThan(5000);
});

test("parts never overlap and stand in the name, whatever is typed", () => {
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const text = (most: number) => Array.from({ length: next(most) }, () => "abAB1/ _é🙂"[next(11)] ?? "").join("");
  for (let round = 0; round < 3000; round += 1) {
    const [query, name] = [text(6), text(14)];
    const parts = new WordQuery(query).parts(name);
    for (const [i, [from, to]] of parts.entries()) {
      expect([from < to, to <= name.length, i === 0 || (parts[i - 1]?.[1] ?? 0) < from]).toEqual([true, true, true]);
    }
    if (rank(query, name) !== NOT_FOUND) {
      // The marked text contains each typed character.
      const found = marks(query, name).join("").toLowerCase();
      expect([...query.replace(/\s/g, "").toLowerCase()].every((one) => found.includes(one))).toBe(true);
    }
  }
});
