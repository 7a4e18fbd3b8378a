import { expect, test } from "vitest";
import { cutText, endOf } from "../../src/ui/elided";

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

const measure = ({ length }: string) => length;
const cut = (text: string, width: number, among?: readonly string[]) =>
  cutText(text, { width, font: "" }, measure, undefined, among);

test("a cut name fits; its end stays, and of nested folders the inner ones", () => {
  expect([24, 14, 8].map((width) => cut("accuracy_of_the_larger/validation", width))).toEqual([
    "accuracy_of_t…validation",
    "acc…validation",
    "accur…on",
  ]);
  expect(cut("layer/attention_of_heads/key/gradient_norm", 30)).toBe("…on_of_heads/key/gradient_norm");
  expect(cut("first…validation_of_all_tags", 18)).toBe("first…_of_all_tags");
  expect(cut(`${"🙂".repeat(20)}.`, 20)).toBe(`${"🙂".repeat(3)}…${"🙂".repeat(6)}.`);
  expect(cut("a long name without any end", 1)).toBe("…");
});

test("the names of a list are cut so that all differ; a text from outside of it is cut alone", () => {
  const names = ["adam_lr0.001_bs32", "adam_lr0.001_bs128", "adam_lr0.0003_bs32", "adam_lr0.0003_bs128"];
  for (const width of [8, 10, 12, 14]) {
    const texts = names.map((name) => cut(name, width, names));
    expect(new Set(texts).size).toBe(names.length);
    expect(texts.every(({ length }) => length <= width)).toBe(true);
  }
  expect(cut("mean of all the runs here", 10, names)).toBe(cut("mean of all the runs here", 10));
});

test("the names of a list are cut once for widths that differ little, and the last used widths are remembered", () => {
  const names = ["adam_lr0.001_bs32", "adam_lr0.001_bs128", "adam_lr0.0003_bs32"];
  const cuts = (width: number) => {
    let measured = 0;
    const counted = (text: string) => {
      measured += 1;
      return text.length;
    };
    cutText(names[0] as string, { width, font: "" }, counted, undefined, names);
    return measured > 0;
  };
  expect([8, 15, 16, 12].map(cuts)).toEqual([true, false, true, false]);
  for (let width = 24; width < 72; width += 8) {
    cuts(width);
  }
  // A ninth width drops the least recently used one.
  expect([8, 72, 24, 8, 16].map(cuts)).toEqual([false, true, false, false, true]);
});
