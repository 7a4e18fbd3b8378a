// The tiles of one run: a mesh each, of those that were written together.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { ShownRun } from "../../items/card";
import type { ShownRow } from "../../items/shown";
import { useItem, useWantedItem } from "../../items/source";
import type { AtStep } from "../../items/steps";
import { ItemTile, type TileState, useWaiting } from "../../items/tile";
import { viewerState } from "../../items/viewer/state";
import { FillButton } from "../../ui/fillbutton";
import { useView } from "../../ui/view";
import { MeshCanvas } from "./canvas";
import type { Batch, MeshRow, Sample } from "./codec";
import { meshItems, sizeOf } from "./item";
import { meshTexts } from "./texts";

/** The mesh that a run shows. */
export interface Shown {
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

export function RunTiles({ tag, of, one, at, shows }: RunProps) {
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
