// Texts of the panel “distributions”, in Korean.

import { translate } from "../../lib/texts";
import { distributionTexts } from "./texts";

translate(distributionTexts, "ko", {
  title: "분포",
  medianIs: (median) => `중앙값 ${median}`,
  percentiles: ["최소", "6.7%", "15.9%", "30.9%", "중앙값", "69.1%", "84.1%", "93.3%", "최대"],
});
