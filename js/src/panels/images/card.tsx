// The card of one tag's images: tiles of runs and samples in lines. Only visible lines exist.

import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Size } from "../../charts/geometry";
import { pixelRatio, watchPixelRatio } from "../../charts/pixelratio";
import { ItemCard, ItemCardSliders, type ShownRun, useItemCard } from "../../items/card";
import type { ShownRow } from "../../items/shown";
import { itemSource, useWantedItem } from "../../items/source";
import { placeOf, rowsAt, stepsOf } from "../../items/steps";
import { ItemTile, useWaiting } from "../../items/tile";
import { viewerState } from "../../items/viewer/state";
import { formatBytes, formatCount, formatTick } from "../../lib/format";
import { formatMoment } from "../../lib/times";
import type { AtStep } from "../../ui/globalstep";
import type { CardProps } from "../../ui/groups";
import { KeyedSignals } from "../../ui/keyed";
import { Mark } from "../../ui/marks";
import { useOnScreen, useOptions, useView, type View } from "../../ui/view";
import { type ImagePlace, type ImageRow, imageItems, type TagImages } from "./codec";
import { imagesOptions } from "./options";
import type { Picture } from "./picture";
import { boxOf, CAPTION, cardColumns, fitted, GAP, grown, linesOf, roomIn, type Shape, spanOf } from "./shape";
import { imageTexts } from "./texts";
import { filterOf, TilePicture, useDrawn } from "./tilepicture";
import { cameraOf, WHOLE } from "./zoom/camera";
import { actionOf, aimed } from "./zoom/gestures";
import { inTile, pixelZoom } from "./zoom/tilezoom";

/** Margin on both sides of the cards, in CSS pixels. */
const MARGIN = 20;

const shapes = new WeakMap<View, KeyedSignals<Shape | null>>();

/** The shape of a tag's images, kept while its card is off the screen. */
function shapeOf(view: View, tag: string) {
  let ofView = shapes.get(view);
  if (ofView === undefined) {
    ofView = new KeyedSignals<Shape | null>(null);
    shapes.set(view, ofView);
  }
  return ofView.of("images", tag);
}

export function ImageCard({ tag, label, data }: CardProps<TagImages>) {
  const view = useView();
  const { image_size, actual_size } = useOptions(imagesOptions);
  const card = useItemCard("images", tag, data);
  const { element, runs, at } = card;
  const onScreen = useOnScreen(element);
  const ofRuns = runs.map(cellsOf);
  const cells = ofRuns.flat();
  const samples = Math.max(0, ...ofRuns.map(({ length }) => length));
  const numbered = cells.some(({ row }) => (row?.sample ?? 0) > 0);
  const shape = shapeOf(view, tag);
  const learn = useCallback(
    (change: (shape: Shape | null) => Shape) => {
      shape.value = change(shape.peek());
    },
    [shape],
  );
  const actual = actual_size.value;
  const ratio = usePixelRatio();
  const box = boxOf(shape.value, image_size.value, actual, ratio);
  const columns = cardColumns(view.width.value - MARGIN, image_size.value);
  const span = spanOf(cells.length, box, columns);
  const lines = linesOf(cells.length, samples, roomIn(span, columns), box, actual);
  const height = lines.box.height + CAPTION;
  const camera = cameraOf(view, tag);
  const zoom = useComputed(() => inTile(camera.value).zoom).value;
  const chunks = Array.from({ length: Math.ceil(cells.length / lines.columns) }, (_, i) =>
    cells.slice(i * lines.columns, (i + 1) * lines.columns),
  );
  return (
    <ItemCard
      kind={imageItems}
      card={card}
      label={label}
      data={data}
      span={span}
      active={zoom > 1}
      buttons={
        zoom > 1 && (
          <button
            type="button"
            class="tbwidget-word"
            title={imageTexts().resetZoomHint}
            data-action="card.reset_zoom"
            onClick={() => {
              camera.value = WHOLE;
            }}
          >
            {imageTexts().resetZoom(formatTick(zoom, 0.1))}
          </button>
        )
      }
    >
      {onScreen && <ItemCardSliders card={card} />}
      {/* A placeholder of its size, so that the cards below stay in place. */}
      {!onScreen && card.step.isOwn && <span class="tbwidget-step-player" />}
      {cells.length === 0 && runs.length > 0 && <p class="tbwidget-hint">{imageTexts().noImages}</p>}
      <div class="tbwidget-tiles">
        {chunks.map((chunk) => (
          <Line key={chunk[0]?.key} height={height} columns={lines.columns} width={lines.width}>
            {() =>
              chunk.map(({ key, of, row, newer, number, count }) =>
                row === null ? (
                  <p key={key} class="tbwidget-tile-none">
                    <i style={{ background: of.color }} />
                    {of.name}: {imageTexts().nothingUpTo(formatCount(at as bigint))}
                  </p>
                ) : (
                  <Tile
                    key={key}
                    place={{ tag, run: of.run, row }}
                    number={number}
                    count={count}
                    at={at}
                    newer={newer}
                    near={rowsNear(of.held.rows, row)}
                    ratio={ratio}
                    box={lines.box}
                    of={of}
                    numbered={numbered}
                    learn={learn}
                    cell={key}
                    settled={card.settled}
                  />
                ),
              )
            }
          </Line>
        ))}
      </div>
    </ItemCard>
  );
}

