// Texts of the panel “scalars”.

import { defineTexts } from "../../lib/texts";

export const scalarTexts = defineTexts({
  title: "Scalars",
  splitAt: (split: string, at: string) => `${split} ${at}`,
  // Shorter than elsewhere: they stand beside the value in the header of a card.
  atStep: (step: string) => `at ${step}`,
  atSteps: (first: string, last: string) => `at ${first} – ${last}`,
});
