// Texts of values by step: images, clips, texts, meshes.

import { defineTexts } from "../lib/texts";

export const itemTexts = defineTexts({
  playSteps: "Play the steps",
  pauseSteps: "Pause",
  newestStep: (step: string) => `${step}, the latest`,
  followNewest: "latest",
  followNewestHint: "Follow: always show the latest step of each run",
  stepEntry: (label: string) => `${label}: type a number`,
  allCardsStep: "Step of all cards",
  allCardsStepHint: "Shows a step in all cards: drag, use the arrow keys, or type a step",
  cardStep: (tag: string) => `Step of ${tag}`,
  cardStepHint: "Shows a step in this card: drag, use the arrow keys, or type a step",
  repeats: "Value",
  repeatsOf: (tag: string) => `Value of ${tag} at this step`,
  repeatsHint: "Several values were written at this step. Choose one",
  repeat: (number: string, count: string) => `${number} of ${count}`,
  askedForStep: (step: string, asked: string) => `step ${step} (asked for ${asked})`,
  notSaved: "not in this saved page",
  tileSize: "Size",
  sampleName: (sample: number) => `#${sample}`,
});
