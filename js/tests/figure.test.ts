import { expect, test } from "vitest";
import { type Mark, paintMark, themed } from "../src/figure";

const PAIRS = { "#07719f": "#2299d4", "#da8f0b": "#ffb65c" };

test("a dark page has its own colors of runs, and a light one the kernel's", () => {
  const dark = themed(["#07719f", "#da8f0b"], "dark", PAIRS);
  expect(dark).toEqual(["#2299d4", "#ffb65c"]);
  expect(themed(dark, "light", PAIRS)).toEqual(["#07719f", "#da8f0b"]);
  expect(themed(dark, "dark", PAIRS)).toEqual(dark);
});

test("colors set by the user stay", () => {
  expect(themed(["crimson", "constructor"], "dark", PAIRS)).toEqual(["crimson", "constructor"]);
});

/** A model that, like ipywidgets', buffers changes, and sends them with `save_changes`. */
class FakeMark implements Mark {
  _buffered_state_diff: Record<string, unknown> = {};
  #colors: unknown = ["#07719f"];

  get(): unknown {
    return this.#colors;
  }

  set(name: string, value: unknown): void {
    this.#colors = name === "colors" ? value : this.#colors;
    this._buffered_state_diff = { ...this._buffered_state_diff, [name]: value };
  }

  on(): void {}

  off(): void {}
}

test("colors of a dark page are not sent to the kernel; other pending changes and the user's colors are", () => {
  const mark = new FakeMark();
  mark.set("selected", [1]);
  paintMark(mark, ["#2299d4"]);
  expect([mark.get(), mark._buffered_state_diff]).toEqual([["#2299d4"], { selected: [1] }]);
  mark.set("colors", ["#da8f0b"]);
  paintMark(mark, ["#ffb65c"]);
  expect([mark.get(), mark._buffered_state_diff]).toEqual([["#ffb65c"], { selected: [1], colors: ["#da8f0b"] }]);
});
