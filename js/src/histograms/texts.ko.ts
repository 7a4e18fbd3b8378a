// Texts that histograms and distributions share, in Korean.

import { translate } from "../lib/texts";
import { histogramTexts } from "./texts";

translate(histogramTexts, "ko", {
  meanColumn: "평균",
  meanAndDeviation: (mean, deviation) => `${mean} ± ${deviation}`,
  bins: { even: "균등", written: "기록된 그대로" },
  binsTitle: "구간",
  binHints: {
    even: "모든 스텝에 너비가 같은 구간 약 30개를 씁니다. 기록된 구간의 도수를 너비에 고르게 나누므로 면적은 그대로입니다",
    written: "로그에 기록된 구간을 그대로 씁니다",
  },
  about: (count) => `≈ ${count}`,
  heightColumn: "높이",
  perStretch: (count, stretch) => `${stretch}당 ${count}`,
  cutAbove: (count) => `(${count}까지만 그림)`,
  outsideColumn: "표시하지 않음",
  below: (share, end) => `${end} 미만 ${share}`,
  above: (share, end) => `${end} 초과 ${share}`,
  percent: (number) => `${number}%`,
  underPercent: (number) => `${number}% 미만`,
});
