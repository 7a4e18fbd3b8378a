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
