// The texts of the importance of hyperparameters and of their scatter matrix.

import { counted } from "./language";

const rows = (count: number, n: string, groups: boolean) =>
  groups ? counted(count, n, "row", "rows") : counted(count, n, "session", "sessions");

export const scatterStrings = {
  importanceFor: (goal: string) => `Importance for ${goal}`,
  importanceOf: (goal: string, sessions: string) => `Importance for ${goal}: adjusted η² of ${sessions}`,
  count: (n: string) => `n ${n}`,
  importanceHint: (goal: string) =>
    `How much of the variance of ${goal} lies between groups of sessions that one hyperparameter makes: adjusted η², from 0 to 1. Groups are its values; more than 10 different numbers are cut at their quantiles into up to 10 groups of equal size. Hyperparameters that matter only together, and the other ones that changed at the same time, are not told apart. A few extreme values can decide it: see a logarithmic metric, or filter`,
  sessions: rows,
  share: (share: string) => `η² ${share}`,
  correlation: (rho: string) => `ρ ${rho}`,
  noShare: "η² is not defined: nothing varies, or there are nearly as many values as sessions",
  noCorrelation: "no ρ of categories",
  bar: (name: string, share: string, correlation: string, count: string) =>
    `${name}: ${share}, ${correlation} (Spearman), of ${count} with a value of both`,
  matrix: "Scatter matrix",
  matrixHint:
    "Press a cell for a large plot. Drag in a cell to select sessions: on both of its columns, as a brush of parallel coordinates. Right of the diagonal: Spearman's ρ of two numbers, adjusted η² of a category and a number",
  columns: (some: string, all: string) => `${some} of ${all} columns`,
  allColumns: (all: string) => `Show ${all}`,
  fewColumns: "Show fewer",
  noColumns: "A scatter matrix needs two columns with different values.",
  cell: (x: string, y: string) => `${y} over ${x}: show large`,
  diagonal: (column: string) => `Histogram of ${column}`,
  back: "All columns",
  backHint: "Back to the matrix (Escape)",
  over: "over",
  x: "Horizontal axis",
  y: "Vertical axis",
  trend: "Line: medians",
  trendHint:
    "Medians of the groups that importance has: up to 10 of equal size, or the values as they are. Groups of fewer than 3 are left out",
  bigHint: "Drag to select sessions; a press ends the selection",
};
