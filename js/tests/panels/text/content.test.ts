import { expect, test } from "vitest";
import { breakLongWords, shownPart } from "../../../src/panels/text/content";

function longestWord(text: string): number {
  return Math.max(...text.split(/\s+/u).map((word) => word.length));
}

test.each([
  ["accents", `a${"\u0300".repeat(50_000)}`],
  ["accents after letters", "\u0628\u064e".repeat(25_000)],
  ["vowels that attach", `\u0e01${"\u0e33".repeat(50_000)}`],
  ["letters that join", "\u0628".repeat(50_000)],
])("a word of very many %s is broken, and nothing is lost", (_, text) => {
  const broken = breakLongWords(text);
  expect(longestWord(broken)).toBeLessThan(1_100);
  expect(broken.replaceAll(" ", "")).toBe(text);
});

test.each([
  ["Latin", "a".repeat(50_000)],
  ["Chinese", "字".repeat(50_000)],
  ["Korean", "한".repeat(50_000)],
  ["ordinary Thai", "ภาษาไทย ".repeat(5_000)],
  ["lines", `${"\u0628".repeat(1_000)}\n`.repeat(50)],
])("%s text stays as it is", (_, text) => {
  expect(breakLongWords(text)).toBe(text);
});

test("a part that is shown is whole though its words are broken", () => {
  const text = `a${"\u0300".repeat(5_000)}`;
  const value = { shape: [], values: [text], cut: 0 };
  const part = shownPart(value, false);
  expect([part.whole, part.more]).toEqual([true, false]);
  expect(longestWord(part.values[0] ?? "")).toBeLessThan(1_100);
});
