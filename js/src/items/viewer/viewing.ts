// The model of a viewer: it goes through steps and runs, and compares with a second item.

import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { useView, type View } from "../../ui/view";
import type { SavedKind } from "../save";
import { cardRepeat, type SampledRow } from "../shown";
import { cardStep } from "../steps";
import { otherThan, type Place, type Second } from "./place";
import { type ItemSide, placeIn, runsWith, tagsOf, useItemSide } from "./side";
import { type Mode, type OpenedAt, type StepAction, type ViewerState, viewerState } from "./state";

export interface Viewing<R extends SampledRow, V> {
  readonly kind: SavedKind<R, V>;
  readonly state: ViewerState;
  readonly first: Signal<Place>;
  readonly second: Signal<Second | null>;
  readonly a: ItemSide<R, V>;
  /** Null unless two are compared. */
  readonly b: ItemSide<R, V> | null;
  /** The side whose step and run the keys change. */
  readonly active: ItemSide<R, V>;
  readonly mode: Mode;
  setMode(mode: Mode): void;
  /** Shows another step of the active side. */
  go(place: Place): void;
  show(row: R | undefined): void;
  act(action: StepAction): void;
}

/** The viewer of a panel, opened at an item. `size`: of the variants that are shown. */
export function useViewing<R extends SampledRow, V>(
  kind: SavedKind<R, V>,
  at: OpenedAt<R>,
  size = kind.baseSize,
): Viewing<R, V> {
  const view = useView();
  const panel = kind.codec.kind;
  const state = viewerState(view, panel);
  const first = useSignal(useMemo(() => placeOf(view, panel, at), [view, panel, at]));
  const second = useSignal<Second | null>(null);
  const isOfRuns = useSignal(at.allRuns === true);
  const a = useItemSide(kind, first.value, size) as ItemSide<R, V>;
  const b = useItemSide(kind, second.value === null ? null : placeOfSecond(second.value, a), size);
  const mode: Mode = b !== null ? state.mode.value : isOfRuns.value ? "runs" : "single";
  useLayoutEffect(() => {
    state.active.value = "a";
  }, [state]);
  const active = b !== null && state.active.value === "b" ? b : a;
  const go = (place: Place, follows = false) => {
    if (active === a) {
      first.value = place;
      cardStep(view, panel, place.tag).set(place.at);
    } else {
      second.value = { place, follows };
    }
  };
  const show = (row: R | undefined) => {
    if (row !== undefined) {
      go({ ...active.place, at: row.step, id: row.id });
    }
  };
  const setMode = (next: Mode) => {
    isOfRuns.value = next === "runs";
    if (next === "single" || next === "runs") {
      second.value = null;
      state.active.value = "a";
      return;
    }
    state.mode.value = next;
    const { run, tag } = a.place;
    const other = otherThan(a.place, runsWith(kind, tag, run, view), a.rows[a.shown - 1], tagsOf(kind, run, view));
    const follows = other.id === null;
    second.value ??= { place: follows ? placeIn(kind, other.run, other, view) : other, follows };
  };
  const act = (action: StepAction) => {
    switch (action.does) {
      case "step":
        return show(active.rows[Math.max(0, Math.min(active.rows.length - 1, active.shown + action.by))]);
      case "first":
        return show(active.rows[0]);
      case "last":
        return go({ ...active.place, at: "newest", id: null });
      case "run": {
        const runs = runsWith(kind, active.place.tag, active.place.run, view);
        const run = runs[runs.indexOf(active.place.run) + action.by];
        return run === undefined ? undefined : go(placeIn(kind, run, active.place, view), second.value?.follows);
      }
      case "swap":
        if (second.value !== null && b !== null) {
          const before = first.value;
          first.value = b.place;
          second.value = { place: before, follows: second.value.follows };
        }
    }
  };
  return { kind, state, first, second, a, b, active, mode, setMode, go, show, act };
}

/** Where the viewer opens: at the row, or at "newest" if its card follows the newest step. */
function placeOf<R extends SampledRow>(view: View, panel: string, { tag, run, row, sample }: OpenedAt<R>): Place {
  const { at } = cardStep(view, panel, tag);
  const isNewest = at === "newest" && cardRepeat(view, panel, tag).at === "newest";
  return {
    ...{ run, tag, sample: sample ?? row.sample },
    ...(isNewest ? { at, id: null } : { at: row.step, id: row.id }),
  };
}

/** The place of the second side: at the step of the first while it follows. */
function placeOfSecond<R extends SampledRow, V>(
  { place, follows }: Second,
  { place: { at }, row }: ItemSide<R, V>,
): Place {
  return follows ? { ...place, at: row?.step ?? at, id: null } : place;
}
