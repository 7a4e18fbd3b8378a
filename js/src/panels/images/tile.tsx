// A tile: one image of one run, with its state and its caption.

import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Size } from "../../charts/geometry";
import type { ShownRun } from "../../items/card";
import type { ShownRow } from "../../items/shown";
import { itemSource, useWantedItem } from "../../items/source";
import type { AtStep } from "../../items/steps";
import { ItemTile, useWaiting } from "../../items/tile";
import { viewerState } from "../../items/viewer/state";
import { formatBytes, formatCount } from "../../lib/format";
import { formatMoment } from "../../lib/times";
import { useOptions, useView } from "../../ui/view";
import { type ImagePlace, type ImageRow, imageItems } from "./codec";
import { imagesOptions } from "./options";
import type { Picture } from "./picture";
import { fitted, grown, type Shape } from "./shape";
import { imageTexts } from "./texts";
import { filterOf, TilePicture, useDrawn } from "./tilepicture";
import { cameraOf } from "./zoom/camera";
import { actionOf, aimed } from "./zoom/gestures";
import { inTile, pixelZoom } from "./zoom/tilezoom";

/** Bytes of an image that comes whole as soon as it is zoomed; of a larger one, as many pixels as are needed. */
const LITTLE = 1e6;

/**
 * Milliseconds that a step has been shown for when the images that the next moves lead to are requested: while the slider is
 * moved, they would only be in the way of those that it comes to.
 */
const AT_REST = 250;

/** Milliseconds that a click waits for another one, which would show the whole image. */
const DOUBLE_CLICK = 300;

export interface TileProps extends Pick<ShownRow<ImageRow>, "newer" | "number" | "count"> {
  readonly place: ImagePlace;
  /** The step that was chosen. */
  readonly at: AtStep;
  /** Images that the next moves lead to. */
  readonly near: readonly ImageRow[];
  /** Device pixels a CSS pixel. */
  readonly ratio: number;
  /** The box that the picture must fit into, in CSS pixels. */
  readonly box: Size;
  readonly of: Pick<ShownRun<ImageRow>, "name" | "color" | "faded">;
  /** Several images were written together. */
  readonly numbered: boolean;
  /** Reports the shape of a picture as soon as it is known. */
  learn(change: (shape: Shape | null) => Shape): void;
  /** The name of the tile in its card. */
  readonly cell: string;
  /** A tile shows a step, or why that cannot be shown; null when it shows none any more. */
  settled(cell: string, step: bigint | null): void;
}

