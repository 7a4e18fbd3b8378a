import { expect, test } from "vitest";
import { compareNatural } from "../../src/lib/natural";
import names from "../fixtures/natural.json";

test("names sort as the kernel sorts them", () => {
  expect([...names].reverse().sort(compareNatural)).toEqual(names);
});

test("numbers of any length compare", () => {
  expect(compareNatural(`a${"9".repeat(400)}`, `a1${"0".repeat(400)}`)).toBeLessThan(0);
});

test("equal names are equal", () => {
  expect(compareNatural("run1", "run1")).toBe(0);
});
