// The widget with two additional panels, one of documents and one of items, for a browser test.

import { register } from "../../src/panels/registry";
import { notes } from "./notes";
import { remarks } from "./remarks";

register(notes);
register(remarks);

export { default } from "../../src/index";
