import { expect, test } from "vitest";
import { widthOf } from "../../src/panels/graphs/draw/frame";
import { fitLabel, LINE_HEIGHT, MIN_LINE_HEIGHT, SIGN_WIDTH } from "../../src/panels/graphs/draw/labels";

const USUAL = 11;
const MIN_FONT_PX = 6.5;
/** Space for `letters` letters of the usual size, and `lines` lines. */
const room = (letters: number, lines = 1) => ({
  width: widthOf("x".repeat(letters)) * USUAL,
  height: lines * LINE_HEIGHT * USUAL,
  usual: USUAL,
  least: MIN_FONT_PX,
  beyond: 0,
});

test("a label is whole, with its badge and the sign, where there is room", () => {
  const fit = fitLabel("layer", " ×24", true, room(12));
  expect(fit).toEqual({ lines: ["layer ×24"], size: USUAL, hasSign: true });
});

test("it goes without the sign rather than being much smaller", () => {
  const tight = fitLabel("layer", "", true, { ...room(5), width: (widthOf("layer") + 0.9 * SIGN_WIDTH) * USUAL });
  expect(tight?.hasSign).toBe(true);
  expect(tight?.size).toBeLessThan(USUAL);
  expect(fitLabel("layer", "", true, room(5))).toEqual({ lines: ["layer"], size: USUAL, hasSign: false });
});

test("it is smaller rather than on two lines, on two lines rather than cut", () => {
  expect(fitLabel("cross_entropy", "", false, room(10, 2))?.lines).toEqual(["cross_entropy"]);
  expect(fitLabel("cross_entropy", " ×2", false, room(9, 2))?.lines).toEqual(["cross", "_entropy ×2"]);
  expect(fitLabel("crossEntropyLoss", "", false, room(9, 2))?.lines).toEqual(["cross", "EntropyLoss"]);
  expect(fitLabel("Block[attention]", "", false, room(9, 2))?.lines).toEqual(["Block", "[attention]"]);
});

test("unreadable letters are not drawn: a cut label keeps both ends and the badge", () => {
  const cut = fitLabel("abcdefghijklmnopqrstuvwxyz", " ×24", true, room(10));
  expect(cut?.size).toBe(MIN_FONT_PX);
  expect(cut?.lines[0]).toMatch(/^abc.*….*xyz ×24$/);
  expect(fitLabel("abcdefghijklmnopqrstuvwxyz", "", false, room(1))).toBeNull();
  expect(fitLabel("a", "", false, { ...room(5), height: 0.9 * MIN_FONT_PX })).toBeNull();
});

test("a short one stands out of its box rather than being cut", () => {
  const beyond = widthOf("NoOp") * MIN_FONT_PX;
  expect(fitLabel("NoOp", "", true, { ...room(2), beyond })).toEqual({
    lines: ["NoOp"],
    size: MIN_FONT_PX,
    hasSign: false,
  });
  expect(fitLabel("NoOps", "", true, { ...room(2), beyond })?.lines).not.toEqual(["NoOps"]);
});

test("every label fits its space", () => {
  for (const label of ["a", "gradient_tape", "sparse_categorical_crossentropy/loss", "Ünï cödé", "_".repeat(500)]) {
    for (const badge of ["", " ×360"]) {
      for (let letters = 1; letters < 40; letters++) {
        for (const lines of [0.4, 0.52, 0.6, 1, 2, 3]) {
          const given = { ...room(letters, lines), usual: Math.max(MIN_FONT_PX, Math.min(USUAL, lines * USUAL)) };
          const fit = fitLabel(label, badge, true, given);
          for (const line of fit?.lines ?? []) {
            expect(widthOf(line) * (fit?.size ?? 0)).toBeLessThanOrEqual(given.width + 0.01);
          }
          const line = fit?.size === MIN_FONT_PX ? MIN_LINE_HEIGHT : LINE_HEIGHT;
          expect((fit?.lines.length ?? 0) * (fit?.size ?? 0) * line).toBeLessThanOrEqual(given.height + 0.01);
          expect(fit?.size ?? MIN_FONT_PX).toBeGreaterThanOrEqual(MIN_FONT_PX);
        }
      }
    }
  }
});
