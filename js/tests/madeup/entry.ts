// The widget with an additional panel, for a browser test.

import { register } from "../../src/panels/registry";
import { notes } from "./notes";

register(notes);

export { default } from "../../src/index";
