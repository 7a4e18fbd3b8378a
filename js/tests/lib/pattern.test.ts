import { expect, test } from "vitest";
import { containsText, type ParsedPattern, parsePattern } from "../../src/lib/pattern";

function faultOf(parsed: ParsedPattern): string | null {
  return parsed.type === "invalid" ? parsed.fault : null;
}

test.each(["loss", "loss|acc", "^train/", "lr0.1$", "a\\.b", "[a-c]x", "[(a+)]", "\\d\\d", "a.b|[^x]"])(
  "%s matches in a time that is bounded",
  (text) => {
    expect(parsePattern(text).type).toBe("bounded");
  },
);

test("a bounded pattern is found anywhere, upper and lower case alike", () => {
  const parsed = parsePattern("LOSS|^acc");
  const expression = parsed.type === "bounded" ? parsed.expression : /never/;
  expect(["train/loss", "accuracy", "my_accuracy"].map((name) => expression.test(name))).toEqual([true, true, false]);
});

// Without a quantifier, groups of alternatives take as long: each of them may match in two ways.
test.each([
  "a*",
  "a+",
  "ab?",
  "a{2}",
  "(a+)+",
  ".*.*.*.*.*\\d",
  "(?:a{0,200}){3}(?:a{0,200}){3}z",
  "(a|a)(a|a)(a|a)",
  "(?=.*a)b",
  "(.)\\1",
  "\\u0061",
  "[a]+",
])("%s may take forever", (text) => {
  expect(parsePattern(text).type).toBe("unbounded");
});

test("no text matches everything", () => {
  expect(parsePattern("").type).toBe("all");
});

test.each([
  ["(", "openGroup"],
  ["a)", "closedGroup"],
  ["[a", "openClass"],
  ["*", "nothingToRepeat"],
  ["\\", "loneBackslash"],
  ["a{2,1}", "orderOfNumbers"],
  ["[b-a]", "orderOfRange"],
  ["(?%a)", "badGroup"],
  ["(?<1>a)", "badName"],
])("%s is no expression: %s", (text, fault) => {
  expect(faultOf(parsePattern(text))).toBe(fault);
});

test("plain text is found anywhere, upper and lower case alike", () => {
  const contains = containsText("(A+)+");
  expect(["x(a+)+", "aaa"].map(contains)).toEqual([true, false]);
});
