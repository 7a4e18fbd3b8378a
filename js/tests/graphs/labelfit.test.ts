import { expect, test } from "vitest";
import { widthOf } from "../../src/panels/graphs/draw/frame";
import { fitLabel, LINE_HEIGHT, MIN_LINE_HEIGHT, SIGN_WIDTH } from "../../src/panels/graphs/draw/labels";

const SIZE = 11;
/** Space for `letters` letters, and `lines` lines. */
const room = (letters: number, lines = 1) => ({
  width: widthOf("x".repeat(letters)) * SIZE,
  height: lines * LINE_HEIGHT * SIZE,
  size: SIZE,
  beyond: 0,
});

test("a label is whole, with its badge and the sign, where there is room", () => {
  expect(fitLabel("layer", " ×24", true, room(12))).toEqual({ lines: ["layer ×24"], hasSign: true });
});

test("it goes without the sign rather than on two lines", () => {
  const tight = { ...room(13, 2), width: (widthOf("cross_entropy") + SIGN_WIDTH) * SIZE };
  expect(fitLabel("cross_entropy", "", true, tight)).toEqual({ lines: ["cross_entropy"], hasSign: true });
  expect(fitLabel("cross_entropy", "", true, room(13, 2))).toEqual({ lines: ["cross_entropy"], hasSign: false });
});

test("it stands on two lines rather than being cut", () => {
  expect(fitLabel("cross_entropy", "", false, room(13, 2))?.lines).toEqual(["cross_entropy"]);
  expect(fitLabel("cross_entropy", " ×2", false, room(12, 2))?.lines).toEqual(["cross", "_entropy ×2"]);
  expect(fitLabel("crossEntropyLoss", "", true, room(15, 2))).toEqual({
    lines: ["cross", "EntropyLoss"],
    hasSign: true,
  });
  expect(fitLabel("Block[attention]", "", true, room(11, 2))).toEqual({
    lines: ["Block", "[attention]"],
    hasSign: false,
  });
});

test("a cut label keeps both ends and the badge", () => {
  const cut = fitLabel("abcdefghijklmnopqrstuvwxyz", " ×24", true, room(14));
  expect(cut?.lines).toEqual(["abcd…wxyz ×24"]);
  expect(fitLabel("abcdefghijklmnopqrstuvwxyz", "", false, room(1))).toBeNull();
  expect(fitLabel("a", "", false, { ...room(5), height: 0.9 * SIZE })).toBeNull();
});

test("a short one stands out of its box rather than being cut", () => {
  const beyond = widthOf("NoOp") * SIZE;
  expect(fitLabel("NoOp", "", true, { ...room(2), beyond })).toEqual({ lines: ["NoOp"], hasSign: false });
  expect(fitLabel("NoOps", "", true, { ...room(2), beyond })?.lines).not.toEqual(["NoOps"]);
});

test("every label fits its space", () => {
  for (const label of ["a", "gradient_tape", "sparse_categorical_crossentropy/loss", "Ünï cödé", "_".repeat(500)]) {
    for (const badge of ["", " ×360"]) {
      for (let letters = 1; letters < 40; letters++) {
        for (const lines of [0.4, 0.85, 1, 2, 3]) {
          const given = room(letters, lines);
          const fit = fitLabel(label, badge, true, given);
          const shown = fit?.lines ?? [];
          for (const line of shown) {
            expect(widthOf(line) * SIZE).toBeLessThanOrEqual(given.width + 0.01);
          }
          const high = shown.length > 1 ? LINE_HEIGHT : MIN_LINE_HEIGHT;
          expect(shown.length * SIZE * high).toBeLessThanOrEqual(given.height + 0.01);
        }
      }
    }
  }
});
