import { expect, test } from "vitest";
import { endOf, keptPart } from "../../src/ui/elided";

test("a long name keeps the part after its last slash, or otherwise its end", () => {
  const ends = [
    "short/name",
    "encoder/layers/12/attention/0",
    "encoder/layers/12/attention/kernel",
    `a/${"b".repeat(40)}`,
    "x".repeat(40),
    "lr=1e-2,batch=32,seed=0",
    `${"x".repeat(40)}/`,
    // Characters of two UTF-16 units, and a cut within one of them.
    `${"🙂".repeat(20)}.`,
    "🙂".repeat(20),
  ];
  expect(ends.map((name) => (endOf(name) === 0 ? "" : name.slice(-endOf(name))))).toEqual([
    "",
    "/attention/0",
    "kernel",
    "b".repeat(12),
    "x".repeat(12),
    "ch=32,seed=0",
    `${"x".repeat(11)}/`,
    `${"🙂".repeat(6)}.`,
    "🙂".repeat(6),
  ]);
});

test("the end of a name does not begin with an ellipsis, which the beginning may get as well", () => {
  const names = ["adamw_cosine_warmup…lr0.01_seed3", "experiments/imagenet/…lr0.01"];
  expect(names.map((name) => name.slice(-endOf(name)))).toEqual(["lr0.01_seed3", "lr0.01"]);
});

test("a name that is short for most places keeps its last part or a half in a narrow one", () => {
  const names = ["loss/validation", "accuracy/validation", "a/validation", "seed1", "lr0.01_seed3"];
  expect(names.map((name) => name.slice(name.length - endOf(name, 8)))).toEqual([
    "validation",
    "validation",
    "dation",
    "",
    "_seed3",
  ]);
});

test("the distinctive part of a name leaves space for its beginning, or is the whole name", () => {
  const kept = (names: readonly string[]) => names.map((name) => name.slice(...(keptPart(name, names) ?? [0, 0])));
  expect(kept(["wide", "cosine", "dropout", "baseline"])).toEqual(["wide", "cosine", "pout", "eline"]);
  const alike = ["a_dropout", "b_dropout"];
  expect(new Set(kept(alike)).size).toBe(2);
  for (const names of [alike, ["lr1_mmmmmm", "lr2_mmmmmm"], ["x", "y"], ["adam_01", "adam_02"]]) {
    for (const [i, part] of kept(names).entries()) {
      const share = part.length / (names[i] as string).length;
      expect(share === 1 || share <= 3 / 4).toBe(true);
    }
  }
});
