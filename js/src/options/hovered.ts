// Tells Python which run and step the pointer is on, a few times a second at most. Twin of `point_from_json` in
// tbwidget/options/agreement.py.

import type { Model } from "../wire/model";

/** One run's point below the pointer. */
export interface HoveredPoint {
  /** Name of its line. */
  readonly run: string;
  /** It is of a line of several runs, which is called after none of them. */
  readonly n?: number;
  /** Where one chart draws several tags. */
  readonly tag?: string;
  readonly step: bigint;
  readonly value: number;
  /** Edges of a bin. */
  readonly left?: number;
  readonly right?: number;
}

/** Milliseconds between two messages, at least. */
const SEND_PAUSE_MS = 200;

/** Runs that are sent. */
const MAX_RUNS = 50;

export class HoverSync {
  readonly #model: Model;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: () => unknown = () => null;
  #sent = "null";

  constructor(model: Model, until: AbortSignal) {
    this.#model = model;
    until.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** `points`: the nearest first; none where the pointer is on nothing. */
  set(panel: string, tag: string, points: readonly HoveredPoint[]): void {
    this.#next = () => toJson(panel, tag, points);
    this.#timer ??= setTimeout(() => this.#send(), SEND_PAUSE_MS);
  }

  #send(): void {
    this.#timer = undefined;
    const next = this.#next();
    const text = JSON.stringify(next);
    if (text === this.#sent) {
      return;
    }
    this.#sent = text;
    try {
      this.#model.set("_hovered", next);
      this.#model.save_changes();
    } catch {
      // The kernel has ended.
    }
  }
}

function toJson(panel: string, tag: string, points: readonly HoveredPoint[]): unknown {
  const [first] = points;
  if (first === undefined) {
    return null;
  }
  const { run, step, value, left, right } = first;
  const of = (point: HoveredPoint) => point.tag ?? tag;
  const same = points.filter((point) => of(point) === of(first)).slice(0, MAX_RUNS);
  const values = Object.fromEntries(same.map((point) => [point.run, numberToJson(point.value)]));
  const edges = left === undefined || right === undefined ? {} : { left, right };
  const line = first.n === undefined ? { run } : { run: null, group: run };
  return { panel, tag: of(first), ...line, step: stepToJson(step), value: numberToJson(value), ...edges, values };
}

/** JSON has neither NaN nor infinities. */
function numberToJson(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function stepToJson(step: bigint): number | string {
  const number = Number(step);
  return Number.isSafeInteger(number) ? number : step.toString();
}
