// Titles of groups of runs by a hyperparameter: its value, or one of a few ranges where there are many numbers.

import { commonTexts } from "../lib/commontexts";
import { formatExact } from "../lib/format";
import type { Attribute } from "../wire/runfacts";

/** More distinct numbers than these are grouped by ranges. */
const MAX_VALUES = 10;
/** Ranges of about equally many runs. */
const MAX_RANGES = 5;

/** The title of the group of a value; "" for a run without one. `values`: one for each run. */
export function groupTitles(values: readonly (Attribute | undefined)[]): (value: Attribute | undefined) => string {
  const numbers = values.filter((value): value is number => typeof value === "number" && Number.isFinite(value));
  const distinct = [...new Set(numbers)];
  const groups = distinct.length > MAX_VALUES ? rangesOf(numbers) : distinct.map((value) => [value]);
  const ends = new Set(groups.flatMap((members) => [members[0] as number, members.at(-1) as number]));
  // Numbers that would be written alike are written in full.
  const text = new Set([...ends].map(formatExact)).size === ends.size ? formatExact : String;
  const titles = new Map<Attribute, string>();
  for (const members of groups) {
    const [least, most] = [members[0] as number, members.at(-1) as number];
    const title = least === most ? text(least) : commonTexts().fromTo(text(least), text(most));
    for (const value of members) {
      titles.set(value, title);
    }
  }
  return (value) => (value === undefined ? "" : (titles.get(value) ?? String(value)));
}

/** The distinct numbers of each range, ascending; equal numbers are in one range, by the middle one of them. */
function rangesOf(numbers: readonly number[]): number[][] {
  const sorted = numbers.toSorted((a, b) => a - b);
  const ranges = Array.from({ length: MAX_RANGES }, (): number[] => []);
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const value = sorted[from] as number;
    while (sorted[to] === value) {
      to += 1;
    }
    ranges[Math.floor((((from + to - 1) / 2) * MAX_RANGES) / sorted.length)]?.push(value);
  }
  return ranges.filter((members) => members.length > 0);
}
