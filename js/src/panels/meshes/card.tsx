// The card of one tag's meshes: tiles of runs and samples, and what of them is not drawn.

import { useSignal } from "@preact/signals";
import { useCallback, useRef } from "preact/hooks";
import { ItemCard, ItemCardSliders, useItemCard } from "../../items/card";
import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import type { CardProps } from "../../ui/groups";
import { useOptions, useView } from "../../ui/view";
import { camerasOf, canFit, look } from "./camera";
import type { TagMeshes } from "./codec";
import { meshItems } from "./item";
import { meshesOptions } from "./options";
import { RunTiles, type Shown } from "./tile";

/** Runs that a card has tiles of until the user shows more. */
const MOST_RUNS = 24;

export function MeshCard({ tag, label, data }: CardProps<TagMeshes>) {
  const view = useView();
  const { mesh_same_camera } = useOptions(meshesOptions);
  const card = useItemCard("meshes", tag, data);
  const { element, runs, at, settled } = card;
  const most = useSignal(MOST_RUNS);
  const remarks = useSignal<readonly string[]>([]);
  const shown = useRef(new Map<string, Shown>()).current;
  const shows = useCallback(
    (run: string, now: Shown | null) => {
      if (now === null) {
        shown.delete(run);
      } else {
        shown.set(run, now);
      }
      settled(run, now === null || now.state === "waits" ? null : now.step);
      describe(element.current, [...shown.values()]);
      const found = [...shown].flatMap(([run, { step, batch }]) => {
        const where = strings.meshes.where(run, formatCount(step));
        return (batch === null ? [] : remarksOf(batch.notes, batch.leftOut)).map((text) => `${where}: ${text}`);
      });
      if (found.join() !== remarks.peek().join()) {
        remarks.value = found;
      }
    },
    [element, settled, shown, remarks],
  );
  const filled = runs.filter(({ rows }) => rows.length > 0);
  const cameras = camerasOf(view, tag, "");
  return (
    <ItemCard
      kind={meshItems}
      card={card}
      label={label}
      data={data}
      wide={filled.length > 1}
      buttons={
        mesh_same_camera.value &&
        canFit(cameras) && (
          <button
            type="button"
            class="tbwidget-word"
            title={strings.meshes.fitHint}
            onClick={() => look(cameras, null)}
          >
            {strings.meshes.fit}
          </button>
        )
      }
    >
      <ItemCardSliders card={card} />
      {filled.length === 0 && at !== "newest" && (
        <p class="tbwidget-hint">{strings.meshes.nothingUpTo(formatCount(at))}</p>
      )}
      <div class="tbwidget-meshes-tiles">
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
            most.value += MOST_RUNS;
          }}
        >
          {strings.showMore(formatCount(Math.min(filled.length - most.value, MOST_RUNS)))}
        </button>
      )}
    </ItemCard>
  );
}

function remarksOf(notes: readonly string[], leftOut: readonly string[]): string[] {
  return leftOut.length === 0 ? [...notes] : [...notes, strings.meshes.leftOut(leftOut.join(", "))];
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
