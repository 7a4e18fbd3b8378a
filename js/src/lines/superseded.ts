// Points that restarts have superseded, as dashed lines: requested from the kernel, which answers when its cell ends.

import { effect, type Signal, signal } from "@preact/signals";
import { type LatestRequest, latestRequest } from "../ui/latestrequest";
import type { View } from "../ui/view";
import { nextVersion } from "../wire/codec";
import type { Answer } from "../wire/requests";
import { compactSteps } from "../wire/steps";
import type { TagScalars } from "./codec";
import { type CurveOptions, curveOf } from "./curve";
import { scalarsOptions } from "./options";
import type { Line } from "./paint";
import { pointCounts, type Series, summary } from "./series";

const NOT_SMOOTHED = { kind: "none", amount: 0 } as const;

interface RunRequest {
  /** The state of the series that it was sent for. */
  readonly key: string;
  readonly points: LatestRequest<Series>;
}

const waiting = new WeakMap<TagScalars, Signal<boolean>>();

/** Of the cards on the screen, of which several may draw one tag. Their saved pictures use what they have received. */
const onScreen = new WeakMap<TagScalars, Set<SupersededPoints>>();

/** Whether any card has a request for a tag that is not answered yet. */
export function waitsForSuperseded(data: TagScalars): Signal<boolean> {
  const known = waiting.get(data) ?? signal(false);
  waiting.set(data, known);
  return known;
}

/** Changes when points arrive for a card of a tag, or are freed. */
const arrivals = new WeakMap<TagScalars, Signal<number>>();

function arrivalsOf(data: TagScalars): Signal<number> {
  const known = arrivals.get(data) ?? signal(0);
  arrivals.set(data, known);
  return known;
}

/** The points of one card, while it is drawn. */
export class SupersededPoints {
  readonly #panel: string;
  readonly #tag: string;
  readonly #data: TagScalars;
  readonly #view: View;
  readonly #requests = new Map<string, RunRequest>();
  #waits = false;
  #stop = () => {};

  /** The kernel answers the requests of the `panel` that is shown. */
  constructor(panel: string, tag: string, data: TagScalars, view: View) {
    this.#panel = panel;
    this.#tag = tag;
    this.#data = data;
    this.#view = view;
  }

  /** Request the points of the shown runs now and whenever these change, until `end`. */
  start(): void {
    this.#stop = effect(() => this.follow());
  }

  /** Request the points that are missing; called in an effect, it follows the data and the answers. */
  follow(): void {
    const all = onScreen.get(this.#data) ?? new Set();
    onScreen.set(this.#data, all.add(this));
    const { options, channel } = this.#view;
    // A saved page has no kernel.
    const wanted = options.of(scalarsOptions).superseded.value && channel.store.savedAt.value === null;
    let waits = false;
    for (const [run, { series }] of this.#data.byRun) {
      const shown = wanted && series.superseded > 0 && options.shows(run);
      const key = `${series.revision} ${series.superseded}`;
      let request = this.#requests.get(run);
      if (request !== undefined && (!shown || request.key !== key)) {
        request.points.cancel();
        this.#requests.delete(run);
        request = undefined;
      }
      if (!shown) {
        continue;
      }
      if (request === undefined) {
        const points = latestRequest<Series>(channel.requests);
        points.ask(`${this.#panel}.superseded`, { run, tag: this.#tag }, (answer) => seriesOf(answer, series));
        request = { key, points };
        this.#requests.set(run, request);
      }
      // It waits no more when points have arrived.
      waits = request.points.waits.value || waits;
    }
    this.#waits = waits;
    this.#notify();
  }

  /** The superseded points of a run; null until they have arrived: an effect that reads them follows them. */
  of(run: string): Series | null {
    this.#followArrivals();
    for (const one of [this, ...(onScreen.get(this.#data) ?? [])]) {
      const series = one.#requests.get(run)?.points.value.peek() ?? null;
      if (series !== null) {
        return series;
      }
    }
    return null;
  }

  end(): void {
    this.#stop();
    onScreen.get(this.#data)?.delete(this);
    for (const { points } of this.#requests.values()) {
      points.cancel();
    }
    this.#requests.clear();
    this.#waits = false;
    this.#notify();
  }

  #followArrivals(): number {
    return arrivalsOf(this.#data).value;
  }

  #notify(): void {
    const all = [...(onScreen.get(this.#data) ?? [])];
    waitsForSuperseded(this.#data).value = all.some((one) => one.#waits);
    const arrived = arrivalsOf(this.#data);
    arrived.value = arrived.peek() + 1;
  }
}

/** The points of these lines that restarts have superseded: as written, and in pieces. */
export function olderLines(lines: readonly Line[], superseded: SupersededPoints, curveOptions: CurveOptions): Line[] {
  const plain = { ...curveOptions, smoothing: NOT_SMOOTHED, split: true };
  return lines.flatMap((line) => {
    const series = superseded.of(line.run);
    return series === null ? [] : [{ ...line, curve: curveOf(series, plain) }];
  });
}

/** Steps, wall times and values, 8 bytes each, one column after the other. */
function seriesOf({ data }: Answer, { startWall }: Series): Series {
  const n = Math.floor(data.byteLength / 24);
  const bytes = data.slice().buffer;
  const value = new Float64Array(bytes, 16 * n, n);
  const step = compactSteps(new BigInt64Array(bytes, 0, n));
  const rows = { step, first: step, wall: new Float64Array(bytes, 8 * n, n), value, min: value, max: value };
  const columns = { ...rows, count: pointCounts(value) };
  const version = nextVersion();
  const facts = { width: 1, startWall, total: n, superseded: 0, revision: 0, last: value.at(-1) ?? null, version };
  return { ...columns, ...facts, ...summary(columns) };
}
