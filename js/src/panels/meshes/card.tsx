// The card of one tag's meshes: tiles of runs and samples, and what of them is not drawn.

import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { ItemCard, ItemCardSliders, type ShownRun, useItemCard } from "../../items/card";
import type { ShownRow } from "../../items/shown";
import { useItem, useWantedItem } from "../../items/source";
import { ItemTile, type TileState, useWaiting } from "../../items/tile";
import { viewerState } from "../../items/viewer/state";
import { fileName, safeName } from "../../lib/filenames";
import { formatCount } from "../../lib/format";
import { FillButton } from "../../ui/fillbutton";
import type { AtStep } from "../../ui/globalstep";
import type { CardProps } from "../../ui/groups";
import { saveTexts } from "../../ui/save/texts";
import { saveFiles } from "../../ui/savefile";
import { uiTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { MeshCanvas } from "./canvas";
import type { Batch, MeshRow, Sample, TagMeshes } from "./codec";
import { FitButton } from "./controls";
import { meshItems, remarksOf, sizeOf } from "./item";
import { noteFaces } from "./surfaces";
import { meshTexts } from "./texts";

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
      others={[{ name: saveTexts().formats.png, action: "save.png", save: () => savePictures(tiles.current, tag) }]}
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

// Saves the meshes of a card as they are drawn.

/** Saves a PNG of each mesh that a card draws, and resolves to a message for the user. */
async function savePictures(card: HTMLElement | null, tag: string): Promise<string> {
  const tiles = [...(card?.querySelectorAll<HTMLElement>(".tbwidget-tile") ?? [])];
  const made = await Promise.all(tiles.map((tile) => pictureOf(tile, tag)));
  const files = made.filter((file) => file !== null);
  await saveFiles(files, files.length === 1 ? null : ["meshes", safeName(tag)].filter(Boolean).join("_"));
  return files.length === 0 ? saveTexts().nothing : meshTexts().savedAsPng(formatCount(files.length));
}

async function pictureOf(tile: HTMLElement, tag: string) {
  const canvas = tile.querySelector("canvas");
  const { run = "", step = "0", sample = "0" } = tile.dataset;
  const blob = canvas && (await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png")));
  if (blob === null) {
    return null;
  }
  const isOne = tile.parentElement?.querySelector(`[data-run="${CSS.escape(run)}"][data-sample="1"]`) === null;
  const name = fileName({ run, tag, step: BigInt(step), sample: isOne ? null : Number(sample) }, "png");
  return { name, bytes: new Uint8Array(await blob.arrayBuffer()), wall: Date.now() / 1000 };
}

// The tiles of one run: a mesh each, of those that were written together.

/** The mesh that a run shows. */
interface Shown {
  readonly step: bigint;
  readonly state: TileState;
  readonly batch: Batch | null;
}

interface RunProps {
  readonly tag: string;
  readonly of: ShownRun<MeshRow>;
  readonly one: ShownRow<MeshRow>;
  readonly at: AtStep;
  /** Called after what a run shows was drawn, and with null when it is gone. */
  shows(run: string, shown: Shown | null): void;
}

function RunTiles({ tag, of, one, at, shows }: RunProps) {
  const view = useView();
  const { run, name, color } = of;
  const { row, newer } = one;
  const place = { tag, run, row };
  const found = useItem(meshItems, place, { pushed: at === "newest" });
  useWantedItem(meshItems, newer && { ...place, row: newer }, { pushed: true });
  const batch = found.state === "held" ? found.value : null;
  const state = found.state === "held" ? "shown" : found.state;
  const { note } = useWaiting("meshes", tag, state, true, meshTexts().loading);
  const drawn = useRef(0);
  /** The batch on all canvases; null while some show another one. */
  const onCanvases = useRef<Batch | null>(null);
  // The mesh of the former step stays until the wanted one has come.
  const last = useRef<Batch | null>(null);
  last.current = state === "waits" ? last.current : batch;
  const held = last.current?.samples ?? [];
  // A tile without a mesh says why.
  const samples: readonly (Sample | null)[] = held.length === 0 ? [null] : held;
  const report = () => shows(run, { step: row.step, state, batch });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest follows from these
  useLayoutEffect(() => {
    drawn.current = 0;
    if (last.current === null) {
      onCanvases.current = null;
    }
    // A batch that is on the canvases, as after a step that waited, is not drawn again.
    if (batch === null || batch.samples.length === 0 || batch === onCanvases.current) {
      report();
    }
  }, [row, state, batch, shows]);
  useEffect(() => () => shows(run, null), [shows, run]);
  const message = found.state === "broken" ? found.reason : found.state === "held" ? meshTexts().empty : note;
  return (
    <>
      {samples.map((sample, number) => (
        <ItemTile
          key={number}
          {...one}
          {...{ place, of, state, at }}
          sample={number}
          isNumbered={samples.length > 1}
          facts={batch !== null && sample !== null && <span>{sizeOf(sample)}</span>}
        >
          <div class="tbwidget-mesh">
            {sample !== null && (
              <>
                <MeshCanvas
                  {...{ tag, run, name, color, sample, number }}
                  scene={last.current?.scene ?? {}}
                  viewed={null}
                  drawn={() => {
                    drawn.current += 1;
                    onCanvases.current = drawn.current >= samples.length ? last.current : null;
                    if (drawn.current === samples.length) {
                      report();
                    }
                  }}
                />
                <FillButton
                  label={meshTexts().open(name)}
                  action="items.open"
                  fill={() => {
                    viewerState(view, "meshes").at.value = { ...place, sample: number };
                  }}
                />
              </>
            )}
            {(batch === null || sample === null || sample.vertices === 0) && (
              <span class="tbwidget-tile-note">{message}</span>
            )}
          </div>
        </ItemTile>
      ))}
    </>
  );
}
