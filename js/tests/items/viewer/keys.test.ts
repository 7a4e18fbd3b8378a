import { expect, test } from "vitest";
import { columnsFor } from "../../../src/items/viewer/rungrid";
import { stepActionOf } from "../../../src/items/viewer/state";

const press = (key: string, held: Partial<Parameters<typeof stepActionOf>[0]> = {}) =>
  stepActionOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });

test("arrows go through steps and runs, but not with Shift", () => {
  expect(press("ArrowLeft")).toEqual({ does: "step", by: -1 });
  expect(press("ArrowDown")).toEqual({ does: "run", by: 1 });
  expect(press("ArrowLeft", { shiftKey: true })).toBeUndefined();
  expect(press("ArrowLeft", { altKey: true })).toBeUndefined();
  expect(press("constructor")).toBeUndefined();
});

test("runs stand in as many columns as make their items largest", () => {
  expect(columnsFor(1, 1, 1.6)).toBe(1);
  expect(columnsFor(2, 1, 1.6)).toBe(2);
  expect(columnsFor(2, 4, 1.6)).toBe(1);
  expect(columnsFor(12, 1, 1.6)).toBe(4);
  expect(columnsFor(3, 1, 0.5)).toBe(1);
});
