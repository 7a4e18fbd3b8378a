// The card of one tag's images: tiles of runs and samples in lines. Only visible lines exist.

import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { pixelRatio, watchPixelRatio } from "../../charts/pixelratio";
import { ItemCard, ItemCardSliders, type ShownRun, useItemCard } from "../../items/card";
import type { ShownRow } from "../../items/shown";
import { placeOf, rowsAt, stepsOf } from "../../items/steps";
import { formatCount, formatTick } from "../../lib/format";
import type { CardProps } from "../../ui/groups";
import { KeyedSignals } from "../../ui/keyed";
import { useOnScreen, useOptions, useView, type View } from "../../ui/view";
import { type ImageRow, imageItems, type TagImages } from "./codec";
import { imagesOptions } from "./options";
import { boxOf, CAPTION, cardColumns, GAP, linesOf, roomIn, type Shape, spanOf } from "./shape";
import { imageTexts } from "./texts";
import { Tile } from "./tile";
import { cameraOf, WHOLE } from "./zoom/camera";
import { inTile } from "./zoom/tilezoom";

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
      {/* A placeholder of its size, so that the cards below stay in place. */}
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
