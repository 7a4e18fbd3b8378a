// The part of a view that the panel of hyperparameters needs, over a store and options as on a page.

import { signal } from "@preact/signals";
import { scalars } from "../../../src/lines/codec";
import { Options } from "../../../src/options/options";
import { hparamsDocument } from "../../../src/panels/hparams/codec";
import { hparamsOptions } from "../../../src/panels/hparams/options";
import { HParamsState } from "../../../src/panels/hparams/sessions";
import type { View } from "../../../src/ui/view";
import { CacheBudget } from "../../../src/wire/cache";
import type { Loss } from "../../../src/wire/connection";
import { Assembler } from "../../../src/wire/pieces";
import type { ClientMessage } from "../../../src/wire/protocol";
import { Requests } from "../../../src/wire/requests";
import { Store } from "../../../src/wire/store";
import { FakeModel } from "../../options/fakemodel";
import { json } from "../../wire/codecs";
import { EMPTY, part, pointRows } from "../../wire/made";

export interface SweepSession {
  readonly run: string;
  readonly hparams: Readonly<Record<string, unknown>>;
  /** Values of the steps from 0 on, by tag, or by run below the session, slash and tag. */
  readonly metrics?: Readonly<Record<string, readonly number[]>>;
  readonly group?: string;
  readonly status?: string;
  readonly start?: number | null;
  readonly end?: number | null;
}

export type MetricName = string | { readonly group: string; readonly tag: string };

/** The document of these sessions, as the kernel sends it. */
export function documentOf(sessions: readonly SweepSession[], metrics: readonly MetricName[] = []) {
  const names = [...new Set(sessions.flatMap(({ hparams }) => Object.keys(hparams)))];
  return {
    hparams: names.map((name) => ({ name, title: "", description: "", type: "", domain: null, source: "summary" })),
    metrics: metrics.map((metric) => ({
      ...(typeof metric === "string" ? { group: "", tag: metric } : metric),
      ...{ title: "", description: "" },
    })),
    runs: sessions.map(({ run }) => run),
    status: sessions.map(({ status = "SUCCESS" }) => status),
    groups: sessions.map(({ group = "" }) => group),
    start: sessions.map(({ start = 1000 }) => start),
    end: sessions.map(({ end = 1060 }) => end),
    values: names.map((name) => sessions.map(({ hparams }) => hparams[name] ?? null)),
    aliases: {},
  };
}

export class SweepBoard {
  readonly store = new Store([scalars, hparamsDocument]);
  readonly options: Options;
  readonly view: View;
  readonly state: HParamsState;
  readonly requests: Requests;
  readonly sent: ClientMessage[] = [];
  /** The time, in milliseconds since the epoch. */
  readonly now = signal(5e9);
  readonly loss = signal<Loss | null>(null);
  readonly #end = new AbortController();
  #seq = 0;
  #revision = 0;

  constructor(options: Record<string, unknown> = {}) {
    this.options = new Options(new FakeModel(options), this.store, [hparamsOptions], this.#end.signal);
    this.requests = new Requests("page", (one) => this.sent.push(one), new Assembler(new CacheBudget(1e9)));
    const some = {
      channel: { store: this.store, requests: this.requests, loss: this.loss },
      options: this.options,
      theme: signal("light"),
      now: this.now,
      highlightedRun: signal(null),
    };
    this.view = some as unknown as View;
    this.state = new HParamsState(this.view);
  }

  /** Sends the document. */
  document(document: unknown): void {
    const bytes = json(document);
    this.#revision += 1;
    const key = { kind: "hparams", run: "", tag: "", revision: this.#revision };
    this.#apply({
      documents: [{ ...key, size: bytes.length }],
      documentPieces: [{ ...key, from: 0, size: bytes.length, bytes }],
    });
  }

  /** Sends values of a scalar for the steps from `keep` on. */
  scalar(run: string, tag: string, values: readonly number[], keep = 0): void {
    const steps = values.map((_, i) => keep + i);
    this.#apply({ series: [part(tag, run, steps, { keep, rows: pointRows(steps, values) })] });
  }

  /** Sends the document of these sessions and their metrics. */
  sweep(sessions: readonly SweepSession[], metrics: readonly MetricName[] = []): void {
    for (const { run, metrics: values = {} } of sessions) {
      for (const [tag, points] of Object.entries(values)) {
        this.scalar(run, tag, points);
      }
    }
    this.document(documentOf(sessions, metrics));
  }

  /** Reports that the initial scan has ended. */
  settle(): void {
    this.#apply({ ends: true, status: { ...EMPTY.status, ready: true } });
  }

  end(): void {
    this.#end.abort();
  }

  #apply(more: object): void {
    this.#seq += 1;
    this.store.apply({ ...EMPTY, seq: this.#seq, begins: true, ends: false, ...more }, 0);
  }
}
