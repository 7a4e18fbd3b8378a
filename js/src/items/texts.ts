// Texts of values by step: images, clips, texts, meshes.

import { defineTexts } from "../lib/texts";

export const itemTexts = defineTexts({
  cardStep: (tag: string) => `Step of ${tag}`,
  cardStepHint: "Shows a step in this card: drag, use the arrow keys, or type a step",
  open: "Open",
  ownStep: "Own step",
  ownStepHint: "Choose a step for this card alone, until the step of all cards moves",
  repeats: "Value",
  repeatsOf: (tag: string) => `Value of ${tag} at this step`,
  repeatsHint: "Several values were written at this step. Choose one",
  repeat: (number: string, count: string) => `${number} of ${count}`,
  askedForStep: (step: string, asked: string) => `step ${step} (asked for ${asked})`,
  notSaved: "not in this saved page",
  tileSize: "Size",
  sampleName: (sample: number) => `#${sample}`,
});
