// The images on the screen: one, one for each run, two side by side, or two upon one another.

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { pixelRatio } from "../../../charts/pixelratio";
import { Frame, RunFrame, SideFrame } from "../../../items/viewer/frame";
import type { Place } from "../../../items/viewer/place";
import { RunGrid } from "../../../items/viewer/rungrid";
import { type ItemSide, useItemSide } from "../../../items/viewer/side";
import type { Viewing } from "../../../items/viewer/viewing";
import { type ImageRow, imageItems } from "../codec";
import type { Picture } from "../picture";
import { imageTexts } from "../texts";
import type { Camera, Placement } from "../zoom/camera";
import { areComparable, DifferenceCanvas, type Found } from "./differencecanvas";
import { Checks, type Hovered, Layer, type Look, labelOf, SwipeEdge, sizeOf } from "./layers";
import type { Opened } from "./opened";
import { type Side, useOpenedSide } from "./side";
import { placedOver, Stage, styleOf } from "./stage";
import type { StageState } from "./state";

interface Props {
  readonly viewing: Viewing<ImageRow, Picture>;
  readonly a: Side;
  /** Null unless two are compared. */
  readonly b: Side | null;
  readonly state: StageState;
  readonly camera: Signal<Camera>;
  /** Brightness and contrast of all images. */
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

/** Pixels of the images of all runs that are held. */
const MAX_PIXELS = 24 * 1_048_576;

interface RunStagesProps {
  readonly viewing: Viewing<ImageRow, Picture>;
  readonly a: Side;
  readonly state: StageState;
  readonly camera: Signal<Camera>;
  readonly look: Look;
  readonly hovered: Signal<Hovered | null>;
}

export function RunStages(props: RunStagesProps) {
  const size = sizeOf(props.a);
  return (
    <RunGrid viewing={props.viewing} shape={size === null ? 1 : size.width / size.height}>
      {(place, count) => <RunStage key={place.run} place={place} most={MAX_PIXELS / count} {...props} />}
    </RunGrid>
  );
}

interface RunProps extends RunStagesProps {
  readonly place: Place;
  /** Pixels of its image that are held; a larger one is an image element's. */
  readonly most: number;
}

function RunStage({ place, most, viewing, state, camera, look, hovered }: RunProps) {
  const stage = state.stage.value;
  // As many pixels as are on the screen: of many large images there would be no room for all.
  const pixels = Math.max(stage.width, stage.height) * camera.value.zoom * pixelRatio();
  const side = useOpenedSide(useItemSide(imageItems, place, pixels) as ItemSide<ImageRow, Picture>, most);
  const { opened } = side;
  // The pointer rests while its image changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: all else of the side is as old as what is on the screen
  useEffect(() => {
    const at = hovered.peek();
    if (at !== null && typeof at.side !== "string" && at.side.place.run === place.run) {
      hovered.value = { ...at, side };
    }
  }, [opened]);
  return (
    <RunFrame viewing={viewing} side={side} nothing={imageTexts().noImageHere}>
      <SideStage side={side} state={state} camera={camera} look={look} hovered={hovered} />
    </RunFrame>
  );
}

// One image in its frame, zoomed and moved.

interface SideStageProps {
  readonly side: Side;
  /** As what the pointer is on, where that is not the side itself. */
  readonly name?: "a" | "b";
  /** Size of another image, while the side has none. */
  readonly size?: ReturnType<typeof sizeOf>;
  readonly state: StageState;
  readonly camera: Signal<Camera>;
  readonly look: Look;
  readonly hovered: Signal<Hovered | null>;
  /** The drawing, if it is more than the image. */
  readonly children?: (placed: Placement) => ComponentChildren;
}

/** The stage of one side; empty until an image has arrived. */
function SideStage({ side, name, size = sizeOf(side), state, camera, look, hovered, children }: SideStageProps) {
  const image = (placed: Placement) => (
    <>
      <Checks placed={placed} />
      <Layer side={side} placed={placed} {...look} />
    </>
  );
  return (
    size !== null && (
      <Stage
        image={size}
        camera={camera}
        size={state.stage}
        hovered={(pixel) => {
          hovered.value = pixel && { side: name ?? side, pixel };
        }}
        label={labelOf(side)}
      >
        {children ?? image}
      </Stage>
    )
  );
}
