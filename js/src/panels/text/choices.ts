// The choices of the texts alone.

import { type ChoiceSpec, defineChoices, flag, notStored } from "../../choices/declare";

const words: ChoiceSpec<string> = {
  initial: "",
  remembered: true,
  parse: (value) => (typeof value === "string" ? value : undefined),
};

export const textChoices = defineChoices({
  text_raw: flag(false),
  /** What is looked for and marked; "" for nothing. */
  text_search: notStored(words),
});
