// Where pictures come from: those that the store holds, sharper ones beside them, and those that must be requested.

import { effect } from "@preact/signals";
import type { Channel } from "../../wire/channel";
import type { ItemCollection } from "../../wire/items";
import { Fetcher } from "./fetcher";
import { type ImagePlace, type ImageRow, images } from "./kind/codec";
import { type Picture, pictureIn, pixelsOf, THUMBNAIL } from "./kind/picture";
import { SharpPictures } from "./sharp";

/** A picture as far as it has come. */
export type PictureState =
  | { readonly state: "absent" }
  | {
      readonly state: "held";
      readonly picture: Picture /** A sharper one has been requested. */;
      readonly coarse: boolean;
    }
  | { readonly state: "broken"; readonly reason: string };

const ABSENT: PictureState = { state: "absent" };

/** Longer side of the picture to ask for, so that it has `pixels` (Infinity: all); null where the one held is as good. */
export function sharperThan(picture: Pick<Picture, "width" | "height" | "scaled">, pixels: number): number | null {
  const held = pixelsOf(picture);
  const most = Math.max(picture.width, picture.height);
  const needed = Math.min(most, pixels);
  if (picture.scaled === null || needed <= Math.max(held.width, held.height)) {
    return null;
  }
  const next = THUMBNAIL * 2 ** Math.ceil(Math.log2(needed / THUMBNAIL));
  return next >= most ? Number.POSITIVE_INFINITY : next;
}

/** The pictures of one widget, for all of its views. */
export class PictureSource {
  readonly #items: ItemCollection<ImageRow>;
  readonly #sharp = new SharpPictures();
  readonly #fetcher: Fetcher;

  constructor(channel: Channel) {
    this.#items = channel.store.items(images);
    this.#fetcher = new Fetcher(channel.requests, {
      thumbnail: ({ run, tag, row }, blob) => this.#items.fillBlob(run, tag, row.id, blob),
      sharp: (place, blob) => this.#sharp.hold(place, blob),
      refused: (place, pixels, reason) => this.#sharp.refuse(place, pixels, reason),
    });
  }

  /** The picture, the sharpest that is held. Subscribes the component or effect that calls it. */
  picture({ tag, run, row }: ImagePlace): PictureState {
    const blob = this.#items.blob(run, tag, row.id).value;
    const { blob: sharp, refused, waits } = this.#sharp.of({ tag, run, row }).value;
    if (sharp !== null) {
      return stateOf(sharp, waits);
    }
    if (blob.state === "held") {
      return stateOf(blob.bytes, waits);
    }
    if (blob.state === "broken") {
      return { state: "broken", reason: blob.reason };
    }
    return refused === null ? ABSENT : { state: "broken", reason: refused };
  }

  /**
   * Asks the kernel for what is missing of a picture, until the function that is returned is called: the picture itself,
   * then one whose longer side has `pixels` device pixels (Infinity: all). `pushed`: it should come by itself soon.
   */
  want(place: ImagePlace, pixels: number, pushed = false): () => void {
    const { tag, run, row } = place;
    const blob = this.#items.blob(run, tag, row.id);
    const release = this.#sharp.watch(place);
    let cancel: (() => void) | null = null;
    let requested: number | null = null;
    const ask = (size: number | null) => {
      if (size !== requested) {
        cancel?.();
        requested = size;
        cancel = null;
        if (size !== null) {
          const withdraw = this.#fetcher.ask(place, size, pushed);
          const counts = size !== THUMBNAIL;
          cancel = () => {
            withdraw();
            if (counts) {
              this.#sharp.countAsking(place, -1);
            }
          };
          if (counts) {
            this.#sharp.countAsking(place, 1);
          }
        }
      }
    };
    const end = effect(() => {
      const { blob: sharp, refused, refusedPixels } = this.#sharp.of(place).value;
      const { value } = blob;
      const bytes = sharp ?? (value.state === "held" ? value.bytes : null);
      const picture = bytes === null ? null : pictureIn(bytes);
      if (picture !== null && typeof picture !== "string") {
        const needed = sharperThan(picture, pixels);
        ask(needed !== null && (refusedPixels === null || needed < refusedPixels) ? needed : null);
      } else {
        ask(picture === null && value.state === "absent" && refused === null ? THUMBNAIL : null);
      }
    });
    return () => {
      end();
      ask(null);
      release();
    };
  }
}

function stateOf(blob: Uint8Array, coarse: boolean): PictureState {
  const picture = pictureIn(blob);
  return typeof picture === "string" ? { state: "broken", reason: picture } : { state: "held", picture, coarse };
}

const sources = new WeakMap<Channel, PictureSource>();

export function pictureSource(channel: Channel): PictureSource {
  let source = sources.get(channel);
  if (source === undefined) {
    source = new PictureSource(channel);
    sources.set(channel, source);
  }
  return source;
}
