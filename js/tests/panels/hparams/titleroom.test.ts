import { expect, test } from "vitest";
import { roomOf } from "../../../src/panels/hparams/parallel/parallel";

const places = { xs: [40, 160, 280], gap: 120, width: 320 } as unknown as Parameters<typeof roomOf>[2];

function roomsOf(...titles: readonly string[]) {
  const axes = titles.map((title) => ({ column: { title } })) as unknown as Parameters<typeof roomOf>[0];
  return titles.map((_, i) => roomOf(axes, i, places));
}

test("the last title begins where the one before it ends, if it does not fit around its axis", () => {
  const around = { before: 40, after: 40 };
  expect(roomsOf("lr", "batch", "loss")).toEqual([around, { before: 57, after: 57 }, around]);
  const [first, , last] = roomsOf("a long name", "lr", "the_best_loss_of_all");
  expect(first).toEqual(around);
  expect(last?.after).toBe(40);
  expect(last?.before).toBeGreaterThan(90);
  const [, , narrow] = roomsOf("lr", "hparam/accuracy_of_all", "the_best_loss_of_all");
  expect(narrow).toEqual({ before: 57, after: 40 });
});
