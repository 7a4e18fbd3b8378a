// The widget with a pseudo-locale, used if the page's language is set to it; for a browser test.

import { deriveLanguage } from "../../src/lib/texts";
import { reasonTemplates } from "../../src/wire/reasons";
import reasons from "../fixtures/reasons.json";
import { PSEUDO, pseudoTable } from "./pseudo";

deriveLanguage(PSEUDO, pseudoTable);
reasonTemplates.set(PSEUDO, pseudoTable(reasons));

export { default } from "../../src/index";
