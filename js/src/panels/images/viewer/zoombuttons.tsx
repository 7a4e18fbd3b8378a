// The buttons that zoom, and how large the image is on the screen.

import type { Signal } from "@preact/signals";
import { pixelRatio } from "../../../charts/pixelratio";
import { strings } from "../../../lib/strings";
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
        title={strings.images.zoomOut}
        aria-label={strings.images.zoomOut}
        onClick={() => act({ does: "zoom", factor: 1 / ZOOM })}
      >
        −
      </button>
      <output>
        {scale === null
          ? ""
          : strings.images.percent(scale < 0.1 ? Number((100 * scale).toPrecision(2)) : Math.round(100 * scale))}
      </output>
      <button
        type="button"
        title={strings.images.zoomIn}
        aria-label={strings.images.zoomIn}
        onClick={() => act({ does: "zoom", factor: ZOOM })}
      >
        +
      </button>
      <button type="button" title={strings.images.wholeImageHint} onClick={() => act({ does: "whole" })}>
        {strings.images.wholeImage}
      </button>
      <button type="button" title={strings.images.actualPixelsHint} onClick={() => act({ does: "actual" })}>
        {strings.images.actualPixels}
      </button>
    </span>
  );
}
