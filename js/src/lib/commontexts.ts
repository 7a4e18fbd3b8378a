// Units and words that all parts share.

import { counted, defineTexts, NARROW_SPACE } from "./texts";

export const commonTexts = defineTexts({
  bytes: ["B", "kB", "MB", "GB", "TB"],
  sizeOf: (number: string, unit: string) => `${number} ${unit}`,
  units: {
    ...{ millisecond: "ms", second: "s", minute: "min", hour: "h", day: "d", year: "y" },
    ...{ hertz: "Hz", kilohertz: "kHz" },
  },
  duration: (number: string, unit: string) => `${number}${NARROW_SPACE}${unit}`,
  age: (number: string, unit: string) => `${number} ${unit}`,
  moment: (day: string, time: string) => `${day}, ${time}`,
  /** What is said of a thing. */
  labeled: (name: string, value: string) => `${name}: ${value}`,
  /** Short facts beside each other. */
  beside: (facts: readonly string[]) => facts.join(" · "),
  clauses: (clauses: readonly string[]) => clauses.join("; "),
  removable: (label: string) => `${label} ×`,
  quoted: (name: string) => `“${name}”`,
  justNow: "just now",
  ago: (duration: string) => `${duration} ago`,
});

export const chartTexts = defineTexts({
  chart: "chart",
  atLinked: (step: string) => `step ${step}`,
  fromLinked: (first: string, last: string) => `steps ${first} – ${last}`,
  rangeHint: (range: string) => `${range}. Click to zoom to it, and once more to zoom out`,
  beyondBase: (label: string) => (label === "0" || label.startsWith("−") ? label : `+${label}`),
  cutAt: { above: (value: string) => `▲ ${value}`, below: (value: string) => `▼ ${value}` },
  cutHint: {
    above: (count: number, n: string, isAtLeast: boolean, most: string) =>
      `Include ${isAtLeast ? "at least " : ""}${counted(count, n, { one: "outlier", other: "outliers" })} up to ${most}`,
    below: (count: number, n: string, isAtLeast: boolean, least: string) =>
      `Include ${isAtLeast ? "at least " : ""}${counted(count, n, { one: "outlier", other: "outliers" })} down to ${least}`,
  },
});
