// Texts of the panel “scalars”.

import { defineTexts } from "../../lib/texts";

export const scalarTexts = defineTexts({
  title: "Scalars",
  atStep: (step: string) => `at ${step}`,
  atSteps: (first: string, last: string) => `at ${first} – ${last}`,
});
