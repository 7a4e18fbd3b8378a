// The part of a view that charts need, over a store and options as on a page.

import { signal } from "@preact/signals";
import { scalars, type TagScalars } from "../../src/lines/codec";
import { compareOptions, scalarsOptions } from "../../src/lines/options";
import { cardOptions } from "../../src/options/cards";
import { namedRangeOptions } from "../../src/options/namedranges";
import { Options } from "../../src/options/options";
import { logValueOptions, overlayRunsOptions, stepOverviewOptions, timeAxisOptions } from "../../src/options/shared";
import { graphsOptions } from "../../src/panels/graphs/options";
import { histogramsOptions } from "../../src/panels/histograms/options";
import type { View } from "../../src/ui/view";
import { CacheBudget } from "../../src/wire/cache";
import type { Key } from "../../src/wire/codec";
import type { Loss } from "../../src/wire/connection";
import { Assembler } from "../../src/wire/pieces";
import type { ClientMessage } from "../../src/wire/protocol";
import { Requests } from "../../src/wire/requests";
import { Store } from "../../src/wire/store";
import { FakeModel } from "../options/fakemodel";
import { CODECS, message } from "../wire/made";

export interface Board {
  readonly view: View;
  readonly store: Store;
  readonly requests: Requests;
  readonly sent: readonly ClientMessage[];
  tag(name: string): TagScalars;
  end(): void;
}

const TABLES = [
  cardOptions,
  timeAxisOptions,
  namedRangeOptions,
  logValueOptions,
  scalarsOptions,
  compareOptions,
  histogramsOptions,
  overlayRunsOptions,
  stepOverviewOptions,
  graphsOptions,
];

/** A board with these series; `state` sets options by name. */
export function boardOf(series: readonly Key[], state: Record<string, unknown> = {}): Board {
  const end = new AbortController();
  const store = new Store(CODECS);
  store.apply(message(1, series, { begins: true, ends: true }), 0);
  const options = new Options(new FakeModel(state), store, TABLES, end.signal);
  const sent: ClientMessage[] = [];
  const requests = new Requests("page", (one) => sent.push(one), new Assembler(new CacheBudget(1e9)));
  const some = {
    channel: { store, requests, loss: signal<Loss | null>(null) },
    options,
    theme: signal("light"),
    highlightedRun: signal(null),
    until: end.signal,
  };
  const tag = (name: string) => store.series(scalars).tag(name) as TagScalars;
  return { view: some as unknown as View, store, requests, sent, tag, end: () => end.abort() };
}
