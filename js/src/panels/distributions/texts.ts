// Texts of the panel “distributions”.

import { defineTexts } from "../../lib/texts";

export const distributionTexts = defineTexts({
  title: "Distributions",
  medianIs: (median: string) => `median ${median}`,
  percentiles: ["min", "6.7 %", "15.9 %", "30.9 %", "median", "69.1 %", "84.1 %", "93.3 %", "max"],
});
