// Texts of the panel “scalars”.

import { defineTexts } from "../../lib/texts";

export const scalarTexts = defineTexts({
  title: "Scalars",
  splitAt: (split: string, at: string) => `${split} ${at}`,
  atStep: (step: string) => `at ${step}`,
  atSteps: (first: string, last: string) => `at ${first} – ${last}`,
});
