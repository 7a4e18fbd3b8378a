// How much of a histogram lies beyond the values in sight: what the scale leaves out is marked, with its share.

import { formatValue } from "../lib/format";
import type { Range } from "../lib/range";
import { strings } from "../lib/strings";
import { eachBin } from "./countedbins";
import { remembered } from "./remembered";

/** Shares of the counts, from 0 to 1. */
export interface Beyond {
  readonly below: number;
  readonly above: number;
}

/** Smaller shares are what rounding makes of none. */
const NONE = 1e-9;

/** A bin counts below the range, and above it, by the share of its width that lies there. */
export const beyond = remembered((bins, [min, max]): Beyond => {
  let [below, above, total] = [0, 0, 0];
  eachBin(bins, (left, right, count) => {
    const width = right - left;
    const before = (value: number) => (width > 0 ? Math.min(1, Math.max(0, (value - left) / width)) : 0);
    below += count * (right < min ? 1 : before(min));
    above += count * (left > max ? 1 : width > 0 ? 1 - before(max) : 0);
    total += count;
  });
  const share = (counts: number) => (counts > total * NONE ? counts / total : 0);
  return { below: share(below), above: share(above) };
});

/** How large a mark is, from 0 to 1: by the square root, so that little is seen, too. */
export function markSize(share: number): number {
  return Math.sqrt(share);
}

/** Shares below this many percent are written as less than it. */
const LEAST_PERCENT = 0.1;

/** How much is beyond which end, in words; none where nothing is. */
export function outsideTexts({ below, above }: Beyond, [min, max]: Range): string[] {
  const { percent, underPercent, below: saysBelow, above: saysAbove } = strings.histograms;
  const share = (part: number) =>
    part * 100 < LEAST_PERCENT
      ? underPercent(formatValue(LEAST_PERCENT))
      : percent(formatValue(Number((part * 100).toPrecision(3))));
  return [
    ...(below > 0 ? [saysBelow(share(below), formatValue(min))] : []),
    ...(above > 0 ? [saysAbove(share(above), formatValue(max))] : []),
  ];
}
