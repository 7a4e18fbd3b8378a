// The tiles of one run: a mesh each, of those that were written together.

import { effect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { fitCanvas } from "../../charts/geometry";
import { Moving } from "../../charts/moving";
import type { Orbit } from "../../charts/orbit";
import { pageColors } from "../../charts/theme";
import type { ShownRun } from "../../items/card";
import { beginWaiting } from "../../items/playback";
import { type ShownRow, stepShown } from "../../items/shown";
import { useItem, useWantedItem } from "../../items/source";
import type { AtStep } from "../../items/steps";
import { formatCount } from "../../lib/format";
import { strings } from "../../lib/strings";
import { useCanvasWidth } from "../../ui/canvassize";
import { Elided } from "../../ui/elided";
import { useOptions, useView } from "../../ui/view";
import { cameraNow, camerasOf, include } from "./camera";
import type { Batch, MeshRow, Sample } from "./codec";
import { listen } from "./gestures";
import { meshItems } from "./item";
import { meshesOptions } from "./options";
import { paintMesh } from "./paint";

/** What a run shows. */
export interface Shown {
  readonly step: bigint;
  readonly state: "shown" | "waits" | "broken";
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
  const { row, newer } = one;
  const place = { tag, run: of.run, row };
  const found = useItem(meshItems, place, { pushed: at === "newest" });
  useWantedItem(meshItems, newer && { ...place, row: newer }, { pushed: true });
  const batch = found.state === "held" ? found.value : null;
  const state = found.state === "held" ? "shown" : found.state;
  const { store } = view.channel;
  const saved = store.savedAt.value !== null;
  const busy = store.status.value?.cell === true;
  const isHolding = state === "waits" && !saved && !busy;
  useEffect(() => (isHolding ? beginWaiting(view, "meshes", tag) : undefined), [isHolding, view, tag]);
  const drawn = useRef(0);
  const report = () => shows(of.run, { step: row.step, state, batch });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest follows from these
  useLayoutEffect(() => {
    drawn.current = 0;
    if (batch === null || batch.samples.length === 0) {
      report();
    }
  }, [row, state, batch, shows]);
  useEffect(() => () => shows(of.run, null), [shows, of.run]);
  const note =
    found.state === "broken"
      ? found.reason
      : found.state === "held"
        ? strings.meshes.empty
        : saved
          ? strings.notSaved
          : busy
            ? strings.waitsForKernel
            : strings.meshes.loading;
  // A tile without a mesh says why.
  const samples: readonly (Sample | null)[] = batch === null || batch.samples.length === 0 ? [null] : batch.samples;
  const shownStep = stepShown(row, at, newer);
  return (
    <>
      {samples.map((sample, number) => (
        <figure
          key={number}
          class="tbwidget-tile"
          data-run={of.run}
          data-tag={tag}
          data-step={row.step.toString()}
          data-sample={number}
          data-state={state}
          data-faded={of.faded ? "" : undefined}
        >
          <div class="tbwidget-mesh">
            {sample !== null && batch !== null && (
              <Mesh
                tag={tag}
                of={of}
                sample={sample}
                batch={batch}
                number={number}
                drawn={() => {
                  drawn.current += 1;
                  if (drawn.current === samples.length) {
                    report();
                  }
                }}
              />
            )}
            {(sample === null || sample.vertices === 0) && <span class="tbwidget-tile-note">{note}</span>}
          </div>
          <figcaption>
            <span class="tbwidget-tile-run">
              <i style={{ background: of.color }} />
              <Elided text={of.name} />
            </span>
            <span class="tbwidget-tile-step">
              {samples.length > 1 && <b>{strings.sampleName(number)}</b>}
              <span data-behind={shownStep.behind ? "" : undefined}>{shownStep.text}</span>
              {one.count > 1 && <span>{strings.repeat(formatCount(one.number), formatCount(one.count))}</span>}
              {sample !== null && (
                <span>
                  {strings.meshes.size(formatCount(sample.vertices), sample.triangles && formatCount(sample.faces))}
                </span>
              )}
            </span>
          </figcaption>
        </figure>
      ))}
    </>
  );
}

interface MeshProps {
  readonly tag: string;
  readonly of: ShownRun<MeshRow>;
  readonly sample: Sample;
  readonly batch: Batch;
  readonly number: number;
  drawn(): void;
}

function Mesh({ tag, of, sample, batch, number, drawn }: MeshProps) {
  const view = useView();
  const { frames, theme } = view;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { mesh_size, mesh_shade, mesh_color, mesh_same_camera } = useOptions(meshesOptions);
  const { width, ratio } = useCanvasWidth(canvas);
  const { scene } = batch;
  const cameras = camerasOf(view, tag, mesh_same_camera.value ? "" : JSON.stringify([of.run, number]));
  const [shade, coloring, page, color] = [mesh_shade.value, mesh_color.value, theme.value, of.color];
  const height = mesh_size.value;
  const pixels = { width, height };
  const now = useRef({ drawn, cameras, scene, pixels });
  now.current = { drawn, cameras, scene, pixels };
  const redraw = useRef(() => {});
  const moving = useMemo(() => new Moving(() => redraw.current()), []);
  useEffect(() => () => moving.stop(), [moving]);
  useEffect(() => include(cameras, sample), [cameras, sample]);
  useEffect(() => {
    const element = canvas.current;
    return element === null
      ? undefined
      : listen(element, () => {
          const { cameras, scene, pixels } = now.current;
          return {
            view: pixels,
            camera: () => cameraNow(cameras, scene, pixels),
            look: (camera) => {
              cameras.camera.value = camera;
            },
          };
        });
  }, []);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0) {
      return;
    }
    let isDrawn = false;
    const draw = (camera: Orbit | null) => {
      moving.draw(ratio, (coarseness) => {
        // The canvas has no text: the page may enlarge it.
        fitCanvas(element, { width, height }, ratio / coarseness);
        const { background } = pageColors(element, page);
        const context = element.getContext("2d");
        if (context !== null && camera !== null) {
          const look = { shade, coloring, color, background, theme: page };
          paintMesh(sample, scene, camera, element.width, element.height, look).put(context, 0, 0);
        }
      });
      if (!isDrawn) {
        isDrawn = true;
        now.current.drawn();
      }
    };
    let before: Orbit | null = null;
    const end = effect(() => {
      const camera = cameraNow(cameras, scene, { width, height });
      if (before !== null && camera !== before) {
        moving.moved();
      }
      before = camera;
      redraw.current = () => frames.request(element, () => draw(camera));
      redraw.current();
    });
    return () => {
      end();
      frames.cancel(element);
      redraw.current = () => {};
    };
  }, [sample, scene, cameras, width, height, ratio, shade, coloring, color, page, frames, moving]);
  return (
    <canvas
      ref={canvas}
      tabIndex={0}
      role="img"
      aria-label={strings.meshes.meshOf(of.name, formatCount(sample.vertices), formatCount(sample.faces))}
      title={strings.meshes.hint}
      data-lm-suppress-shortcuts="true"
    />
  );
}
