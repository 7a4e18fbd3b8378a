import { describe, expect, it } from "vitest";
import { isOfPowers, POWERS } from "../../src/histograms/bins";
import {
  applyHistograms,
  type HistogramDetail,
  type HistogramPart,
  histograms,
  thinnedTo,
  withStretch,
} from "../../src/histograms/codec";
import { series } from "./made";

function part(total: number, stride: number, keep: number, revision = 1): HistogramPart {
  const whole = series(total, stride);
  return { ...whole, kind: "histograms", revision, run: "run", tag: "tag", keep, rows: whole.rows.slice(keep) };
}

const steps = (held: ReturnType<typeof applyHistograms>) => held?.rows.map((row) => Number(row.step) / 10);

describe("a series of histograms", () => {
  it("is the same for any number of parts", () => {
    let held = applyHistograms(undefined, part(5, 1, 0));
    held = applyHistograms(held ?? undefined, part(9, 1, 5));
    held = applyHistograms(held ?? undefined, part(21, 4, 3));
    expect(steps(held)).toEqual([0, 4, 8, 12, 16, 20]);
    held = applyHistograms(held ?? undefined, part(23, 4, 6));
    expect(steps(held)).toEqual([0, 4, 8, 12, 16, 20, 22]);
    held = applyHistograms(held ?? undefined, part(24, 4, 6));
    expect(steps(held)).toEqual([0, 4, 8, 12, 16, 20, 23]);
  });

  it("keeps finer data of the same length", () => {
    const fine = applyHistograms(undefined, part(21, 1, 0)) ?? undefined;
    expect(applyHistograms(fine, part(21, 4, 0))).toBe(fine);
    expect(steps(applyHistograms(fine, part(22, 4, 0)))).toHaveLength(7);
    expect(steps(applyHistograms(fine, part(21, 4, 0, 2)))).toHaveLength(6);
  });

  it("accepts no part that continues missing data", () => {
    const held = applyHistograms(undefined, part(9, 2, 0)) ?? undefined;
    expect(applyHistograms(undefined, part(9, 2, 3))).toBeNull();
    expect(applyHistograms(held, part(30, 2, 8))).toBeNull();
    expect(applyHistograms(held, part(30, 1, 10))).toBeNull();
    expect(applyHistograms(held, part(30, 2, 5, 7))).toBeNull();
  });

  it("does not take the newest for one that stays", () => {
    const held = applyHistograms(undefined, part(4, 2, 0)) ?? undefined;
    expect(steps(held ?? null)).toEqual([0, 2, 3]);
    expect(applyHistograms(held, part(10, 2, 3))).toBeNull();
    expect(steps(applyHistograms(held, part(10, 2, 2)))).toEqual([0, 2, 4, 6, 8, 9]);
  });

  it("is held in fewer where there is no room", () => {
    const few = thinnedTo(series(1000, 2), 8);
    expect(few.rows.map(({ place }) => place)).toEqual([0, 128, 256, 384, 512, 640, 768, 896, 999]);
    expect(few.rows.map((row) => Number(row.step) / 10)).toEqual([0, 128, 256, 384, 512, 640, 768, 896, 999]);
    expect(thinnedTo(few, 8)).toBe(few);
    expect(thinnedTo(series(0), 8).rows).toHaveLength(0);
    expect([histograms.isCoarse(few), histograms.isCoarse(series(1000, 4))]).toEqual([true, false]);
  });

  it("frees the others when it keeps fewer", () => {
    const counts = new Float64Array(1000);
    const edges = new Float64Array(2000);
    const held = series(1000, 1, (i) => ({
      counts: counts.subarray(i, i + 1),
      layout: { left: edges.subarray(i, i + 1), right: edges.subarray(i + 1, i + 2) },
    }));
    const few = thinnedTo(held, 8);
    const arrays = few.rows.flatMap((row) => [
      row.counts,
      ...("left" in row.layout ? [row.layout.left, row.layout.right] : []),
    ]);
    expect(arrays.some(({ buffer }) => buffer === counts.buffer || buffer === edges.buffer)).toBe(false);
    const shared = thinnedTo(
      series(1000, 1, () => ({ counts, layout: { low: -1, high: 1, innerEdges: POWERS.subarray(9, 11) } })),
      8,
    );
    expect(
      shared.rows.every(({ layout }) => "low" in layout && layout.innerEdges !== null && isOfPowers(layout.innerEdges)),
    ).toBe(true);
  });

  it("takes what its objects take too", () => {
    const held = series(100);
    expect(histograms.bytesOf(held)).toBeGreaterThan(100 * 500);
    expect(histograms.encodedBytes(held)).toBeLessThan(100 * 200);
  });

  it("has more of a stretch that was zoomed into", () => {
    const base = series(101, 10);
    const rows = series(101).rows.slice(40, 60);
    const closer = withStretch(base, { ...part(20, 1, 0), from: 40, total: 20, rows });
    expect(closer.rows.map(({ place }) => place)).toEqual([
      ...[0, 10, 20, 30],
      ...Array.from({ length: 20 }, (_, i) => 40 + i),
      ...[60, 70, 80, 90, 100],
    ]);
    expect(withStretch(series(101), { ...part(20, 1, 0), from: 40, total: 20, rows }).rows).toHaveLength(101);
    expect(withStretch(base, { ...part(20, 1, 0, 2), from: 40, total: 20, rows })).toBe(base);
  });

  it("has the visible histograms and those near the linked step", () => {
    const base = series(101, 10);
    const detail = (from: number, to: number, linked: boolean, revision = 1) => {
      const rows = series(101).rows.slice(from, to);
      return { ...part(to - from, 1, 0, revision), from, rows, linked, beside: null };
    };
    const places = (held: HistogramDetail) =>
      histograms.withDetail(base, held).rows.flatMap(({ place }) => (place % 10 > 0 ? [place] : []));
    const both = histograms.mergeDetails(detail(41, 44, false), detail(71, 74, true));
    expect(places(both)).toEqual([41, 42, 43, 71, 72, 73]);
    const linked = histograms.mergeDetails(both, detail(43, 46, true));
    expect(places(linked)).toEqual([41, 42, 43, 44, 45]);
    const sight = histograms.mergeDetails(linked, detail(11, 13, false));
    expect(places(sight)).toEqual([11, 12, 43, 44, 45]);
    expect(histograms.bytesOfDetail(sight)).toBe(histograms.bytesOf({ ...base, rows: base.rows.slice(0, 5) }));
    expect(places(histograms.mergeDetails(sight, detail(51, 53, false, 2)))).toEqual([]);
    expect(places(histograms.mergeDetails(null, detail(51, 53, true)))).toEqual([51, 52]);
  });
});
