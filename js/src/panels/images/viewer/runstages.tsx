// The images of all runs at one step, zoomed and moved together.

import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pixelRatio } from "../../../charts/pixelratio";
import { RunFrame } from "../../../items/viewer/frame";
import type { Place } from "../../../items/viewer/place";
import { RunGrid } from "../../../items/viewer/rungrid";
import { type ItemSide, useItemSide } from "../../../items/viewer/side";
import type { Viewing } from "../../../items/viewer/viewing";
import type { ImageRow } from "../codec";
import { imageItems } from "../item";
import type { Picture } from "../picture";
import { imageTexts } from "../texts";
import type { Camera } from "../zoom/camera";
import { type Hovered, type Look, sizeOf } from "./layers";
import { type Side, useOpenedSide } from "./side";
import { SideStage } from "./sidestage";
import type { StageState } from "./state";

/** Pixels of the images of all runs that are held. */
const MOST_PIXELS = 24 * 1_048_576;

interface Props {
  readonly viewing: Viewing<ImageRow, Picture>;
  readonly a: Side;
  readonly state: StageState;
  readonly camera: Signal<Camera>;
  readonly look: Look;
  readonly hovered: Signal<Hovered | null>;
}

export function RunStages(props: Props) {
  const size = sizeOf(props.a);
  return (
    <RunGrid viewing={props.viewing} shape={size === null ? 1 : size.width / size.height}>
      {(place, count) => <RunStage key={place.run} place={place} most={MOST_PIXELS / count} {...props} />}
    </RunGrid>
  );
}

interface RunProps extends Props {
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
