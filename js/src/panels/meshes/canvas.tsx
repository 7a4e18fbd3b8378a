// The canvas of one mesh: drawn as its camera, the options and the theme change, and turned by the pointer and keys.

import { effect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { fitCanvas } from "../../charts/geometry";
import { Moving } from "../../charts/moving";
import type { Orbit } from "../../charts/orbit";
import { pageColors } from "../../charts/theme";
import { viewerState } from "../../items/viewer/state";
import { formatCount } from "../../lib/format";
import { useCanvasSize } from "../../ui/canvassize";
import { useOptions, useView } from "../../ui/view";
import { cameraNow, camerasOf, include, look } from "./camera";
import type { Sample, Scene } from "./codec";
import { listen } from "./gestures";
import { meshesOptions } from "./options";
import { paintMesh } from "./paint";
import { meshTexts } from "./texts";

interface Props {
  readonly tag: string;
  readonly run: string;
  /** Name of the run as it is shown. */
  readonly name: string;
  /** Color of the run, as #rrggbb. */
  readonly color: string;
  readonly sample: Sample;
  readonly scene: Scene;
  /** Which of its batch it is. */
  readonly number: number;
  /** In the viewer: whether keys of the whole dialog are about it. Null in a tile, which is behind the viewer. */
  readonly viewed: { readonly isActive: boolean } | null;
  /** Called in the first frame that has drawn it. */
  drawn?(): void;
}

export function MeshCanvas({ tag, run, name, color, sample, scene, number, viewed, drawn }: Props) {
  const view = useView();
  const { frames, theme } = view;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { mesh_shade, mesh_color, mesh_same_camera } = useOptions(meshesOptions);
  const { width, height, ratio } = useCanvasSize(canvas).value;
  const cameras = camerasOf(view, tag, mesh_same_camera.value ? "" : JSON.stringify([run, number]));
  const [shade, coloring, page] = [mesh_shade.value, mesh_color.value, theme.value];
  const pixels = { width, height };
  const now = useRef({ drawn, cameras, scene, pixels });
  now.current = { drawn, cameras, scene, pixels };
  const redraw = useRef(() => {});
  const moving = useMemo(() => new Moving(() => redraw.current()), []);
  const isTile = viewed === null;
  const hasKeys = isTile || viewed.isActive;
  useEffect(() => () => moving.stop(), [moving]);
  useEffect(() => include(cameras, sample), [cameras, sample]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) {
      return;
    }
    const stage = () => {
      const { cameras, scene, pixels } = now.current;
      return {
        view: pixels,
        camera: () => cameraNow(cameras, scene, pixels),
        look: (camera: Orbit | null) => look(cameras, camera),
      };
    };
    return listen(element, stage, hasKeys ? (isTile ? element : element.closest("dialog")) : null);
  }, [isTile, hasKeys]);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0 || height === 0) {
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
        now.current.drawn?.();
      }
    };
    let before: Orbit | null = null;
    const end = effect(() => {
      const camera = cameraNow(cameras, scene, { width, height });
      // The viewer hides the tiles.
      if (isTile && viewerState(view, "meshes").at.value !== null) {
        return;
      }
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
  }, [sample, scene, cameras, width, height, ratio, shade, coloring, color, page, frames, moving, isTile, view]);
  return (
    <canvas
      ref={canvas}
      {...(isTile ? { role: "application", tabIndex: 0 } : { role: "img" })}
      aria-label={meshTexts().meshOf(name, formatCount(sample.vertices), formatCount(sample.faces))}
      title={isTile ? meshTexts().hint : meshTexts().viewerHint}
      data-lm-suppress-shortcuts="true"
    />
  );
}
