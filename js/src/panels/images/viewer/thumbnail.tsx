// A step in the film strip: what is held of its image, or comes while it is in sight.

import { useEffect } from "preact/hooks";
import { pixelRatio } from "../../../charts/pixelratio";
import { useView } from "../../../ui/view";
import type { ImagePlace } from "../kind/codec";
import { type Picture, pixelsOf, type Size, THUMBNAIL } from "../kind/picture";
import { pictureSource } from "../source";
import { DecodedPicture, useDrawn } from "../tilepicture";

/** Images of fewer pixels are enlarged. */
const SMALL = 60;

/** For one, in CSS pixels. */
const ROOM: Size = { width: 74, height: 56 };

export function Thumbnail({ at }: { readonly at: ImagePlace }) {
  const { channel } = useView();
  const source = pictureSource(channel);
  const state = source.picture(at);
  const saved = channel.store.savedAt.value !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place is another object each time, its row is the same
  useEffect(() => (saved ? undefined : source.want(at, THUMBNAIL)), [source, saved, at.tag, at.run, at.row.id]);
  return (
    <span class="tbwidget-thumbnail" data-state={state.state}>
      {state.state === "held" && <Held id={at.row.id} picture={state.picture} />}
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
