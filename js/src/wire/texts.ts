// Texts about data that is not kept.

import { defineTexts } from "../lib/texts";

export const wireTexts = defineTexts({
  tooLarge: "Too large to show here",
  noRoom: "Not enough memory to show this as well",
});
