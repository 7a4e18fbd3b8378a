// PR curves as they travel: an index with the areas of each, and the counts behind each row. Twin of tbwidget/panels/pr_curves.py.

import { type ItemKind, unreadable } from "../../items/kind";
import type { SampledRow } from "../../items/shown";
import type { ItemsCodec } from "../../wire/codec";
import { integer } from "../../wire/columns";
import type { TagItems } from "../../wire/items";
import { numbersOf } from "../../wire/steps";
import { prCurveTexts } from "./texts";

/** A step has one curve: its sample is 0. */
export interface CurveRow extends SampledRow {
  /** In the order written. */
  readonly place: number;
  /** NaN where it cannot be drawn, as the next one. */
  readonly averagePrecision: number;
  /** Area under the ROC curve; NaN without positives or negatives, too. */
  readonly rocAuc: number;
}

export type TagCurves = TagItems<CurveRow>;

export type Column = Float32Array | Float64Array;

/** One curve: a place for each threshold, from 0 to 1. All values are finite. */
export interface PRCurve {
  readonly tp: Column;
  readonly fp: Column;
  readonly tn: Column;
  readonly fn: Column;
  readonly precision: Column;
  readonly recall: Column;
}

export const curves: ItemsCodec<CurveRow> = {
  sort: "items",
  kind: "pr_curves",
  decodeRows: ({ place, average_precision, roc_auc }, columns, common) => {
    const places = columns.steps(integer(place));
    const [areas, aucs] = [columns.floats(integer(average_precision)), columns.floats(integer(roc_auc))];
    return common.map((row, i) => ({
      ...row,
      sample: 0,
      place: Number(places[i] ?? 0),
      averagePrecision: areas[i] ?? Number.NaN,
      rocAuc: aucs[i] ?? Number.NaN,
    }));
  },
  encodeRows: (rows, columns) => ({
    place: columns.add(numbersOf(rows, ({ place }) => place)),
    average_precision: columns.add(numbersOf(rows, ({ averagePrecision }) => averagePrecision)),
    roc_auc: columns.add(numbersOf(rows, ({ rocAuc }) => rocAuc)),
  }),
};

/** Bytes before the columns: the number of thresholds, and the bytes of a number. */
const HEADER_BYTES = 8;
const COLUMNS = 6;

/** Throws where the bytes are no curve. */
export function decodeCurve(blob: Uint8Array): PRCurve {
  const header = new DataView(blob.buffer, blob.byteOffset, HEADER_BYTES);
  const [count, width] = [header.getUint32(0, true), header.getUint32(4, true)];
  if (count < 1 || ![4, 8].includes(width) || blob.length !== HEADER_BYTES + COLUMNS * count * width) {
    throw new RangeError(prCurveTexts().damaged);
  }
  const bytes = blob.slice(HEADER_BYTES).buffer;
  const all: Column = width === 4 ? new Float32Array(bytes) : new Float64Array(bytes);
  const column = (i: number) => all.subarray(i * count, (i + 1) * count);
  return {
    ...{ tp: column(0), fp: column(1), tn: column(2), fn: column(3) },
    ...{ precision: column(4), recall: column(5) },
  };
}

export const curveItems: ItemKind<CurveRow, PRCurve> = {
  codec: curves,
  baseSize: 1,
  request: {
    name: "pr_curves.curves",
    // Keep it below MAX_CURVES in tbwidget/panels/pr_curves.py.
    most: 64,
    patienceMs: 250,
    get damaged() {
      return prCurveTexts().damaged;
    },
    args: (wanted) => ({
      curves: wanted.map(({ run, tag, revision, row }) => [run, tag, revision, row.place]),
    }),
  },
  read: (blob) => {
    try {
      return { value: decodeCurve(blob), problem: null, whole: true };
    } catch {
      return unreadable(() => prCurveTexts().damaged);
    }
  },
};
