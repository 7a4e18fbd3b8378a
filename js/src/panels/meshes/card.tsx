// The card of one tag's meshes: tiles of runs and samples, and what of them is not drawn.

import { useSignal } from "@preact/signals";
import { useCallback, useRef } from "preact/hooks";
import { ItemCard, ItemCardSliders, useItemCard } from "../../items/card";
import { viewerState } from "../../items/viewer/state";
import { formatCount } from "../../lib/format";
import type { CardProps } from "../../ui/groups";
import { uiTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import type { TagMeshes } from "./codec";
import { FitButton } from "./controls";
import { meshItems, remarksOf } from "./item";
import { savePictures } from "./pictures";
import { noteFaces } from "./surfaces";
import { meshTexts } from "./texts";
import { RunTiles, type Shown } from "./tile";

/** Runs that a card has tiles of until the user shows more. */
const MAX_RUNS = 24;

export function MeshCard({ tag, label, data }: CardProps<TagMeshes>) {
  const view = useView();
  const card = useItemCard("meshes", tag, data);
  const { element, runs, at, settled } = card;
  const most = useSignal(MAX_RUNS);
  const remarks = useSignal<readonly string[]>([]);
  /** Several meshes were written together. */
  const hasSamples = useSignal(false);
  const tiles = useRef<HTMLDivElement>(null);
  const shown = useRef(new Map<string, Shown>()).current;
  const shows = useCallback(
    (run: string, now: Shown | null) => {
      if (now === null) {
        shown.delete(run);
      } else {
        shown.set(run, now);
      }
      settled(run, now === null || now.state === "waits" ? null : now.step);
      const batches = [...shown.values()].flatMap(({ batch }) => batch ?? []);
      const hasFaces = batches.some(({ samples }) => samples.some(({ faces }) => faces > 0));
      noteFaces(view, tag, batches.length === 0 ? null : hasFaces);
      hasSamples.value ||= batches.some(({ samples }) => samples.length > 1);
      describe(element.current, [...shown.values()]);
      const found = [...shown].flatMap(([run, { step, batch }]) => {
        const where = meshTexts().where(run, formatCount(step));
        return (batch === null ? [] : remarksOf(batch)).map((text) => `${where}: ${text}`);
      });
      if (found.join() !== remarks.peek().join()) {
        remarks.value = found;
      }
    },
    [element, settled, shown, remarks, hasSamples, view, tag],
  );
  const filled = runs.filter(({ rows }) => rows.length > 0);
  const fill = () => {
    const [first] = filled;
    const [one] = first?.rows ?? [];
    if (first !== undefined && one !== undefined) {
      viewerState(view, "meshes").at.value = { tag, run: first.run, row: one.row, allRuns: filled.length > 1 };
    }
  };
  return (
    <ItemCard
      kind={meshItems}
      card={card}
      label={label}
      data={data}
      wide={filled.length > 1 || hasSamples.value}
      fill={fill}
      others={[{ name: meshTexts().asPng, save: () => savePictures(tiles.current, tag) }]}
      buttons={<FitButton tag={tag} />}
    >
      <ItemCardSliders card={card} />
      {filled.length === 0 && at !== "newest" && (
        <p class="tbwidget-hint">{meshTexts().nothingUpTo(formatCount(at))}</p>
      )}
      <div ref={tiles} class="tbwidget-meshes-tiles">
        {filled
          .slice(0, most.value)
          .flatMap((of) =>
            of.rows.map((one) => <RunTiles key={of.run} tag={tag} of={of} one={one} at={at} shows={shows} />),
          )}
      </div>
      {remarks.value.map((text) => (
        <p key={text} class="tbwidget-hint" data-remark="">
          {text}
        </p>
      ))}
      {filled.length > most.value && (
        <button
          type="button"
          class="tbwidget-link"
          onClick={() => {
            most.value += MAX_RUNS;
          }}
        >
          {uiTexts().showMore(formatCount(Math.min(filled.length - most.value, MAX_RUNS)))}
        </button>
      )}
    </ItemCard>
  );
}

/** Says in the attributes of a card what it shows, of all runs together. */
function describe(card: HTMLElement | null, all: readonly Shown[]): void {
  const samples = all.flatMap(({ batch }) => batch?.samples ?? []);
  const state = ["waits", "shown", "broken"].find((one) => all.some((shown) => shown.state === one));
  const steps = all.map(({ step }) => step);
  const values = {
    step: steps.reduce((a, b) => (b > a ? b : a), steps[0] ?? 0n),
    vertices: samples.reduce((sum, { vertices }) => sum + vertices, 0),
    faces: samples.reduce((sum, { faces }) => sum + faces, 0),
    state,
  };
  for (const [name, value] of Object.entries(values)) {
    if (state === undefined) {
      card?.removeAttribute(`data-${name}`);
    } else {
      card?.setAttribute(`data-${name}`, String(value));
    }
  }
}
