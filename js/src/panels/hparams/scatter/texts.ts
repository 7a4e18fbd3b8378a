// Texts of the importance of hyperparameters and of their scatter matrix.

import { counted, defineTexts } from "../../../lib/texts";

const rows = (count: number, n: string, groups: boolean) =>
  groups ? counted(count, n, { one: "row", other: "rows" }) : counted(count, n, { one: "session", other: "sessions" });

export const scatterTexts = defineTexts({
  importanceFor: (goal: string) => `Importance for ${goal}`,
  importanceOf: (goal: string, sessions: string) => `Importance for ${goal}: η² of ${sessions}`,
  tooFew: (count: string, least: number) => `too few sessions: ${count} of ${least}`,
  firstHParams: (some: string, all: string) => `, the first ${some} of ${all} hyperparameters`,
  moreBars: (n: string) => `${n} more`,
  fewerBars: "Fewer",
  count: (n: string) => `n ${n}`,
  importanceHint: (goal: string) =>
    `Adjusted η²: the share of the variance of ${goal} that lies between the values of one hyperparameter, from 0 to 1. Numbers with more than 10 different values are cut into up to 10 groups of equal size; values with fewer than 3 sessions count as one group. Hyperparameters that matter only together are not seen, and a few extreme values of the metric can decide it. ρ: Spearman's rank correlation. n: sessions with a value of both, at least 20`,
  sessions: rows,
  share: (share: string) => `η² ${share}`,
  shareOf: (share: string, column: string, by: string) => `η² ${share} of ${column} by ${by}`,
  correlation: (rho: string) => `ρ ${rho}`,
  noShare: "η² is not defined: nothing varies, or there are nearly as many values as sessions",
  noCorrelation: "no ρ of categories",
  bar: (name: string, share: string, correlation: string, count: string) =>
    `${name}: ${share}, ${correlation} (Spearman), of ${count} with a value of both`,
  matrix: "Scatter matrix",
  matrixHint:
    "Press a cell for a large plot. Drag in a cell to select sessions: on both of its columns, as a brush of parallel coordinates. Right of the diagonal: Spearman's ρ of two numbers, and adjusted η² of the column that the other one explains better",
  columns: (some: string, all: string) => `${some} of ${all} columns`,
  allColumns: (all: string) => `Show ${all}`,
  fewColumns: "Show fewer",
  noColumns: "A scatter matrix needs two columns with different values.",
  cell: (x: string, y: string) => `${y} over ${x}: show large`,
  diagonal: (column: string) => `Histogram of ${column}`,
  back: "All columns",
  backHint: "Back to the matrix (Escape)",
  over: "over",
  overOf: (y: string, x: string) => `${y} over ${x}`,
  x: "Horizontal axis",
  y: "Vertical axis",
  trend: "Line: medians",
  trendHint:
    "Medians of the groups that importance has: up to 10 of equal size, or the values as they are. Groups of fewer than 3 are left out",
  bigHint: "Drag to select sessions; a press ends the selection",
});
