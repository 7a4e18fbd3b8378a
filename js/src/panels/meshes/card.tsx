// The card of one tag's meshes: tiles of runs and samples, and what of them is not drawn.

import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { ItemCard, ItemCardSliders, useItemCard } from "../../items/card";
import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import type { CardProps } from "../../ui/groups";
import { useOptions, useView } from "../../ui/view";
import { camerasOf, canFit, look } from "./camera";
import type { TagMeshes } from "./codec";
import { MeshControls } from "./controls";
import { meshItems } from "./item";
import { meshesOptions } from "./options";
import { savePictures } from "./pictures";
import { noteFaces } from "./surfaces";
import { RunTiles, type Shown } from "./tile";

/** Runs that a card has tiles of until the user shows more. */
const MOST_RUNS = 24;

/** Pixels of a caption below a mesh, between tiles, and around all of them: to both sides, and above and below. */
const CAPTION = 44;
const GAP = 8;
const [ASIDE, AROUND] = [20, 10];

export function MeshCard({ tag, label, data }: CardProps<TagMeshes>) {
  const view = useView();
  const { mesh_same_camera, mesh_size } = useOptions(meshesOptions);
  const card = useItemCard("meshes", tag, data);
  const { element, runs, at, settled } = card;
  const most = useSignal(MOST_RUNS);
  const remarks = useSignal<readonly string[]>([]);
  const full = useSignal(false);
  const fullSize = useSignal<number | null>(null);
  const tiles = useRef<HTMLDivElement>(null);
  const isFull = full.value;
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
      describe(element.current, [...shown.values()]);
      const found = [...shown].flatMap(([run, { step, batch }]) => {
        const where = strings.meshes.where(run, formatCount(step));
        return (batch === null ? [] : remarksOf(batch.notes, batch.leftOut)).map((text) => `${where}: ${text}`);
      });
      if (found.join() !== remarks.peek().join()) {
        remarks.value = found;
      }
    },
    [element, settled, shown, remarks, view, tag],
  );
  useEffect(() => {
    const area = tiles.current;
    if (area === null || !isFull) {
      return;
    }
    const measure = () => {
      const { clientWidth, clientHeight, childElementCount } = area;
      fullSize.value = fittingSize(clientWidth - ASIDE, clientHeight - AROUND, childElementCount, mesh_size.peek());
    };
    const sizes = new ResizeObserver(measure);
    const children = new MutationObserver(measure);
    sizes.observe(area);
    children.observe(area, { childList: true });
    return () => {
      sizes.disconnect();
      children.disconnect();
      fullSize.value = null;
    };
  }, [isFull, fullSize, mesh_size]);
  const size = fullSize.value ?? mesh_size.value;
  const filled = runs.filter(({ rows }) => rows.length > 0);
  const cameras = camerasOf(view, tag, "");
  return (
    <ItemCard
      kind={meshItems}
      card={card}
      label={label}
      data={data}
      wide={filled.length > 1}
      full={full}
      fullControls={<MeshControls />}
      others={[{ name: strings.meshes.asPng, save: () => savePictures(tiles.current, tag) }]}
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
      <div
        ref={tiles}
        class="tbwidget-meshes-tiles"
        style={fullSize.value === null ? undefined : { "--tbwidget-mesh": `${size}px` }}
      >
        {filled
          .slice(0, most.value)
          .flatMap((of) =>
            of.rows.map((one) => (
              <RunTiles key={of.run} tag={tag} of={of} one={one} at={at} size={size} shows={shows} />
            )),
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

/** The largest side at which all tiles fit into an area; at least `least`, for which one scrolls. */
function fittingSize(width: number, height: number, count: number, least: number): number {
  const sides = Array.from({ length: count }, (_, i) => {
    const [columns, rows] = [i + 1, Math.ceil(count / (i + 1))];
    return Math.min((width - GAP * i) / columns, (height - GAP * (rows - 1)) / rows - CAPTION);
  });
  return Math.floor(Math.max(least, ...sides));
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
