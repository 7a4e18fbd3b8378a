import { expect, test } from "vitest";
import { compilePattern } from "../../src/lib/pattern";

test("a pattern is found anywhere, upper and lower case alike", () => {
  const { matches, error } = compilePattern("LOSS|^acc");
  expect(error).toBeNull();
  expect(["train/loss", "accuracy", "my_accuracy"].map(matches)).toEqual([true, true, false]);
});

test("no text matches everything", () => {
  expect(compilePattern("").matches("anything")).toBe(true);
});

test.each(["(", "[a", "*", "a{2,1}", "\\"])("%s is no expression, which is said and hides nothing", (text) => {
  const { matches, error } = compilePattern(text);
  expect(error).toMatch(/\w+ \w+/);
  expect(error).not.toContain("/i");
  expect(matches("anything")).toBe(true);
});
