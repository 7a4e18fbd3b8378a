// The widget in the pseudo-locale, where the page says that it is its language; for a browser test.

import { deriveLanguage } from "../../src/lib/texts";
import { reasonTemplates } from "../../src/wire/reasons";
import reasons from "../fixtures/reasons.json";
import { PSEUDO, pseudoTable } from "./pseudo";

deriveLanguage(PSEUDO, pseudoTable);
reasonTemplates.set(PSEUDO, pseudoTable(reasons));

export { default } from "../../src/index";