/** Device pixels per CSS pixel of the window's screen. */
function usePixelRatio(): number {
  const [ratio, setRatio] = useState(pixelRatio);
  useEffect(() => watchPixelRatio(() => setRatio(pixelRatio())), []);
  return ratio;
}

interface LineProps {
  /** In CSS pixels: of all its tiles, and of the width of each. */
  readonly height: number;
  readonly width: number;
  readonly columns: number;
  /** Made while the line is on the screen, or nearly. */
  readonly children: () => ComponentChildren;
}

function Line({ height, width, columns, children }: LineProps) {
  const line = useRef<HTMLDivElement>(null);
  const onScreen = useOnScreen(line);
  return (
    <div
      ref={line}
      class="tbwidget-tile-line"
      style={{ height: `${height}px`, gap: `${GAP}px`, gridTemplateColumns: `repeat(${columns}, ${width}px)` }}
    >
      {onScreen && children()}
    </div>
  );
}

/** Steps from the one shown to those whose images are fetched before they are shown. */
const AHEAD = [1, 2, 3, -1];

/** An image, or a run that has none up to the step. */
export interface Cell extends ShownRow<ImageRow | null> {
  readonly key: string;
  readonly of: ShownRun<ImageRow>;
}

/** The images of a run, a sample each; one cell without, where it has none up to the step. */
export function cellsOf(of: ShownRun<ImageRow>): Cell[] {
  const { run, held, rows } = of;
  const cells = rows.map((one): Cell => ({ ...one, key: JSON.stringify([run, one.row.sample]), of }));
  const none: Cell = { key: JSON.stringify([run]), of, row: null, number: 0, count: 0, newer: null };
  return cells.length > 0 || held.rows.length === 0 ? cells : [none];
}

/** The same sample some steps ahead, and one behind. */
export function rowsNear(rows: readonly ImageRow[], { step, sample }: ImageRow): ImageRow[] {
  const steps = stepsOf(rows);
  const place = placeOf(steps, step);
  return AHEAD.flatMap((by) => {
    const next = steps[place + by];
    const found = next === undefined ? undefined : rowsAt(rows, next).findLast((row) => row.sample === sample);
    return found === undefined ? [] : [found];
  });
}

// A tile: one image of one run, with its state and its caption.

/** Bytes of an image that comes whole as soon as it is zoomed; of a larger one, as many pixels as are needed. */
const LITTLE = 1e6;

/**
 * Milliseconds that a step has been shown for when the images that the next moves lead to are requested: while the slider is
 * moved, they would only be in the way of those that it comes to.
 */
const AT_REST_MS = 250;

/** Milliseconds that a click waits for another one, which would show the whole image. */
const DOUBLE_CLICK = 300;

interface TileProps extends Pick<ShownRow<ImageRow>, "newer" | "number" | "count"> {
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

function Tile(props: TileProps) {
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
      }, AT_REST_MS);
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
        isBusy && <Mark class="tbwidget-tile-coarse" text={imageTexts().buckets} hint={imageTexts().sharperLater} />
      }
    >
      <button
        type="button"
        class="tbwidget-tile-picture"
        data-action="card.fill"
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
    ...picture.notes,
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
