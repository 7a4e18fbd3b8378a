// PR curves of made-up counts, a store that contains them, and the part of a view that the panel needs.

import { signal } from "@preact/signals";
import { namedRangeOptions } from "../../../src/options/namedranges";
import { Options } from "../../../src/options/options";
import { timeAxisOptions } from "../../../src/options/shared";
import { type CurveRow, curves, type PRCurve, type TagCurves } from "../../../src/panels/pr_curves/codec";
import { prCurvesOptions } from "../../../src/panels/pr_curves/options";
import { KeyedSignals } from "../../../src/ui/keyed";
import type { View } from "../../../src/ui/view";
import type { DataMessage } from "../../../src/wire/protocol";
import { Requests } from "../../../src/wire/requests";
import { Store } from "../../../src/wire/store";
import cases from "../../fixtures/pr_curves.json";
import { FakeModel } from "../../options/fakemodel";
import { EMPTY } from "../../wire/made";

export interface Case {
  readonly curve: PRCurve;
  readonly averagePrecision: number;
  readonly rocAuc: number;
  readonly f1: readonly number[];
}

/** scikit-learn's results for some counts. */
export const CASES: readonly Case[] = cases.map(({ counts: { tp, fp, tn, fn }, ...said }) => ({
  curve: {
    ...{ tp: Float64Array.from(tp), fp: Float64Array.from(fp) },
    ...{ tn: Float64Array.from(tn), fn: Float64Array.from(fn) },
    ...{ precision: Float64Array.from(said.precision), recall: Float64Array.from(said.recall) },
  },
  averagePrecision: said.average_precision,
  rocAuc: said.roc_auc,
  f1: said.f1,
}));

/** The bytes of a curve, as the kernel sends them. */
export function blobOf({ tp, fp, tn, fn, precision, recall }: PRCurve, width: 4 | 8 = 8): Uint8Array {
  const all = [tp, fp, tn, fn, precision, recall].flatMap((column) => [...column]);
  const bytes = new Uint8Array(8 + width * all.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, tp.length, true);
  view.setUint32(4, width, true);
  for (const [i, value] of all.entries()) {
    if (width === 4) {
      view.setFloat32(8 + 4 * i, value, true);
    } else {
      view.setFloat64(8 + 8 * i, value, true);
    }
  }
  return bytes;
}

export interface Logged {
  readonly run: string;
  readonly tag: string;
  readonly steps: readonly number[];
  /** The curve of each step; null for one that has not arrived. */
  readonly curves: readonly (PRCurve | null)[];
}

export interface CurvesBoard {
  readonly view: View;
  readonly sent: readonly { readonly args?: unknown }[];
  part(tag: string): { readonly tag: string; readonly data: TagCurves };
}

/** A view; `state` sets options by name. */
export function boardOf(logged: readonly Logged[], state: Record<string, unknown> = {}): CurvesBoard {
  const store = new Store([curves]);
  let seq = 0;
  const apply = (more: Partial<DataMessage>) => {
    seq += 1;
    store.apply({ ...EMPTY, seq, begins: seq === 1, ends: seq === 1, ...more }, 0);
  };
  apply({
    items: logged.map(({ run, tag, steps }) => {
      const rows = steps.map((step, i): CurveRow => {
        return {
          id: i,
          step: BigInt(step),
          wall: i,
          sample: 0,
          place: i,
          averagePrecision: 0.5 + i / 100,
          rocAuc: 0.75,
        };
      });
      return { kind: "pr_curves", run, tag, revision: 1, keep: 0, total: rows.length, superseded: 0, rows };
    }),
  });
  for (const { run, tag, curves } of logged) {
    for (const [id, curve] of curves.entries()) {
      if (curve !== null) {
        const bytes = blobOf(curve);
        apply({ itemPieces: [{ kind: "pr_curves", run, tag, id, from: 0, size: bytes.length, bytes, reason: null }] });
      }
    }
  }
  const options = new Options(
    new FakeModel(state),
    store,
    [timeAxisOptions, namedRangeOptions, prCurvesOptions],
    new AbortController().signal,
  );
  const sent: { readonly args?: unknown }[] = [];
  const requests = new Requests("page", (one) => sent.push(one as { readonly args?: unknown }), store.assembler);
  const channel = { store, requests };
  const view = {
    ...{ channel, options, theme: signal("light"), highlightedRun: signal(null), cameras: new KeyedSignals(null) },
    clickStep: () => {},
  };
  const part = (tag: string) => ({ tag, data: store.items(curves).tag(tag) as TagCurves });
  return { view: view as unknown as View, sent, part };
}
