import { expect, test } from "vitest";
import { pythonLiteral } from "../../src/lib/pythonliteral";
import stored from "../fixtures/literals.json?raw";

// As text: it holds lone surrogates.
const literals: { readonly text: string; readonly literal: string }[] = JSON.parse(stored);

test("readable characters stay unchanged, and quotes follow Python", () => {
  expect(pythonLiteral("runs/한국어 é.pt")).toBe("'runs/한국어 é.pt'");
  expect(pythonLiteral("it's")).toBe('"it\'s"');
  expect(pythonLiteral("\u202e\n")).toBe("'\\u202e\\n'");
});

// tests/unit/test_panels_checkpoints.py evaluates these in Python.
test.each(literals)("hostile names are the literals that Python is tested with: $literal", ({ text, literal }) => {
  expect(pythonLiteral(text)).toBe(literal);
  expect(literal).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);
});
