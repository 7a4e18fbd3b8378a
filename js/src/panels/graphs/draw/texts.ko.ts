// Texts of a drawn graph, in Korean.

import { translate } from "../../../lib/texts";
import { graphDrawingTexts } from "./texts";

translate(graphDrawingTexts, "ko", {
  tensors: (_, n) => `텐서 ${n}개`,
  stack: (name, count) => `${name} ×${count}`,
  notOrdered: ", 순서는 표시하지 않음",
  copies: (count) => `×${count}`,
  unordered: "순서는 표시하지 않음",
  auxiliary: "따로 모음: 보조 노드",
  auxiliaryShort: "보조 노드",
  boxKinds: ["노드", "스코프", "그룹", "스택", "누락된 노드"],
  spoken: (parts) => parts.join(", "),
  nodes: (_, n) => `노드 ${n}개`,
  copiesSpoken: (count) => `${count}번 반복`,
  open: (label) => `열기: ${label}`,
  close: (label) => `닫기: ${label}`,
  menu: "작업 (오른쪽 클릭)",
  missingHint: "입력으로 지정되었지만 그래프에 없음",
  inputs: "입력",
  outputs: "출력",
  oddMembers: (names) => `이름은 같고 구조는 다름: ${names}`,
  boxes: (_, n) => `상자 ${n}개`,
  picture: (label, boxes) => `${label} 그림: ${boxes}`,
  opened: (label, boxes) => `${label} 열림, 안에 ${boxes}`,
  closed: (label) => `${label} 닫힘`,
  selected: (label) => `${label} 선택됨`,
  marks: ["", "상수", "요약", "파라미터", "보조 입력", "연결", "외"],
  controlEdge: "제어",
  minimap: "개요: 드래그해 이동",
  keys: "화살표 키로 엣지를 따라가고, Enter로 열고 닫습니다. +와 −: 확대·축소, 0: 맞춤, /: 검색, Shift+F10: 메뉴",
});
