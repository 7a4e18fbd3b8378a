// Texts of the panel “custom scalars”, in Korean.

import { listOf, translate } from "../../lib/texts";
import { customTexts } from "./texts";

translate(customTexts, "ko", {
  title: "사용자 정의",
  noLayout: "아직 차트 레이아웃이 없습니다.",
  untitled: "(제목 없음)",
  emptyChart: "레이아웃에 이 차트의 태그가 없습니다.",
  noneThere: (names) => `스칼라를 기다리는 중: ${listOf(names)}`,
  badPattern: (pattern, why) => `${pattern}: ${why}`,
});
