// A step in the film strip: what is held of its image, or comes while it is in sight.

import { pixelRatio } from "../../../charts/pixelratio";
import { useItem } from "../../../items/source";
import type { ImagePlace } from "../codec";
import { imageItems } from "../item";
import { type Picture, pixelsOf, type Size } from "../picture";
import { DecodedPicture, useDrawn } from "../tilepicture";

/** Images of fewer pixels are enlarged. */
const SMALL = 60;

/** For one, in CSS pixels. */
const ROOM: Size = { width: 74, height: 56 };

export function Thumbnail({ at }: { readonly at: ImagePlace }) {
  const state = useItem(imageItems, at);
  return (
    <span class="tbwidget-thumbnail" data-state={state.state}>
      {state.state === "held" && <Held id={at.row.id} picture={state.value} />}
    </span>
  );
}

function Held({ id, picture }: { readonly id: number; readonly picture: Picture }) {
  const ratio = pixelRatio();
  const { drawn } = useDrawn(id, picture, { width: ROOM.width * ratio, height: ROOM.height * ratio }, false);
  const { width, height } = pixelsOf(picture);
  const imageRendering = Math.max(width, height) < SMALL ? "pixelated" : "auto";
  return drawn && <DecodedPicture decoded={drawn.decoded} style={{ imageRendering }} />;
}
