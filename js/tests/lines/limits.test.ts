import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { limitsOf } from "../../src/lines/axes";
import type { ValueLimits } from "../../src/lines/valuerange";
import type { View } from "../../src/ui/view";

function limits(chosen: Record<string, ValueLimits>, ...tags: string[]) {
  const table = { y_ranges: signal(new Map(Object.entries(chosen))) };
  return limitsOf({ options: { of: () => table } } as unknown as Pick<View, "options">, tags);
}

test("a card of several tags has the limits that all of them have, the widest", () => {
  expect(limits({ a: [0, 2] }, "a")).toEqual([0, 2]);
  expect(limits({ a: [0, 2], b: [-1, null] }, "a", "b")).toEqual([-1, null]);
  expect(limits({ a: [0, 2], b: [1, 5] }, "a", "b")).toEqual([0, 5]);
  expect(limits({ a: [0, 2] }, "a", "b")).toBeUndefined();
  expect(limits({ a: [0, null], b: [null, 1] }, "a", "b")).toBeUndefined();
  expect(limits({}, "a")).toBeUndefined();
});
