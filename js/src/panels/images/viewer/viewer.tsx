// The full-window viewer of images: its steps are a film strip, and pixels of two images are compared.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { ZOOM_STEP } from "../../../charts/keyboard";
import { pixelRatio } from "../../../charts/pixelratio";
import { fitZoom } from "../../../charts/planecamera";
import { type Mode, type OpenedAt, viewerState } from "../../../items/viewer/state";
import { ItemViewer } from "../../../items/viewer/viewer";
import { useViewing } from "../../../items/viewer/viewing";
import { useOptions, useView } from "../../../ui/view";
import { type ImageRow, imageItems } from "../codec";
import { imagesOptions } from "../options";
import { imageTexts } from "../texts";
import { filterOf } from "../tilepicture";
import { type Camera, cameraOf } from "../zoom/camera";
import { actionOf, aimed, type CameraAction } from "../zoom/gestures";
import type { Found } from "./differencecanvas";
import { type Hovered, sizeOf } from "./layers";
import { Readout } from "./readout";
import { type Side, useOpenedSide } from "./side";
import { Stages } from "./stages";
import { type StageState, stageState } from "./state";
import { Strip } from "./strip";

const MODES: readonly Mode[] = ["single", "runs", "sides", "swipe", "blend", "difference"];

export function Viewer() {
  const { at } = viewerState(useView(), "images");
  return at.value !== null && <Open at={at.value as OpenedAt<ImageRow>} close={() => (at.value = null)} />;
}

interface Props {
  readonly at: OpenedAt<ImageRow>;
  close(): void;
}

function Open({ at, close }: Props) {
  const view = useView();
  const state = stageState(view);
  const { brightness, contrast, pixelated } = useOptions(imagesOptions);
  const hovered = useSignal<Hovered | null>(null);
  const differences = useSignal<Found | null>(null);
  const viewing = useViewing(imageItems, at, Number.POSITIVE_INFINITY);
  const { active, mode, show } = viewing;
  const a = useOpenedSide(viewing.a);
  const b = useOpenedSide(viewing.b);
  const { run, tag, sample } = active.place;
  const camera = cameraOf(view, a.place.tag);
  const act = (action: CameraAction) => {
    const size = sizeOf(a);
    if (size !== null) {
      camera.value = aimed(camera.peek(), action, size, state.stage.value, pixelRatio());
    }
  };
  return (
    <ItemViewer
      label={imageTexts().viewer(a.place.tag)}
      viewing={viewing}
      modes={MODES}
      saveHint={imageTexts().saveHint}
      controls={<ZoomButtons side={a} camera={camera} state={state} act={act} />}
      close={close}
      keyed={(event) => {
        const action = actionOf(event);
        if (action !== undefined) {
          act(action);
        }
        return action !== undefined;
      }}
    >
      <Stages
        viewing={viewing}
        a={a}
        b={b}
        state={state}
        camera={camera}
        look={{ filter: filterOf(brightness.value, contrast.value), pixelated: pixelated.value }}
        hovered={hovered}
        differences={differences}
      />
      {b !== null && <ModeControls mode={mode} state={state} />}
      <Readout a={a} b={b} mode={mode} hovered={hovered} differences={differences} />
      <Strip
        key={JSON.stringify([run, tag, sample])}
        run={run}
        tag={tag}
        rows={active.rows}
        shown={active.shown}
        choose={show}
      />
    </ItemViewer>
  );
}

/** Differences are shown up to this many times as large, in powers of two. */
const MAX_GAIN = 6;

interface ModeControlsProps {
  readonly mode: Mode;
  readonly state: StageState;
}

export function ModeControls({ mode, state: { swipe, blend, gain } }: ModeControlsProps) {
  if (mode === "swipe") {
    return <Slider label={imageTexts().swipe} value={swipe.value} most={1} set={(value) => (swipe.value = value)} />;
  }
  if (mode === "blend") {
    return (
      <Slider label={imageTexts().blend} value={blend.value} most={1} set={(value) => (blend.value = value)}>
        {imageTexts().percent(Math.round(100 * blend.value))}
      </Slider>
    );
  }
  return mode === "difference" ? (
    <Slider
      label={imageTexts().gain}
      value={Math.log2(gain.value)}
      most={MAX_GAIN}
      step={1}
      set={(value) => (gain.value = 2 ** value)}
    >
      {imageTexts().times(gain.value)}
    </Slider>
  ) : null;
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly step?: number;
  set(value: number): void;
  readonly children?: ComponentChildren;
}

function Slider({ label, value, most, step = 0.01, set, children }: SliderProps) {
  return (
    <label class="tbwidget-mode">
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={most}
        step={step}
        value={value}
        style={{ "--tbwidget-part": `${(100 * value) / most}%` }}
        onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
      <output>{children}</output>
    </label>
  );
}

interface ZoomButtonsProps {
  readonly side: Side;
  readonly camera: Signal<Camera>;
  readonly state: StageState;
  act(action: CameraAction): void;
}

export function ZoomButtons({ side, camera, state, act }: ZoomButtonsProps) {
  const size = sizeOf(side);
  const stage = state.stage.value;
  const scale = size === null || stage.width === 0 ? null : camera.value.zoom * fitZoom(size, stage) * pixelRatio();
  return (
    <span class="tbwidget-zoom">
      <button
        type="button"
        title={imageTexts().zoomOut}
        aria-label={imageTexts().zoomOut}
        onClick={() => act({ does: "zoom", factor: 1 / ZOOM_STEP })}
      >
        −
      </button>
      <output>
        {scale === null
          ? ""
          : imageTexts().percent(scale < 0.1 ? Number((100 * scale).toPrecision(2)) : Math.round(100 * scale))}
      </output>
      <button
        type="button"
        title={imageTexts().zoomIn}
        aria-label={imageTexts().zoomIn}
        onClick={() => act({ does: "zoom", factor: ZOOM_STEP })}
      >
        +
      </button>
      <button type="button" title={imageTexts().wholeImageHint} onClick={() => act({ does: "whole" })}>
        {imageTexts().wholeImage}
      </button>
      <button type="button" title={imageTexts().actualPixelsHint} onClick={() => act({ does: "actual" })}>
        {imageTexts().actualPixels}
      </button>
    </span>
  );
}
