// Texts of the importance of hyperparameters and of their scatter matrix, in Korean.

import { listOf, translate } from "../../../lib/texts";
import { scatterTexts } from "./texts";

translate(scatterTexts, "ko", {
  importanceFor: (goal) => `${goal}에 대한 중요도`,
  importanceOf: (goal, sessions) => `${goal}에 대한 중요도: ${sessions}의 η²`,
  tooFew: (count, least) => `세션이 부족합니다(${least}개 중 ${count}개)`,
  firstHParams: (some, all) => `, 하이퍼파라미터 ${all}개 중 처음 ${some}개`,
  moreBars: (n) => `${n}개 더`,
  fewerBars: "접기",
  count: (n) => `n ${n}`,
  importanceHint: (goal) =>
    `보정한 η²: ${goal}의 분산에서 하이퍼파라미터 하나의 값 차이가 설명하는 비율(0 – 1)입니다. 서로 다른 값이 10개를 넘는 숫자는 크기가 같은 그룹 10개까지로 나누고, 세션이 3개 미만인 값은 한 그룹으로 묶습니다. 함께일 때만 영향을 주는 하이퍼파라미터는 드러나지 않으며, 극단값 몇 개가 결과를 좌우할 수 있습니다. ρ: 스피어만 순위 상관 계수. n: 두 값이 모두 있는 세션 수(20개 이상)`,
  sessions: (_, n, groups) => (groups ? `행 ${n}개` : `세션 ${n}개`),
  share: (share) => `η² ${share}`,
  shareOf: (share, column, by) => `${column}의 분산을 ${by}의 값이 설명하는 비율 η² ${share}`,
  correlation: (rho) => `ρ ${rho}`,
  relation: (one, other, measures, sessions) => `${one}, ${other}: ${listOf(measures)}(${sessions})`,
  noShare: "η²를 계산할 수 없습니다. 값이 모두 같거나, 값의 종류가 세션 수와 거의 같습니다",
  noCorrelation: "범주형이라 ρ 없음",
  bar: (name, share, correlation, count) => `${name}: ${share}, ${correlation}(스피어만), 두 값이 모두 있는 ${count}`,
  matrix: "산점도 행렬",
  matrixHint:
    "칸을 클릭하면 크게 봅니다. 칸에서 드래그하면 세션을 선택하며, 두 열 모두에 평행 좌표의 브러시처럼 적용됩니다. 대각선 오른쪽: 두 숫자의 스피어만 ρ와, 상대 열로 더 잘 설명되는 열의 보정한 η²",
  columns: (some, all) => `열 ${all}개 중 ${some}개`,
  allColumns: (all) => `${all}개 표시`,
  fewColumns: "줄여서 표시",
  noColumns: "산점도 행렬에는 값이 서로 다른 열이 두 개 필요합니다.",
  cell: (x, y) => `가로 ${x}, 세로 ${y}: 크게 보기`,
  diagonal: (column) => `${column} 히스토그램`,
  back: "모든 열",
  backHint: "행렬로 돌아가기 (Esc)",
  over: "×",
  overOf: (y, x) => `세로 ${y}, 가로 ${x}`,
  x: "가로축",
  y: "세로축",
  trend: "선: 중앙값",
  trendHint:
    "중요도에서 쓰는 그룹(크기가 같은 그룹 10개까지 또는 값 그대로)의 중앙값입니다. 세션이 3개 미만인 그룹은 뺍니다",
  bigHint: "드래그하면 세션을 선택하고, 클릭하면 선택을 해제합니다",
});
