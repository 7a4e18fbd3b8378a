// A tile of a card: what a run has at a step, with its state and its caption.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import type { AtStep } from "../ui/globalstep";
import { RunName } from "../ui/runname";
import { uiTexts } from "../ui/texts";
import { useView } from "../ui/view";
import type { ShownRun } from "./card";
import type { ItemPlace } from "./kind";
import { beginWaiting } from "./playback";
import { type SampledRow, type ShownRow, stepShown } from "./shown";
import { itemTexts } from "./texts";
import "./tile.css";

export type TileState = "shown" | "waits" | "broken";

interface Waiting {
  readonly isBusy: boolean;
  /** Shown in the tile instead of the item. */
  readonly note: string;
}

/**
 * Holds up playback while a tile waits for its item. `isAbsent`: the item must be requested. A busy kernel or a saved page
 * cannot send it, and playback goes on. `loading`: the note while the item is loaded.
 */
export function useWaiting(panel: string, tag: string, state: TileState, isAbsent: boolean, loading: string): Waiting {
  const view = useView();
  const { store } = view.channel;
  const isSaved = store.savedAt.value !== null;
  const isBusy = store.status.value?.cell === true;
  const holdsUp = state === "waits" && !(isAbsent && (isSaved || isBusy));
  useEffect(() => (holdsUp ? beginWaiting(view, panel, tag) : undefined), [holdsUp, view, panel, tag]);
  const note = isAbsent && isSaved ? itemTexts().notSaved : isAbsent && isBusy ? uiTexts().waitsForKernel : loading;
  return { isBusy, note };
}

interface Props<R extends SampledRow> extends Pick<ShownRow<R>, "newer" | "number" | "count"> {
  readonly place: ItemPlace<R>;
  /** Number among the samples of the step. */
  readonly sample: number;
  readonly of: Pick<ShownRun<R>, "name" | "color" | "faded">;
  readonly state: TileState;
  /** The step that was chosen. */
  readonly at: AtStep;
  /** Several samples were written together. */
  readonly isNumbered: boolean;
  readonly title?: string;
  /** At the end of the caption. */
  readonly facts?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function ItemTile<R extends SampledRow>(props: Props<R>) {
  const { place, sample, of, state, at, newer, number, count, isNumbered, title, facts, children } = props;
  const { tag, run, row } = place;
  const step = stepShown(row, at, newer);
  return (
    <figure
      class="tbwidget-tile"
      data-run={run}
      data-tag={tag}
      data-step={row.step.toString()}
      data-sample={sample}
      data-state={state}
      data-faded={of.faded ? "" : undefined}
      aria-label={listOf([of.name, step.text])}
      title={title}
    >
      {children}
      <figcaption>
        <span class="tbwidget-tile-run">
          <i style={{ background: of.color }} />
          <RunName run={run} />
        </span>
        <span class="tbwidget-tile-step">
          {isNumbered && <b>{itemTexts().sampleName(sample)}</b>}
          <span data-behind={step.behind ? "" : undefined}>{step.text}</span>
          {count > 1 && <span>{itemTexts().repeat(formatCount(number), formatCount(count))}</span>}
          {facts}
        </span>
      </figcaption>
    </figure>
  );
}
