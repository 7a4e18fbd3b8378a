import { expect, test } from "vitest";
import { actionOf } from "../../../src/panels/images/zoom/gestures";

const press = (key: string, held: Partial<Parameters<typeof actionOf>[0]> = {}) =>
  actionOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held });

test("arrows move the image with Shift, and do nothing to it without", () => {
  expect(press("ArrowLeft", { shiftKey: true })).toMatchObject({ does: "pan" });
  expect(press("ArrowLeft")).toBeUndefined();
  // A plus needs Shift on many keyboards.
  expect(press("+", { shiftKey: true })).toMatchObject({ does: "zoom" });
});

test("keys of the browser or the host are left alone", () => {
  expect(press("0", { ctrlKey: true })).toBeUndefined();
  expect(press("-", { metaKey: true })).toBeUndefined();
  expect(press("constructor")).toBeUndefined();
  expect(press("Escape")).toBeUndefined();
});
