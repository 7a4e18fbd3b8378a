// The buttons that zoom, and how large the image is on the screen.

import type { Signal } from "@preact/signals";
import { pixelRatio } from "../../../charts/pixelratio";
import { imageTexts } from "../texts";
import { type Camera, fitScale } from "../zoom/camera";
import { type CameraAction, ZOOM } from "../zoom/keys";
import { sizeOf } from "./layers";
import type { Side } from "./side";
import type { StageState } from "./state";

interface Props {
  readonly side: Side;
  readonly camera: Signal<Camera>;
  readonly state: StageState;
  act(action: CameraAction): void;
}

export function ZoomButtons({ side, camera, state, act }: Props) {
  const size = sizeOf(side);
  const stage = state.stage.value;
  const scale = size === null || stage.width === 0 ? null : camera.value.zoom * fitScale(size, stage) * pixelRatio();
  return (
    <span class="tbwidget-zoom">
      <button
        type="button"
        title={imageTexts().zoomOut}
        aria-label={imageTexts().zoomOut}
        onClick={() => act({ does: "zoom", factor: 1 / ZOOM })}
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
        onClick={() => act({ does: "zoom", factor: ZOOM })}
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
