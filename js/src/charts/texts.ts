// Texts of charts of any kind.

import { counted, defineTexts } from "../lib/texts";

export const chartTexts = defineTexts({
  chart: "chart",
  atLinked: (step: string) => `step ${step}`,
  fromLinked: (first: string, last: string) => `steps ${first} – ${last}`,
  beyondBase: (label: string) => (label === "0" || label.startsWith("−") ? label : `+${label}`),
  cutAt: { above: (value: string) => `▲ ${value}`, below: (value: string) => `▼ ${value}` },
  cutHint: {
    above: (count: number, n: string, isAtLeast: boolean, most: string) =>
      `${isAtLeast ? "At least " : ""}${counted(count, n, { one: "value", other: "values" })} above the axis, up to ${most}: include outliers in this chart`,
    below: (count: number, n: string, isAtLeast: boolean, least: string) =>
      `${isAtLeast ? "At least " : ""}${counted(count, n, { one: "value", other: "values" })} below the axis, down to ${least}: include outliers in this chart`,
  },
});
