import { expect, test } from "vitest";
import { tagsOf } from "../../../src/items/viewer/side";
import { images } from "../../../src/panels/images/codec";
import { imageItems } from "../../../src/panels/images/item";
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
