import { expect, test } from "vitest";
import { stepActionOf } from "../../src/items/viewer/state";

test("page keys of a viewer go where those of a slider of steps go: Page Up to later steps", () => {
  const by = (key: string) => stepActionOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false });
  expect([by("PageUp"), by("PageDown")]).toEqual([
    { does: "step", by: 10 },
    { does: "step", by: -10 },
  ]);
});
