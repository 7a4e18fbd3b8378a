import { effect } from "@preact/signals";
import { expect, test } from "vitest";
import { KeyedSignals } from "../../src/ui/keyed";

test("the state of a card in a view belongs to one panel and one name", () => {
  const open = new KeyedSignals(true);
  open.of("scalars", "loss").value = false;
  expect([
    open.of("scalars", "loss").value,
    open.of("histograms", "loss").value,
    open.of("scalars", "lr").value,
  ]).toEqual([false, true, true]);
  expect(open.of("scalars", "loss")).toBe(open.of("scalars", "loss"));
});

test("a name cannot be taken for another one with its panel", () => {
  const state = new KeyedSignals(0);
  state.of("a", 'b","c').value = 1;
  expect([state.of('a","b', "c").value, state.of("__proto__", "x").value]).toEqual([0, 0]);
});

test("the last used of too many signals are kept, and all with dependents", () => {
  const zoom = new KeyedSignals(1, 3);
  const names = ["a", "b", "c", "d", "e"];
  const end = effect(() => void zoom.of("scalars", "a").value);
  for (const name of names) {
    zoom.of("scalars", name).value = 2;
  }
  // Reading the evicted entry recreates it and evicts another one, so it is read last.
  expect(["a", "c", "d", "e", "b"].map((name) => zoom.of("scalars", name).peek())).toEqual([2, 2, 2, 2, 1]);
  end();
});
