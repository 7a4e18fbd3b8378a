// The canvas of one mesh: drawn as its camera, the options and the theme change, and turned by the pointer and keys.

import { effect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { fitCanvas } from "../../charts/geometry";
import { actionAmong, type KeyMap, ZOOM_STEP } from "../../charts/keyboard";
import { Moving } from "../../charts/moving";
import { type Orbit, pan, rotate, type View, zoomAt } from "../../charts/orbit";
import { useCanvasSize } from "../../charts/pixelratio";
import { listen as stageGestures } from "../../charts/stagegestures";
import { pageColors } from "../../charts/theme";
import { viewerState } from "../../items/viewer/state";
import { formatCount } from "../../lib/format";
import { useOptions, useView } from "../../ui/view";
import { cameraNow, camerasOf, include, look } from "./camera";
import type { Sample, Scene } from "./codec";
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

// Pointer, wheel and keys on a mesh: a drag orbits, with Shift or another button it moves, two fingers or the wheel zoom, a
// double-click fits.

/** Radians for a CSS pixel, and for a press of a key; CSS pixels for one. */
const PER_PIXEL = 0.008;
const TURN = 0.15;
const PAN = 30;

interface Stage {
  /** In CSS pixels. */
  readonly view: View;
  /** The camera as it is now; null where there is nothing to see. */
  camera(): Orbit | null;
  /** Null: fitted. */
  look(camera: Orbit | null): void;
}

/**
 * Turns, moves and zooms by pointer, wheel and keys until the returned function is called. `keys`: the element that takes the
 * keys. Where that is a dialog, its own arrow keys go through the steps: with Shift they turn the mesh, and the wheel zooms
 * without Alt.
 */
export function listen(element: HTMLElement, stage: () => Stage, keys: HTMLElement | null): () => void {
  const isTile = keys === element;
  const change = (next: Look) => {
    const { camera, view, look } = stage();
    const before = camera();
    if (before !== null) {
      look(next(before, view));
    }
  };
  const pressed = (event: KeyboardEvent) => {
    if (!isTile && (event.target as Element).closest("input, select") !== null) {
      return;
    }
    const next = actionAmong<Look>(event, isTile ? TILE_KEYS : STAGE_KEYS);
    if (next !== undefined) {
      event.preventDefault();
      change(next);
    }
  };
  keys?.addEventListener("keydown", pressed);
  const end = stageGestures(
    element,
    {
      pans: ({ shiftKey }) => shiftKey,
      moved: ({ x: right, y: down }, isOther) =>
        change((camera, view) =>
          isOther ? pan(camera, view, right, down) : rotate(camera, right * PER_PIXEL, down * PER_PIXEL, true),
        ),
      zoomed: (factor, { x, y }) => change((camera, view) => zoomAt(camera, view, factor, x, y)),
      doubleClicked: () => stage().look(null),
    },
    { hasRightDrag: true, wheel: isTile ? null : { zooms: () => true, pinchGain: 1 } },
  );
  return () => {
    end();
    keys?.removeEventListener("keydown", pressed);
  };
}

type Look = (camera: Orbit, view: View) => Orbit | null;

const turned =
  (right: number, down: number): Look =>
  (camera) =>
    rotate(camera, right * TURN, down * TURN, true);
const moved =
  (right: number, down: number): Look =>
  (camera, view) =>
    pan(camera, view, right * PAN, down * PAN);
const zoomed =
  (factor: number): Look =>
  (camera, view) =>
    zoomAt(camera, view, factor, view.width / 2, view.height / 2);

const zoom = { Plus: zoomed(ZOOM_STEP), "=": zoomed(ZOOM_STEP), "-": zoomed(1 / ZOOM_STEP) } as const;
const fit = { "0": () => null } as const;

/** The keys of a mesh in a card. */
export const TILE_KEYS = {
  turn: { ArrowLeft: turned(-1, 0), ArrowRight: turned(1, 0), ArrowUp: turned(0, -1), ArrowDown: turned(0, 1) },
  move: {
    "Shift+ArrowLeft": moved(-1, 0),
    "Shift+ArrowRight": moved(1, 0),
    "Shift+ArrowUp": moved(0, -1),
    "Shift+ArrowDown": moved(0, 1),
  },
  zoom,
  fit,
} as const satisfies KeyMap<Look>;

/** The keys of a mesh in the viewer, whose own arrow keys go through steps and runs. */
export const STAGE_KEYS = {
  turn: {
    "Shift+ArrowLeft": turned(-1, 0),
    "Shift+ArrowRight": turned(1, 0),
    "Shift+ArrowUp": turned(0, -1),
    "Shift+ArrowDown": turned(0, 1),
  },
  zoom,
  fit,
} as const satisfies KeyMap<Look>;
