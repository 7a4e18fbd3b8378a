// Texts of parallel coordinates, and of the preview that their brushes give, in Korean.

import { translate } from "../../../lib/texts";
import { parallelTexts } from "./texts";

translate(parallelTexts, "ko", {
  label: "평행 좌표",
  missing: "—",
  none: "세션마다 다른 하이퍼파라미터가 없고 지표도 없습니다. 표에서 열을 고르세요",
  hint: "축을 따라 드래그하면 세션을 선택합니다",
  hintMore: "제목을 드래그하면 축을 옮기고, 클릭하면 축을 뒤집습니다",
  scales: { linear: "선형", log: "로그", quantile: "분위수" },
  scaleHint: "이 축의 스케일: 선형, 로그, 순위. 클릭하면 다음 스케일로 바뀝니다",
  scaleOf: (axis, scale) => `${axis} 스케일: ${scale}`,
  titleHint: (hint) => `${hint}\n\n클릭: 뒤집기 · 드래그: 이동`,
  axis: (axis, brushes) => (brushes === "" ? axis : `${axis}, 선택: ${brushes}`),
  axisKeys:
    "Enter: 축 뒤집기, S: 스케일 바꾸기. 위·아래 화살표: 구간을 선택하고 이동, Shift와 함께 누르면 크기 조절, " +
    "Delete: 지우기. 왼쪽·오른쪽 화살표: 옆 축으로 이동, Shift와 함께 누르면 이 축을 이동",
  atLeast: (least) => `≥ ${least}`,
  atMost: (most) => `≤ ${most}`,
  anyNumber: "모든 숫자",
  up: "↑",
  down: "↓",
  moreColumns: (_, n) => `열 ${n}개 더`,
  moreAxes: (n) => `${n}개 더`,
  otherPanels: (what) => `다른 패널에 표시: ${what}`,
  previewed: (_, n) => `세션 ${n}개`,
  previewedBest: (shown, _, n, by) => `${by} 기준 세션 ${n}개 중 상위 ${shown}개`,
  gestures: {
    brush: ["축을 따라 드래그", "브러시로 선택. 브러시나 그 끝을 드래그해 조절"],
    clear: ["브러시 클릭", "브러시 지우기"],
    flip: ["제목 클릭", "축 뒤집기"],
    order: ["제목 드래그", "축 이동"],
  },
  keys: {
    go: "이전·다음 축",
    move: "축 이동",
    brush: "브러시로 선택하고 이동",
    resize: "브러시 크기 조절",
    clear: "브러시 지우기",
    scale: "다음 스케일",
  },
  previewedFirst: (shown, _, n) => `세션 ${n}개 중 처음 ${shown}개`,
});
