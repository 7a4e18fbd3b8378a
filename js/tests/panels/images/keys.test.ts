import { expect, test } from "vitest";
import { columnsFor } from "../../../src/panels/images/viewer/runstages";
import { actionOf } from "../../../src/panels/images/zoom/keys";

const press = (key: string, held: Partial<Parameters<typeof actionOf>[0]> = {}) =>
  actionOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });

test("arrows go through steps and runs, and move the image with Shift", () => {
  expect(press("ArrowLeft")).toEqual({ does: "step", by: -1 });
  expect(press("ArrowDown")).toEqual({ does: "run", by: 1 });
  expect(press("ArrowLeft", { shiftKey: true })).toMatchObject({ does: "pan" });
  // A plus needs Shift on many keyboards.
  expect(press("+", { shiftKey: true })).toMatchObject({ does: "zoom" });
});

test("what belongs to the browser or the host is left alone", () => {
  expect(press("ArrowLeft", { altKey: true })).toBeUndefined();
  expect(press("0", { ctrlKey: true })).toBeUndefined();
  expect(press("-", { metaKey: true })).toBeUndefined();
  expect(press("constructor")).toBeUndefined();
  expect(press("Escape")).toBeUndefined();
});

test("runs stand in as many columns as make their images largest", () => {
  expect(columnsFor(1, 1, 1.6)).toBe(1);
  expect(columnsFor(2, 1, 1.6)).toBe(2);
  expect(columnsFor(2, 4, 1.6)).toBe(1);
  expect(columnsFor(12, 1, 1.6)).toBe(4);
  expect(columnsFor(3, 1, 0.5)).toBe(1);
});
