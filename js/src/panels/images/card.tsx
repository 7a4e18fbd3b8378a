// The card of one tag's images: tiles of runs and samples in lines, of which those in sight exist.

import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { pixelRatio, watchPixelRatio } from "../../charts/pixelratio";
import { safeName } from "../../lib/filenames";
import { formatCount, formatTick } from "../../lib/format";
import { sharedStart, shortened } from "../../lib/names";
import { strings } from "../../lib/strings";
import { newerThan } from "../../ui/arrived";
import { CardFrame } from "../../ui/card";
import type { CardProps } from "../../ui/groups";
import { ItemSlider } from "../../ui/itemslider";
import { cardStep, stepsOfTag } from "../../ui/itemsteps";
import { KeyedSignals } from "../../ui/keyed";
import { useLastStep } from "../../ui/laststep";
import { Superseded } from "../../ui/marks";
import { allShown } from "../../ui/progress";
import { cardTime, RepeatSlider } from "../../ui/repeats";
import { shownItems } from "../../ui/shownitems";
import { useOnScreen, useOptions, useView, type View } from "../../ui/view";
import { cellsOf, rowsNear } from "./cells";
import { type ImageRow, images, type TagImages } from "./kind/codec";
import { imagesOptions } from "./options";
import { SaveImages } from "./save/saveimages";
import { boxOf, CAPTION, cardColumns, GAP, linesOf, roomIn, type Shape, spanOf } from "./shape";
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
  const { channel, options, theme, highlightedRun } = view;
  const { image_size, actual_size } = useOptions(imagesOptions);
  const card = useRef<HTMLElement>(null);
  const onScreen = useOnScreen(card);
  void data.version.value;
  const option = cardStep(view, "images", tag);
  const { at } = option;
  const steps = stepsOfTag(data, view);
  const time = cardTime(view, "images", tag);
  const runs = channel.store.runs.value.filter((run) => data.byRun.has(run) && options.shows(run));
  const cells = runs.flatMap((run) => {
    const items = data.byRun.get(run);
    return items === undefined ? [] : cellsOf(run, items, at, time.at);
  });
  const samples = runs.reduce((most, run) => Math.max(most, cells.filter((cell) => cell.run === run).length), 0);
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
  const settled = useLastStep<string>(card);
  const shared = sharedStart(channel.store.runs.value);
  const highlighted = highlightedRun.value;
  const fading = highlighted !== null && runs.includes(highlighted);
  const height = lines.box.height + CAPTION;
  const ready = useMemo(() => allShown(view, "images", tag), [view, tag]);
  const camera = cameraOf(view, tag);
  const zoom = useComputed(() => inTile(camera.value).zoom).value;
  const newerOf = (run: string, row: ImageRow) => {
    const items = data.byRun.get(run);
    return items === undefined || at !== "newest" ? null : newerThan(items, row);
  };
  const chunks = Array.from({ length: Math.ceil(cells.length / lines.columns) }, (_, i) =>
    cells.slice(i * lines.columns, (i + 1) * lines.columns),
  );
  return (
    <CardFrame
      panel="images"
      tag={tag}
      label={label}
      data={data}
      span={span}
      cardRef={card}
      active={zoom > 1}
      buttons={
        <>
          {zoom > 1 && (
            <button
              type="button"
              class="tbwidget-word"
              title={strings.images.resetZoomHint}
              onClick={() => {
                camera.value = WHOLE;
              }}
            >
              {strings.images.resetZoom(formatTick(zoom, 0.1))}
            </button>
          )}
          <SaveImages
            label={strings.save.card}
            title={strings.save.filesCardHint}
            places={() => shownItems(view, images, tag)}
            name={["images", safeName(tag)].filter((part) => part !== "").join("_")}
          />
        </>
      }
      marks={
        <span class="tbwidget-marks">
          <Superseded series={runs.flatMap((run) => data.byRun.get(run) ?? [])} />
        </span>
      }
    >
      {onScreen && (
        <>
          <ItemSlider
            steps={steps}
            option={option}
            label={strings.cardStep(tag)}
            hint={strings.cardStepHint}
            ready={ready}
          />
          <RepeatSlider tag={tag} option={time} repeats={cells} ready={ready} />
        </>
      )}
      {/* Its place: what is below stays where it is. */}
      {!onScreen && steps.length > 1 && <span class="tbwidget-item-steps" />}
      {cells.length === 0 && runs.length > 0 && <p class="tbwidget-hint">{strings.images.noImages}</p>}
      <div class="tbwidget-tiles">
        {chunks.map((chunk) => (
          <Line key={chunk[0]?.key} height={height} columns={lines.columns} width={lines.width}>
            {() =>
              chunk.map(({ key, run, row, number, count }) =>
                row === null ? (
                  <p key={key} class="tbwidget-tile-none">
                    <i style={{ background: options.colourOf.value(run, theme.value) }} />
                    {shortened(run, shared)}: {strings.images.nothingUpTo(formatCount(at as bigint))}
                  </p>
                ) : (
                  <Tile
                    key={key}
                    place={{ tag, run, row }}
                    repeat={count > 1 ? strings.repeat(formatCount(number), formatCount(count)) : ""}
                    at={at}
                    newer={newerOf(run, row)}
                    near={rowsNear(data.byRun.get(run)?.rows ?? [], row)}
                    ratio={ratio}
                    box={lines.box}
                    name={shortened(run, shared)}
                    colour={options.colourOf.value(run, theme.value)}
                    numbered={numbered}
                    faded={fading && run !== highlighted}
                    learn={learn}
                    cell={key}
                    settled={settled}
                  />
                ),
              )
            }
          </Line>
        ))}
      </div>
    </CardFrame>
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
