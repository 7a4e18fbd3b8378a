// The relation of two columns: Spearman's ρ, and η² of the column that the other one explains better.

import { formatCount } from "../../../lib/format";
import type { Column } from "../sessions";
import { MIN_SESSIONS, shareOf, spearman } from "./importance";
import { formatShare } from "./importances";
import { scatterTexts } from "./texts";

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
  const said = [
    ...correlation,
    ...(best === undefined ? [] : [scatterTexts().shareOf(formatShare(share), best.of.title, best.by.title)]),
  ].join(", ");
  return {
    lines,
    strength: Math.max(Math.abs(rho ?? 0), share),
    hint: `${a.title}, ${b.title}: ${said} (${scatterTexts().sessions(count, formatCount(count), areGroups)})`,
  };
}
