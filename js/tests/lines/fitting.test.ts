import { beforeEach, expect, test, vi } from "vitest";
import type { LineData } from "../../src/charts/extent";
import { LINEAR } from "../../src/lib/scale";
import { fittedLines } from "../../src/lines/beyond";
import { curveOf } from "../../src/lines/curve";
import { type LineChart, lineChart } from "../../src/lines/linechart";
import { points } from "../wire/made";
import { PLAIN } from "./options";

vi.mock("../../src/lines/beyond", { spy: true });

beforeEach(() => {
  vi.mocked(fittedLines).mockClear();
});

const lines = Array.from({ length: 4 }, (_, i) => curveOf(points([0, 1, 2], [i, 1, 2]), PLAIN));

/** Lays out a chart; how often it asked which lines the axis is fitted to. */
function asked(more: Partial<LineChart<never>>): number {
  const chart: LineChart<never> = {
    ...{
      lines,
      plots: [],
      lastStep: 2n,
      yScale: LINEAR,
      ignoreOutliers: true,
      marksCuts: true,
      theme: "light",
      bytes: 0,
    },
    x: { kind: "number", scale: LINEAR, name: null, linksSteps: true },
    ...more,
  };
  lineChart(chart).layOut({ width: 400, height: 200 }, { x: null, y: null }, 1);
  return vi.mocked(fittedLines).mock.calls.length;
}

test.each<[number, Partial<LineChart<never>>]>([
  [1, {}],
  [1, { limits: [0, null] }],
  [0, { limits: [0, 1] }],
  [0, { shared: [0, 1] }],
])("lines are fitted %i times with %o", (times, more) => expect(asked(more)).toBe(times));

test("three lines are not looked at: none of them is left out", () => {
  const unread = {
    get y(): Float64Array {
      throw new Error("read");
    },
  } as unknown as LineData;
  const three = [unread, unread, unread];
  expect(fittedLines(three, [0, 1])).toBe(three);
});
