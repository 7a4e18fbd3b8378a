// Texts of the viewer that fills the window.

import { defineTexts } from "../../lib/texts";

export const viewerTexts = defineTexts({
  first: "A",
  second: "B",
  sideHint: "The step and the arrow keys are about this side",
  tag: "Tag",
  sample: "Sample",
  labeled: (label: string, value: string) => `${label}: ${value}`,
  sameStep: "Same step",
  sameStepHint: "Show the step of A, or the last one before it",
  swapHint: "Key: x",
  modeTitle: "How items are compared",
  modes: {
    single: "One",
    runs: "All runs",
    sides: "Side by side",
    swipe: "Swipe",
    blend: "Blend",
    difference: "Difference",
  },
  modeHints: {
    single: "One at a time",
    runs: "All runs at this step; they zoom and pan together",
    sides: "Two side by side; they zoom and pan together",
    swipe: "Two on top of each other; drag the edge between them",
    blend: "Two on top of each other, one transparent",
    difference: "How much two differ, pixel by pixel",
  },
  between: " · ",
  title: "Full window",
  keys: {
    step: "Previous or next step",
    page: "Ten steps on or back",
    run: "Previous or next run",
    end: "First or last step",
    swap: "Swap A and B",
  },
});