export function Tile(props: TileProps) {
  const { place, at, newer, number, count, near, ratio, box, of, numbered, learn, cell, settled } = props;
  const { tag, run, row } = place;
  const view = useView();
  const { channel } = view;
  const { actual_size, pixelated, brightness, contrast } = useOptions(imagesOptions);
  const actual = actual_size.value;
  const saved = channel.store.savedAt.value !== null;
  const camera = cameraOf(view, tag);
  const zoom = useComputed(() => pixelZoom(camera.value)).value;
  const source = itemSource(channel, imageItems);
  const found = source.item(place);
  const picture = found.state === "held" ? found.value : null;
  const whole = actual || (zoom > 1 && picture !== null && picture.size <= LITTLE);
  const pixels = whole ? Number.POSITIVE_INFINITY : Math.round(Math.max(box.width, box.height) * ratio * zoom);
  useWantedItem(imageItems, place, { size: pixels, pushed: at === "newest" });
  useWantedItem(imageItems, newer && { tag, run, row: newer }, { pushed: true });
  const size = picture && fitted(picture, box, actual, ratio);
  const inPixels = { width: (size?.width ?? 0) * ratio * zoom, height: (size?.height ?? 0) * ratio * zoom };
  const { drawn, broken } = useDrawn(row.id, picture, inPixels, zoom > 1);
  const reason = found.state === "broken" ? found.reason : broken;
  const isShown = reason === null && drawn?.id === row.id;
  const state = reason !== null ? "broken" : isShown ? "shown" : "waits";
  useEffect(() => {
    if (picture !== null) {
      learn((shape) => grown(shape, picture));
    }
  }, [picture, learn]);
  useLayoutEffect(() => {
    settled(cell, state === "waits" ? null : row.step);
  }, [settled, cell, state, row.step]);
  useLayoutEffect(() => () => settled(cell, null), [settled, cell]);
  const isAbsent = found.state === "waits";
  const { isBusy, note } = useWaiting("images", tag, state, isAbsent, imageTexts().loadingImage);
  const fetchesNear = isShown && at !== "newest" && !saved && !isBusy;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows near a row are the same as long as it is
  useEffect(() => {
    if (fetchesNear) {
      let ends: readonly (() => void)[] = [];
      const rested = setTimeout(() => {
        ends = near.map((other) => source.want({ tag, run, row: other }));
      }, AT_REST);
      return () => {
        clearTimeout(rested);
        for (const end of ends) {
          end();
        }
      };
    }
    return undefined;
  }, [fetchesNear, source, tag, run, row.id]);
  const step = formatCount(row.step);
  const shownSize = drawn && fitted(drawn.picture, box, actual, ratio);
  const clicked = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const open = ({ detail }: MouseEvent) => {
    clearTimeout(clicked.current);
    const wait = detail > 0 && camera.peek().zoom > 1;
    const begin = () => {
      viewerState(view, "images").at.value = place;
    };
    if (!wait) {
      begin();
    } else if (detail === 1) {
      clicked.current = setTimeout(begin, DOUBLE_CLICK);
    }
  };
  return (
    <ItemTile
      {...{ place, of, state, at, newer, number, count }}
      sample={row.sample}
      isNumbered={numbered}
      title={titleOf(place, picture, reason)}
      facts={
        found.state === "held" &&
        found.coarse &&
        isBusy && (
          <abbr class="tbwidget-tile-coarse" title={imageTexts().sharperLater}>
            {imageTexts().buckets}
          </abbr>
        )
      }
    >
      <button
        type="button"
        class="tbwidget-tile-picture"
        style={{ height: `${box.height}px` }}
        aria-label={imageTexts().openImage(run, step)}
        data-lm-suppress-shortcuts="true"
        onClick={open}
        onKeyDown={(event) => {
          const action = actionOf(event);
          const to = action && picture && size && aimed(camera.peek(), action, picture, size, ratio);
          if (to && to !== camera.peek()) {
            event.preventDefault();
            camera.value = inTile(to);
          }
        }}
      >
        {drawn !== null && shownSize !== null && (
          <TilePicture
            decoded={drawn.decoded}
            image={drawn.picture}
            camera={camera}
            ratio={ratio}
            shown={shownSize}
            hidden={reason !== null}
            pixelated={pixelated.value}
            filter={filterOf(brightness.value, contrast.value)}
          />
        )}
        {state === "waits" && <span class="tbwidget-tile-note">{note}</span>}
        {reason !== null && <span class="tbwidget-tile-note">{reason}</span>}
      </button>
    </ItemTile>
  );
}

function titleOf({ tag, run, row }: ImagePlace, picture: Picture | null, reason: string | null): string {
  const sized = picture && [
    imageTexts().imageFormat(picture.width, picture.height, picture.format, formatBytes(picture.size)),
    ...(picture.scaled === null ? [] : [imageTexts().imageScaled(picture.scaled.width, picture.scaled.height)]),
    ...(picture.note === null ? [] : [picture.note]),
  ];
  return imageTexts().imageTitle([
    tag,
    run,
    imageTexts().imageAt(formatCount(row.step), String(row.sample)),
    formatMoment(row.wall, new Date()),
    ...(sized ?? []),
    ...(reason === null ? [imageTexts().tileHint] : [reason]),
  ]);
}
