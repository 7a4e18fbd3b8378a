import { expect, test } from "vitest";
import { compareTexts, type DiffLine, folded } from "../../../src/panels/text/comparison";

const SIGNS = { same: " ", removed: "-", added: "+" };

/** Lines as in a patch, with changed words in brackets. */
function patch(lines: readonly DiffLine[] | null): string[] {
  return (lines ?? []).map(
    ({ way, parts }) => SIGNS[way] + parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(""),
  );
}

const plain = (lines: readonly DiffLine[] | null, way: "removed" | "added") =>
  (lines ?? [])
    .filter((line) => line.way === way || line.way === "same")
    .map(({ parts }) => parts.map(({ text }) => text).join(""))
    .join("\n");

test("lines differ, and words within those that were edited", () => {
  expect(patch(compareTexts("one\ntwo words here\nthree", "one\ntwo other here\nthree\nfour"))).toEqual([
    " one",
    "-two [words] here",
    "+two [other] here",
    " three",
    "+four",
  ]);
});

test("lines that were replaced entirely have no marked words", () => {
  expect(patch(compareTexts("alpha beta", "gamma"))).toEqual(["-alpha beta", "+gamma"]);
});

test("equal texts have equal lines, whatever ends them", () => {
  expect(patch(compareTexts("a\nb\n", "a\r\nb"))).toEqual([" a", " b"]);
  expect(patch(compareTexts("", ""))).toEqual([]);
  expect(patch(compareTexts("", "a\n\nb"))).toEqual(["+a", "+", "+b"]);
});

test("both texts can be had back from the lines", () => {
  let seed = 1;
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  for (let turn = 0; turn < 200; turn += 1) {
    const made = () => Array.from({ length: random(6) }, () => ["a", "b c", "", "b d c", "<i>"][random(5)]).join("\n");
    const [before, after] = [made(), made()];
    const lines = compareTexts(before, after);
    expect([plain(lines, "removed"), plain(lines, "added")].map((text) => text.trim())).toEqual([
      before.trim(),
      after.trim(),
    ]);
  }
});

test("long stretches of equal lines are folded, with some about what differs", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
  const other = lines.with(20, "changed");
  const rows = folded(compareTexts(lines.join("\n"), other.join("\n")) ?? []);
  const said = rows.map((row) => ("way" in row ? patch([row])[0] : row.lines.length));
  expect(said).toEqual([
    17,
    " line 17",
    " line 18",
    " line 19",
    "-line 20",
    "+changed",
    " line 21",
    " line 22",
    " line 23",
    16,
  ]);
  expect(rows.reduce((sum, row) => sum + ("way" in row ? 1 : row.lines.length), 0)).toBe(41);
});

test("few equal lines are not worth folding", () => {
  const rows = folded(compareTexts("a\nb\nc\nd\ne\nf\nX", "a\nb\nc\nd\ne\nf\nY") ?? []);
  expect(rows.every((row) => "way" in row)).toBe(true);
});
