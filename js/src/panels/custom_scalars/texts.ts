// Texts of the panel “custom scalars”.

import { defineTexts, listOf } from "../../lib/texts";

export const customTexts = defineTexts({
  title: "Custom",
  noLayout: "No layout of charts has arrived yet.",
  untitled: "(no title)",
  emptyChart: "This chart of the layout names no tag.",
  noneThere: (names: readonly string[]) => `Waiting for scalars of ${listOf(names)}`,
  badPattern: (pattern: string, why: string) => `${pattern}: ${why}`,
});
