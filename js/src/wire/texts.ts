// Texts about data that is not shown.

import { defineTexts } from "../lib/texts";

export const wireTexts = defineTexts({
  unreadable: (error: string) => `This page cannot read it (${error})`,
  tooLarge: "Too large to show here",
  noRoom: "Not enough memory to show this as well",
});
