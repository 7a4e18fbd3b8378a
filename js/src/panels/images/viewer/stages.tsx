// The images on the screen: one, that of each run, two side by side, or two upon one another.

import type { Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Frame, SideFrame } from "../../../items/viewer/frame";
import type { Viewing } from "../../../items/viewer/viewing";
import type { ImageRow } from "../codec";
import type { Picture } from "../picture";
import { imageTexts } from "../texts";
import type { Camera, Placement } from "../zoom/camera";
import { areComparable, DifferenceCanvas, type Found } from "./differencecanvas";
import { Checks, type Hovered, Layer, type Look, SwipeEdge, sizeOf } from "./layers";
import type { Opened } from "./opened";
import { RunStages } from "./runstages";
import type { Side } from "./side";
import { SideStage } from "./sidestage";
import { placedOver, styleOf } from "./stage";
import type { StageState } from "./state";

interface Props {
  readonly viewing: Viewing<ImageRow, Picture>;
  readonly a: Side;
  /** Null unless two are compared. */
  readonly b: Side | null;
  readonly state: StageState;
  readonly camera: Signal<Camera>;
  /** Of all images. */
  readonly look: Look;
  readonly hovered: Signal<Hovered | null>;
  readonly differences: Signal<Found | null>;
}

export function Stages(props: Props) {
  const { viewing, a, b, state, camera, look, hovered } = props;
  const { mode } = viewing;
  if (mode === "runs") {
    return <RunStages viewing={viewing} a={a} state={state} camera={camera} look={look} hovered={hovered} />;
  }
  return (
    <div class="tbwidget-stages" data-mode={mode}>
      {mode === "sides" && b !== null ? (
        <>
          <One {...props} side={a} name="a" />
          <One {...props} side={b} name="b" />
        </>
      ) : b !== null && mode !== "single" ? (
        <Two {...props} b={b} />
      ) : (
        <One {...props} side={a} name="a" />
      )}
    </div>
  );
}

function One({
  viewing,
  side,
  name,
  state,
  camera,
  look,
  hovered,
}: Props & { readonly side: Side; readonly name: "a" | "b" }) {
  return (
    <SideFrame viewing={viewing} side={side} nothing={imageTexts().noImageHere}>
      <SideStage side={side} name={name} state={state} camera={camera} look={look} hovered={hovered} />
    </SideFrame>
  );
}

/** Two upon one another: the second is as large as the first, pixel by pixel, never stretched. */
function Two({ viewing, a, b, state, camera, look, hovered, differences }: Props & { readonly b: Side }) {
  const { mode } = viewing;
  const size = sizeOf(a) ?? sizeOf(b);
  // Images of two steps are not to be compared: both must have arrived.
  const pair = useRef<readonly [Opened, Opened] | null>(null);
  if (a.isCurrent && b.isCurrent && a.opened !== null && b.opened !== null) {
    pair.current = areComparable(a.opened, b.opened) ? [a.opened, b.opened] : null;
  }
  const draw = (placed: Placement) => {
    if (mode === "difference") {
      return (
        pair.current !== null && (
          <DifferenceCanvas
            a={pair.current[0]}
            b={pair.current[1]}
            gain={state.gain.value}
            style={{ ...styleOf(placed), imageRendering: look.pixelated && placed.scale >= 1 ? "pixelated" : "auto" }}
            found={(found) => {
              differences.value = found;
            }}
          />
        )
      );
    }
    const second = placedOver(placed, sizeOf(b) ?? placed);
    const blended = mode === "blend";
    const edge = state.swipe.value * state.stage.value.width;
    return (
      <>
        <Checks placed={placed} />
        <Layer
          side={a}
          placed={placed}
          {...look}
          style={blended ? {} : { clipPath: `inset(0 ${placed.left + placed.width - edge}px 0 0)` }}
        />
        <Layer
          side={b}
          placed={second}
          {...look}
          style={blended ? { opacity: state.blend.value } : { clipPath: `inset(0 0 0 ${edge - second.left}px)` }}
        />
        {!blended && <SwipeEdge share={state.swipe} width={state.stage.value.width} />}
      </>
    );
  };
  return (
    <Frame side={a} over={b} nothing={imageTexts().noImageHere}>
      <SideStage side={a} name="a" size={size} state={state} camera={camera} look={look} hovered={hovered}>
        {draw}
      </SideStage>
    </Frame>
  );
}
