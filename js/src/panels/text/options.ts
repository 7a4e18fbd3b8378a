// The options of the texts alone.

import { defineOptions, flag, notStored, type OptionSpec } from "../../options/declare";

const words: OptionSpec<string> = {
  initial: "",
  remembered: true,
  parse: (value) => (typeof value === "string" ? value : undefined),
};

export const textOptions = defineOptions({
  text_raw: flag(false),
  /** The text searched for and marked; "" for none. */
  text_search: notStored(words),
});
