// Series, parts and messages made for tests.

import { histograms } from "../../src/histograms/codec";
import { scalars } from "../../src/lines/codec";
import { applyPart, pointCounts, type Rows, type Series, type SeriesPart } from "../../src/lines/series";
import type { AnyCodec, Key } from "../../src/wire/codec";
import type { DataMessage, Status } from "../../src/wire/protocol";

/** The codecs of all panels. */
export const CODECS: readonly AnyCodec[] = [scalars, histograms];

/** The same by kind. */
export const BY_KIND: ReadonlyMap<string, AnyCodec> = new Map(CODECS.map((codec) => [codec.kind, codec]));

/** Rows of points, a second apart. */
export function pointRows(steps: readonly number[], values: readonly number[] = steps): Rows {
  const step = Float64Array.from(steps);
  const value = Float64Array.from(values);
  const wall = Float64Array.from(steps, (_, i) => 1000 + i);
  return { step, first: step, wall, value, min: value, max: value, count: pointCounts(value) };
}

/** A part of the series `tag` of `run`: points, unless `more` says otherwise. */
export function part(tag: string, run: string, steps: readonly number[], more: Partial<SeriesPart> = {}): SeriesPart {
  const keep = more.keep ?? 0;
  const rows = more.rows ?? pointRows(steps);
  return {
    kind: "scalars",
    run,
    tag,
    revision: 0,
    keep,
    width: 1,
    startWall: 1000,
    total: keep + steps.length,
    superseded: 0,
    last: rows.value.at(-1) ?? null,
    rows,
    ...more,
  };
}

/** A series of points. */
export function points(steps: readonly number[], values: readonly number[] = steps): Series {
  const made = applyPart(undefined, part("t", "r", steps, { rows: pointRows(steps, values) }));
  if (made === null) {
    throw new Error("a whole part always applies");
  }
  return made;
}

/** Values that rise and fall: smoothing helps their series. */
export function waves(count: number): number[] {
  return Array.from({ length: count }, (_, i) => 10 + 5 * Math.sin(i) + (i % 3));
}

/** A series that smoothing helps: these points, followed by waves. */
export function longPoints(steps: readonly number[], values: readonly number[]): Series {
  const more = waves(40);
  const end = Math.max(...steps);
  return points([...steps, ...more.map((_, i) => end + 10 + 10 * i)], [...values, ...more]);
}

/** The status after the initial scan, with no new data. */
export const STATUS: Status = {
  ready: true,
  read: [0, 0],
  path: "/runs",
  exists: true,
  newest: null,
  age: null,
  leftOut: 0,
  problems: 0,
  kinds: ["scalars"],
  emptyFiles: 0,
  polled: null,
  reading: null,
  fresh: false,
  cell: null,
  clock: null,
  unsent: 0,
  share: 1,
};

/** A message of scalars. */
export function message(seq: number, series: readonly Key[], more: Partial<DataMessage> = {}): DataMessage {
  return { ...EMPTY, seq, series, ...more };
}

/** A message without data. */
export const EMPTY: DataMessage = {
  seq: 1,
  keyframe: 1,
  begins: false,
  ends: false,
  status: STATUS,
  numbers: new Map(),
  series: [],
  details: [],
  items: [],
  documents: [],
  itemPieces: [],
  documentPieces: [],
  answers: [],
  answerPieces: [],
  failed: [],
  damaged: false,
};
