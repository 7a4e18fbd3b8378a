// Texts of the panel “scalars”, in Korean.

import { translate } from "../../lib/texts";
import { scalarTexts } from "./texts";

translate(scalarTexts, "ko", {
  title: "스칼라",
  splitAt: (split, at) => `${split} ${at}`,
  atStep: (step) => `스텝 ${step}`,
  atSteps: (first, last) => `스텝 ${first} – ${last}`,
});
