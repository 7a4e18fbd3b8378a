// State of an embedding's card, which is kept while the card is off the screen.

import { computed, type Signal, signal } from "@preact/signals";
import type { Orbit } from "../../charts/orbit";
import { RegexWorker } from "../../lib/namematcher";
import { KeyedSignals } from "../../ui/keyed";
import type { View } from "../../ui/view";
import type { Column } from "./codec";
import type { Filters } from "./filters";
import { Jobs } from "./jobs";
import type { Found } from "./search";
import { UmapRunner } from "./umap/runner";

export const TOOLS = ["move", "lasso", "box"] as const;
export type Tool = (typeof TOOLS)[number];

/** The text searched for and its column; null for all columns. */
export interface Query {
  readonly text: string;
  readonly column: string | null;
}

export interface CardState {
  /** The run that is shown; null for the first one. */
  readonly run: Signal<string | null>;
  /** The camera of the projection that `key` names; null shows everything. */
  readonly camera: Signal<{ readonly key: string; readonly orbit: Orbit } | null>;
  readonly hovered: Signal<number | null>;
  readonly filters: Signal<Filters>;
  readonly query: Signal<Query>;
  /** Null while nothing is searched for. */
  readonly found: Signal<Found | null>;
  /** The points that are left; null for all. */
  readonly isolated: Signal<ReadonlySet<number> | null>;
  readonly tool: Signal<Tool>;
  /** Images of points are drawn, where there is room. */
  readonly hasImages: Signal<boolean>;
  readonly isFull: Signal<boolean>;
  /** Columns of the points that it shows. */
  readonly columns: Signal<readonly Column[]>;
  /** Parts that it cannot have, as far as it has been drawn. */
  readonly lacks: Signal<readonly ("stage" | "search" | "images")[]>;
}

/** Rows that were selected on a card: they mean nothing on a card with other rows. */
export interface Picked {
  /** Names the rows. */
  readonly rows: string;
  readonly points: readonly number[];
}

interface ViewState {
  readonly cards: KeyedSignals<CardState | null>;
  /** The last selection on any card, and the last one of each kind of rows. */
  readonly picked: Signal<Picked | null>;
  readonly pickedOf: KeyedSignals<readonly number[]>;
  readonly jobs: Jobs;
  readonly umap: UmapRunner;
  /** It ends by itself when it has had nothing to do for some seconds. */
  readonly worker: RegexWorker;
}

const ofViews = new WeakMap<View, ViewState>();

/** State that the cards of a view share. */
export function viewState(view: View): ViewState {
  let found = ofViews.get(view);
  if (found === undefined) {
    const { requests, store, loss } = view.channel;
    const jobs = new Jobs(
      requests,
      computed(() => store.status.value?.cell === true || loss.value !== null),
    );
    const cards = new KeyedSignals<CardState | null>(null);
    const pickedOf = new KeyedSignals<readonly number[]>([]);
    found = { cards, picked: signal(null), pickedOf, jobs, umap: new UmapRunner(), worker: new RegexWorker() };
    ofViews.set(view, found);
  }
  return found;
}

export function cardState(view: View, tag: string): CardState {
  const own = viewState(view).cards.of("projector", tag);
  own.value ??= {
    run: signal(null),
    camera: signal(null),
    hovered: signal(null),
    filters: signal(new Map()),
    query: signal({ text: "", column: null }),
    found: signal(null),
    isolated: signal(null),
    tool: signal("move"),
    hasImages: signal(false),
    isFull: signal(false),
    columns: signal([]),
    lacks: signal([]),
  };
  return own.value as CardState;
}
