import { expect, test } from "vitest";
import { commandOf } from "../../src/charts/keyboard";

const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

test.each([
  ["ArrowLeft", { name: "pan", by: -0.15 }],
  ["ArrowRight", { name: "pan", by: 0.15 }],
  ["+", { name: "zoom", factor: 0.7 }],
  ["=", { name: "zoom", factor: 0.7 }],
  ["-", { name: "zoom", factor: 1 / 0.7 }],
  ["0", { name: "all" }],
  ["Home", { name: "all" }],
  [",", { name: "step", direction: -1 }],
  [".", { name: "step", direction: 1 }],
  ["Enter", { name: "link" }],
  [" ", { name: "link" }],
  ["Escape", { name: "hide" }],
  ["ArrowUp", { name: "upright", direction: -1 }],
  ["ArrowDown", { name: "upright", direction: 1 }],
  ["Tab", null],
  ["a", null],
])("%j", (key, command) => {
  expect(commandOf({ ...plain, key })).toEqual(command);
  for (const modifier of ["ctrlKey", "metaKey", "altKey"]) {
    expect(commandOf({ ...plain, key, [modifier]: true })).toBeNull();
  }
});

test("with Shift, arrows go from point to point, and plus is where keyboards have it", () => {
  expect(commandOf({ ...plain, key: "ArrowRight", shiftKey: true })).toEqual({ name: "step", direction: 1 });
  expect(commandOf({ ...plain, key: "ArrowLeft", shiftKey: true })).toEqual({ name: "step", direction: -1 });
  expect(commandOf({ ...plain, key: "+", shiftKey: true })).toEqual({ name: "zoom", factor: 0.7 });
});
