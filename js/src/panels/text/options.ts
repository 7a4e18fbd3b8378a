// The options of the texts alone.

import { defineOptions, flag, notStored, type OptionSpec } from "../../options/declare";

const words: OptionSpec<string> = {
  initial: "",
  remembered: true,
  parse: (value) => (typeof value === "string" ? value : undefined),
};

export const textOptions = defineOptions({
  text_raw: flag(false),
  /** What is looked for and marked; "" for nothing. */
  text_search: notStored(words),
});
