// Texts of values by step, in Korean.

import { translate } from "../lib/texts";
import { itemTexts } from "./texts";

translate(itemTexts, "ko", {
  cardStep: (tag) => `${tag}의 스텝`,
  cardStepHint: "이 카드에 표시할 스텝입니다. 드래그하거나 화살표 키를 쓰거나 스텝을 입력하세요",
  open: "열기",
  ownStep: "개별 스텝",
  ownStepHint: "모든 카드의 스텝을 움직일 때까지 이 카드만 다른 스텝을 표시합니다",
  repeats: "값",
  repeatsOf: (tag) => `이 스텝의 ${tag} 값`,
  repeatsHint: "이 스텝에 값이 여러 개 기록되었습니다. 하나를 고르세요",
  repeat: (number, count) => `${number}/${count}`,
  askedForStep: (step, asked) => `스텝 ${step}(요청: ${asked})`,
  notSaved: "저장된 페이지에 없음",
  tileSize: "크기",
  sampleName: (sample) => `#${sample}`,
});
