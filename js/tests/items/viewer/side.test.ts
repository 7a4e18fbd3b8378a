import { expect, test } from "vitest";
import { stateOf, tagsOf } from "../../../src/items/viewer/side";
import { imageItems, images } from "../../../src/panels/images/codec";
import type { View } from "../../../src/ui/view";
import { Store } from "../../../src/wire/store";
import { placeOf } from "../../panels/images/made";
import { EMPTY } from "../../wire/made";

test("a run is compared only under tags in which it has items", () => {
  const store = new Store([images], 10_000);
  const held = (run: string, tag: string) => ({
    ...{ kind: "images", run, tag, revision: 1, keep: 0, total: 1, superseded: 0 },
    rows: [placeOf(1).row],
  });
  const items = [held("a", "x"), held("b", "x"), held("b", "y"), held("a", "z")];
  store.apply({ ...EMPTY, seq: 1, begins: true, items }, 0);
  const view = { channel: { store } } as unknown as View;
  expect(tagsOf(imageItems, "a", view)).toEqual(["x", "z"]);
  expect(tagsOf(imageItems, "b", view)).toEqual(["x", "y"]);
});

test("a side without an item at the step waits for nothing", () => {
  const { row } = placeOf(1);
  expect(stateOf({ row: undefined, reason: null, isCurrent: false })).toBe("broken");
  expect(stateOf({ row, reason: "damaged", isCurrent: false })).toBe("broken");
  expect(stateOf({ row, reason: null, isCurrent: false })).toBe("waits");
  expect(stateOf({ row, reason: null, isCurrent: true })).toBe("shown");
});
