import { expect, test, vi } from "vitest";
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

test.each([
  "(a+)+",
  "(.*)*",
  "(\\w+/?)*$",
  "((a+)?)*",
  "(a|a)+",
  "(a|.)*b",
  "([a-z]+){9}",
  ".*.*.*.*.*.*x",
  "(?:a*)+",
  "(?<n>a*)+",
])("%s may take for ever, which is said and hides nothing", (text) => {
  const { matches, error } = compilePattern(text);
  expect(error).toBe("too slow");
  expect(matches("b")).toBe(true);
});

test.each([
  "loss|acc",
  "(loss|acc)",
  "^a.*/(lr|bs)[0-9]+$",
  "(ab)+",
  "(\\d{4}-)+",
  "\\(a+\\)+",
  "[(a+)]+",
  "(x|y)*",
  "(a+)?b",
  "(?=.*a).*b",
])("%s is quick", (text) => {
  expect(compilePattern(text).error).toBeNull();
});

test("a pattern that has taken too long says so once, and hides nothing from then on", () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 60;
    return now;
  });
  const slow = vi.fn();
  const { matches } = compilePattern("x", slow);
  const asked = ["a", "a", "b", "c"].map(matches);
  expect([asked, slow.mock.calls.length]).toEqual([[false, false, false, false], 0]);
  expect([matches("d"), slow.mock.calls.length]).toEqual([false, 1]);
  expect([matches("e"), matches("a"), slow.mock.calls.length]).toEqual([true, true, 1]);
  clock.mockRestore();
});
