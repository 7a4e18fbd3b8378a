import { effect, signal } from "@preact/signals";
import { expect, test } from "vitest";
import { computedList } from "../../src/lib/sortrows";

test("a computed list with the same items notifies nobody", () => {
  const source = signal<readonly string[]>(["scalars", "images"]);
  const list = computedList(() => source.value.filter((name) => name !== "text"));
  const told: (readonly string[])[] = [];
  const end = effect(() => {
    told.push(list.value);
  });
  source.value = ["scalars", "images", "text"];
  source.value = ["scalars", "images"];
  expect(told).toEqual([["scalars", "images"]]);
  source.value = ["images", "scalars"];
  expect(told.at(-1)).toEqual(["images", "scalars"]);
  expect(told).toHaveLength(2);
  end();
});
