// The widget with one panel more, for a browser test.

import { register } from "../../src/panels/registry";
import { notes } from "./notes";

register(notes);

export { default } from "../../src/index";
