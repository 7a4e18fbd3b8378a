import { afterEach, expect, test, vi } from "vitest";
import { isNoted } from "../../src/options/noted";
import { hintAt } from "../../src/ui/hoverhint";
import type { View } from "../../src/ui/view";

afterEach(() => vi.useRealTimers());

function chartOf(isConnected: boolean) {
  const lines: unknown[] = [];
  const chart = {
    isConnected,
    ownerDocument: { createElement: () => ({ remove: () => lines.splice(0), style: {} }), addEventListener: () => {} },
    addEventListener: () => {},
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
    append: (line: unknown) => lines.push(line),
  };
  return { chart: chart as unknown as HTMLElement, lines };
}

test("a hint counts as seen only where it is seen", () => {
  vi.useFakeTimers();
  const view = { until: new AbortController().signal } as unknown as View;
  const [gone, there] = [chartOf(false), chartOf(true)];
  hintAt(gone.chart, view);
  vi.advanceTimersByTime(1000);
  expect([gone.lines.length, isNoted("hover")]).toEqual([0, false]);
  hintAt(there.chart, view);
  vi.advanceTimersByTime(1000);
  expect([there.lines.length, isNoted("hover")]).toEqual([1, true]);
});
