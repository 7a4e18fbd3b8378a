// One image in its frame, zoomed and moved.

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Camera, Placement } from "../zoom/camera";
import { Checks, type Hovered, Layer, type Look, labelOf, sizeOf } from "./layers";
import type { Side } from "./side";
import { Stage } from "./stage";
import type { StageState } from "./state";

interface Props {
  readonly side: Side;
  /** As what the pointer is on, where that is not the side itself. */
  readonly name?: "a" | "b";
  /** Of another image, where that of the side is not there. */
  readonly size?: ReturnType<typeof sizeOf>;
  readonly state: StageState;
  readonly camera: Signal<Camera>;
  readonly look: Look;
  readonly hovered: Signal<Hovered | null>;
  /** What is drawn, where it is more than the image. */
  readonly children?: (placed: Placement) => ComponentChildren;
}

/** Nothing as long as no image is there. */
export function SideStage({ side, name, size = sizeOf(side), state, camera, look, hovered, children }: Props) {
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
