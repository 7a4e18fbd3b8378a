import { expect, test } from "vitest";
import { placeTooltip } from "../../src/ui/tooltip";

const DASHBOARD = { width: 600, height: 400 };
const TOOLTIP = { width: 200, height: 100 };

/** Whether the tooltip covers the place that it is about. */
function covers(at: { left: number; top: number }, size: { width: number; height: number }, dashboard = DASHBOARD) {
  const { left, top } = placeTooltip(at, size, dashboard);
  const inside = left >= 0 && top >= 0 && left + size.width <= dashboard.width && top + size.height <= dashboard.height;
  expect(inside).toBe(true);
  return at.left >= left && at.left <= left + size.width && at.top >= top && at.top <= top + size.height;
}

test("it is at the right, or at the left where there is no room", () => {
  expect(placeTooltip({ left: 100, top: 100 }, TOOLTIP, DASHBOARD)).toEqual({ left: 114, top: 114 });
  expect(placeTooltip({ left: 500, top: 100 }, TOOLTIP, DASHBOARD)).toEqual({ left: 286, top: 114 });
});

test("it stays in the dashboard, and never covers its place where there is room beside, above or below", () => {
  for (let left = 5; left < 600; left += 17) {
    for (let top = 5; top < 400; top += 13) {
      expect(covers({ left, top }, TOOLTIP)).toBe(false);
      expect(covers({ left, top }, { width: 560, height: 150 })).toBe(false);
    }
  }
});
