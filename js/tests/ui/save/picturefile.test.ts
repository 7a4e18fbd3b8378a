import { expect, test } from "vitest";
import { pngScale } from "../../../src/ui/save/picturefile";

test("a PNG has as many pixels as browsers allow", () => {
  expect(pngScale({ width: 1000, height: 800 })).toBe(2);
  const scale = pngScale({ width: 60_000, height: 40_000 });
  expect(scale * 60_000).toBeLessThanOrEqual(16_384);
  expect(scale * scale * 60_000 * 40_000).toBeCloseTo(64e6, 0);
});
