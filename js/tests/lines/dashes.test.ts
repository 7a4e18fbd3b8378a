import { expect, test } from "vitest";
import { tagStyle } from "../../src/lines/paint";

test("tags of one chart differ by dashes, and then by lightness, in the color of their run", () => {
  const styles = Array.from({ length: 12 }, (_, i) => tagStyle(i, "light"));
  const looks = styles.map(({ dash, colorOf }) => JSON.stringify([dash, colorOf("#4080c0")]));
  expect(new Set(looks).size).toBe(12);
  expect([styles[0]?.dash, styles[0]?.colorOf("#4080c0")]).toEqual([[], "#4080c0"]);
  // 40 % of the way to black, and 40 % of the rest; on dark, to white.
  expect(styles[5]?.colorOf("#4080c0")).toBe("#264d73");
  expect(styles[10]?.colorOf("#64c800")).toBe("#244800");
  expect(tagStyle(5, "dark").colorOf("#000064")).toBe("#6666a2");
});
