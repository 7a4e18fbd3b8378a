// Units and words that all parts share, in Korean.

import { chartTexts, commonTexts } from "./commontexts";
import { NARROW_SPACE, translate } from "./texts";

translate(commonTexts, "ko", {
  bytes: ["B", "kB", "MB", "GB", "TB"],
  sizeOf: (number, unit) => `${number} ${unit}`,
  units: {
    ...{ millisecond: "ms", second: "초", minute: "분", hour: "시간", day: "일", year: "년" },
    ...{ hertz: "Hz", kilohertz: "kHz" },
  },
  duration: (number, unit) => number + (unit < "가" ? NARROW_SPACE : "") + unit,
  age: (number, unit) => number + unit,
  moment: (day, time) => `${day} ${time}`,
  labeled: (name, value) => `${name}: ${value}`,
  beside: (facts) => facts.join(" · "),
  clauses: (clauses) => clauses.join("; "),
  removable: (label) => `${label} ×`,
  quoted: (name) => `‘${name}’`,
  justNow: "방금",
  ago: (duration) => `${duration} 전`,
});

const cut = (where: string) => (_: number, n: string, isAtLeast: boolean, value: string) =>
  `축 ${where}의 이상치 ${n}개${isAtLeast ? " 이상" : ""} 포함(${value}까지)`;

translate(chartTexts, "ko", {
  chart: "차트",
  atLinked: (step) => `스텝 ${step}`,
  fromLinked: (first, last) => `스텝 ${first} – ${last}`,
  rangeHint: (range) => `${range}. 클릭하면 이 구간으로 확대하고, 다시 클릭하면 되돌립니다`,
  beyondBase: (label) => (label === "0" || label.startsWith("−") ? label : `+${label}`),
  cutAt: { above: (value) => `▲ ${value}`, below: (value) => `▼ ${value}` },
  cutHint: { above: cut("위"), below: cut("아래") },
});
