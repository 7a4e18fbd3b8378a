// A scatter matrix: its columns, where its cells are, and how strongly two columns are related.

import type { Rect, Size } from "../../../charts/geometry";
import { formatCount } from "../../../lib/format";
import { type Column, varies } from "../columns";
import { formatShare, MIN_SESSIONS, shareOf, spearman } from "./importance";
import { scatterTexts } from "./texts";

/** Columns that a matrix has at first, and when all are asked for. */
const FIRST_COLUMNS = 6;
export const MAX_MATRIX_COLUMNS = 12;

/** CSS pixels of a cell below which a matrix has fewer columns at first, and below which it scrolls. */
const FIRST_CELL_PX = 74;
const MIN_CELL_PX = 62;

/** The number of columns that fit into a width of CSS pixels. */
export function columnsIn(width: number): number {
  return Math.max(2, Math.min(FIRST_COLUMNS, Math.floor((width - leftOf(width)) / FIRST_CELL_PX)));
}

/** CSS pixels that a matrix takes at least. */
export function leastWidth(count: number): number {
  return LEFT_PX[0] + count * MIN_CELL_PX;
}

/** The columns that vary among these rows: of those that are shown, and the goal. */
export function varyingColumns(columns: readonly Column[], goal: Column | null, rows: readonly number[]): Column[] {
  const all = goal === null || columns.some(({ key }) => key === goal.key) ? columns : [...columns, goal];
  const varying = all.filter((column) => varies(column, rows));
  return [...varying.filter(({ kind }) => kind === "hparam"), ...varying.filter(({ kind }) => kind === "metric")];
}

/**
 * Some of the columns, in their order: the goal, metrics in `ranked` or another one where there is room for it, and the
 * hyperparameters that come first in `ranked`.
 */
export function firstColumns(
  columns: readonly Column[],
  goal: Column | null,
  ranked: readonly string[],
  most: number,
): readonly Column[] {
  if (columns.length <= most) {
    return columns;
  }
  const rankOf = ({ key }: Column) => (ranked.includes(key) ? ranked.indexOf(key) : ranked.length);
  const hparams = columns.filter(({ kind }) => kind === "hparam").sort((a, b) => rankOf(a) - rankOf(b));
  const metrics = columns.filter(({ kind }) => kind === "metric");
  metrics.sort((a, b) => Number(b.key === goal?.key) - Number(a.key === goal?.key) || rankOf(a) - rankOf(b));
  const wanted = metrics.filter(({ key }) => key === goal?.key || ranked.includes(key)).length;
  const least = Math.max(most >= 5 ? 2 : 1, Math.min(wanted, most - 1), most - hparams.length);
  const kept = Math.min(metrics.length, least);
  const chosen = new Set([...hparams.slice(0, most - kept), ...metrics.slice(0, kept)]);
  return columns.filter((column) => chosen.has(column));
}

/** CSS pixels left of the cells, where names of categories stand, and as a share of the width. */
const LEFT_PX = [62, 120] as const;
const LEFT_SHARE = 0.11;

export function leftOf(width: number): number {
  return Math.round(Math.max(LEFT_PX[0], Math.min(LEFT_PX[1], LEFT_SHARE * width)));
}

/** CSS pixels below the cells, of a title, and between cells. */
const BOTTOM = 20;
export const TITLE_PX = 20;
const GAP = 4;

/** CSS pixels of the whole height, and of a cell's. */
const HEIGHT = 470;
const CELL_HEIGHTS = [46, 120] as const;

export function matrixHeight(count: number): number {
  const [least, most] = CELL_HEIGHTS;
  return Math.round(count * Math.max(least, Math.min(most, (HEIGHT - BOTTOM) / Math.max(1, count)))) + BOTTOM;
}

/** The cell of a column (from the left) and a row (from above), in CSS pixels. */
export function cellOf({ width, height }: Size, count: number, column: number, row: number): Rect {
  const left = leftOf(width);
  const [across, down] = [(width - left) / count, (height - BOTTOM) / count];
  return {
    left: Math.round(left + column * across),
    top: Math.round(row * down),
    width: Math.max(1, Math.round(across) - GAP),
    height: Math.max(1, Math.round(down) - GAP),
  };
}

/** The area of a single large plot, between the titles of its axes. */
export function plotArea({ width, height }: Size): Rect {
  const left = leftOf(width) + 26;
  const around = BOTTOM + 2 * TITLE_PX;
  return { left, top: TITLE_PX, width: Math.max(1, width - left - 12), height: Math.max(1, height - around) };
}

export interface RelationOfColumns {
  /** ρ and η², those that are defined. */
  readonly lines: readonly string[];
  /** The larger of both sizes, from 0 to 1: ρ is near 0 for an arch, which η² sees. */
  readonly strength: number;
  readonly hint: string;
}

/** Null for too few rows, and where there is neither number. */
export function relationOf(
  a: Column,
  b: Column,
  rows: readonly number[],
  areGroups: boolean,
): RelationOfColumns | null {
  const [left, right] = [rows.map((row) => a.values[row]), rows.map((row) => b.values[row])];
  const count = rows.filter((_, i) => left[i] !== undefined && right[i] !== undefined).length;
  if (count < MIN_SESSIONS) {
    return null;
  }
  const [isLeft, isRight] = [a.type === "number", b.type === "number"];
  const rho = isLeft && isRight ? spearman(left, right) : null;
  const explained = [
    ...(isRight ? [{ share: shareOf(left, right), of: b, by: a }] : []),
    ...(isLeft ? [{ share: shareOf(right, left), of: a, by: b }] : []),
  ].filter((one): one is typeof one & { readonly share: number } => one.share !== null);
  const [best] = explained.sort((one, other) => other.share - one.share);
  if (rho === null && best === undefined) {
    return null;
  }
  const share = Math.max(0, best?.share ?? 0);
  const correlation = rho === null ? [] : [scatterTexts().correlation(formatShare(rho))];
  const lines = [...correlation, ...(best === undefined ? [] : [scatterTexts().share(formatShare(share))])];
  const measures = [
    ...correlation,
    ...(best === undefined ? [] : [scatterTexts().shareOf(formatShare(share), best.of.title, best.by.title)]),
  ];
  return {
    lines,
    strength: Math.max(Math.abs(rho ?? 0), share),
    hint: scatterTexts().relation(
      a.title,
      b.title,
      measures,
      scatterTexts().sessions(count, formatCount(count), areGroups),
    ),
  };
}
