// Texts of the panel “histograms”, in Korean.

import { translate } from "../../lib/texts";
import { histogramPanelTexts } from "./texts";

translate(histogramPanelTexts, "ko", {
  title: "히스토그램",
  histogramModes: { offset: "오프셋", overlay: "겹치기", heatmap: "히트맵" },
  histogramModesTitle: "그리기",
  histogramModeHints: {
    offset: "스텝마다 줄을 나누어 그리고 최신 스텝을 맨 앞에 둡니다",
    overlay: "모든 스텝을 한 기준선에 겹쳐 그리고 최신 스텝을 가장 진하게 합니다",
    heatmap: "X축은 스텝, Y축은 값, 색은 도수입니다. 스텝이 아주 많을 때 알맞습니다",
  },
  histogramAxisHints: {
    step: "히스토그램을 스텝순으로 배치합니다",
    relative: "히스토그램을 각 실행의 첫 히스토그램부터 경과한 시간에 따라 배치합니다",
    wall: "히스토그램을 날짜와 시각(wall time)에 따라 배치합니다",
  },
  logCountsHint: "도수에 로그 스케일 적용",
  binColumn: "구간",
  countColumn: "도수",
  ofTotal: (total) => `/ ${total}`,
  countInAll: (total) => `전체 도수 ${total}`,
  meanIs: (mean) => `평균 ${mean}`,
  inAll: (total) => `전체 ${total}`,
  outliersOfHistogramsHint:
    "값 축은 각 스텝의 가운데 99%에, 높이는 대부분의 스텝에 맞춥니다. 잘린 곳은 표시하고, 잘린 양은 툴팁에 나타냅니다",
  countPer: (width) => `${width}당 도수`,
  binWidth: (width) => `구간 너비 ${width}`,
  orMore: (count) => `${count} 이상`,
});
