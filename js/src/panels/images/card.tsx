// The card of one tag's images: tiles of runs and samples in lines, of which those in sight exist.

import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { pixelRatio, watchPixelRatio } from "../../charts/pixelratio";
import { ItemCard, ItemCardSliders, useItemCard } from "../../items/card";
import { formatCount, formatTick } from "../../lib/format";
import type { CardProps } from "../../ui/groups";
import { KeyedSignals } from "../../ui/keyed";
import { useOnScreen, useOptions, useView, type View } from "../../ui/view";
import { cellsOf, rowsNear } from "./cells";
import type { TagImages } from "./codec";
import { imageItems } from "./item";
import { imagesOptions } from "./options";
import { boxOf, CAPTION, cardColumns, GAP, linesOf, roomIn, type Shape, spanOf } from "./shape";
import { imageTexts } from "./texts";
import { Tile } from "./tile";
import { WHOLE } from "./zoom/camera";
import { cameraOf } from "./zoom/cameras";
import { inTile } from "./zoom/tilezoom";

/** Beside the cards, on both sides, in CSS pixels. */
const MARGIN = 20;

const shapes = new WeakMap<View, KeyedSignals<Shape | null>>();

/** What the images of a tag are like, kept while its card is off the screen. */
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
  const { element, runs, at, steps } = card;
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
      {/* Its place: what is below stays where it is. */}
      {!onScreen && steps.length > 1 && <span class="tbwidget-item-steps" />}
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

/** Device pixels a CSS pixel: those of the screen that the window is on. */
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
