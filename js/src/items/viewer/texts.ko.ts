// Texts of the viewer that fills the window, in Korean.

import { translate } from "../../lib/texts";
import { viewerTexts } from "./texts";

translate(viewerTexts, "ko", {
  first: "A",
  second: "B",
  sideHint: "스텝과 화살표 키는 이쪽에 적용됩니다",
  tag: "태그",
  sample: "샘플",
  labeled: (label, value) => `${label}: ${value}`,
  sameStep: "같은 스텝",
  sameStepHint: "A와 같은 스텝을, 없으면 그 직전 스텝을 표시합니다",
  swapHint: "x 키",
  modeTitle: "비교 방법",
  modes: {
    single: "하나",
    runs: "모든 실행",
    sides: "나란히",
    swipe: "밀어 보기",
    blend: "섞어 보기",
    difference: "차이",
  },
  modeHints: {
    single: "한 번에 하나씩 봅니다",
    runs: "이 스텝의 모든 실행을 봅니다. 확대와 이동이 함께 적용됩니다",
    sides: "둘을 나란히 놓습니다. 확대와 이동이 함께 적용됩니다",
    swipe: "둘을 겹쳐 놓고 경계를 드래그합니다",
    blend: "둘을 겹쳐 놓고 하나를 반투명하게 합니다",
    difference: "픽셀마다 둘의 차이를 봅니다",
  },
  between: " · ",
  title: "전체 창",
  keys: {
    step: "이전·다음 스텝",
    page: "10스텝 다음 또는 이전으로",
    run: "이전·다음 실행",
    end: "첫 스텝, 마지막 스텝",
    swap: "A와 B 맞바꾸기",
  },
});
