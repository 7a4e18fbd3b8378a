// The line below the stage: the shown image, and the values of the pixel below the pointer.

import type { Signal } from "@preact/signals";
import type { Mode } from "../../../items/viewer/state";
import { viewerTexts } from "../../../items/viewer/texts";
import { formatBytes, formatCount, formatValue } from "../../../lib/format";
import { formatMoment } from "../../../lib/times";
import { lineTexts } from "../../../lines/texts";
import { uiTexts } from "../../../ui/texts";
import { pixelsOf } from "../picture";
import { imageTexts } from "../texts";
import { areComparable, type Found, meanOf } from "./differencecanvas";
import { type Hovered, sizeOf } from "./layers";
import { MAX_VALUE_PIXELS, type Opened, valueAt } from "./opened";
import type { Side } from "./side";

interface Props {
  readonly a: Side;
  readonly b: Side | null;
  readonly mode: Mode;
  readonly hovered: Signal<Hovered | null>;
  readonly differences: Signal<Found | null>;
}

export function Readout({ a, b, mode, hovered, differences }: Props) {
  return (
    <div class="tbwidget-readout">
      <Facts side={a} name={b === null ? "" : viewerTexts().first} />
      {b !== null && <Facts side={b} name={viewerTexts().second} />}
      {b !== null && <Comparison a={a} b={b} mode={mode} differences={differences} />}
      <Pixel a={a} b={b} hovered={hovered} />
    </div>
  );
}

function Facts({ side: { row, value: picture, waits }, name }: { readonly side: Side; readonly name: string }) {
  if (row === undefined) {
    return null;
  }
  const facts = [lineTexts().stepName([formatCount(row.step)]), formatMoment(row.wall, new Date())];
  if (picture !== null) {
    facts.push(imageTexts().pixels(picture.width, picture.height), `${picture.format} ${formatBytes(picture.size)}`);
    facts.push(...picture.notes);
    if (picture.scaled !== null) {
      facts.push(imageTexts().scaledTo(picture.scaled.width, picture.scaled.height));
    }
  }
  return (
    <span class="tbwidget-facts">
      {name !== "" && <b>{name}</b>}
      {facts.join(viewerTexts().between)}
      {waits && (
        <span class="tbwidget-waits" role="status" title={uiTexts().waitsForKernelHint}>
          {uiTexts().waitsForKernel}
        </span>
      )}
    </span>
  );
}

interface ComparisonProps extends Pick<Props, "mode" | "differences"> {
  readonly a: Side;
  readonly b: Side;
}

/** The message about the two: how much they differ, or why that is unknown. */
function Comparison({ a, b, mode, differences }: ComparisonProps) {
  const [one, other] = [sizeOf(a), sizeOf(b)];
  if (one === null || other === null || mode === "sides") {
    return null;
  }
  if (one.width !== other.width || one.height !== other.height) {
    const sizes = imageTexts().unequalSizes(
      imageTexts().pixels(one.width, one.height),
      imageTexts().pixels(other.width, other.height),
      mode === "difference",
    );
    return <strong role="status">{sizes}</strong>;
  }
  if (mode !== "difference" || !a.isCurrent || !b.isCurrent || a.opened === null || b.opened === null) {
    return null;
  }
  if (!areComparable(a.opened, b.opened)) {
    return <strong role="status">{whyNot(a.opened, b.opened)}</strong>;
  }
  const last = differences.value;
  if (last?.a !== a.opened || last.b !== b.opened) {
    return null;
  }
  const found = last.differences;
  const { width, height } = pixelsOf(a.opened.picture);
  const scaled = a.opened.picture.scaled !== null;
  return (
    <span class="tbwidget-difference" role="status" data-most={found.most} data-mean={meanOf(found)}>
      {imageTexts().differences(
        found.most.toString(),
        formatValue(meanOf(found)),
        formatValue((100 * found.pixels) / (width * height)),
      )}
      {scaled && <> {imageTexts().ofScaled}</>}
    </span>
  );
}

function whyNot(a: Opened, b: Opened): string {
  const tooLarge = [a, b].some(
    ({ picture: { width, height, scaled } }) => !scaled && width * height > MAX_VALUE_PIXELS,
  );
  if (tooLarge) {
    return imageTexts().tooLargeForDifference(MAX_VALUE_PIXELS / 2 ** 20);
  }
  return a.values === null || b.values === null ? imageTexts().noValues : imageTexts().differenceLater;
}

function Pixel({ a, b, hovered }: Pick<Props, "a" | "b" | "hovered">) {
  const at = hovered.value;
  if (at === null) {
    return null;
  }
  const [one, other] = [sizeOf(a), b === null ? null : sizeOf(b)];
  const alike = one !== null && other !== null && one.width === other.width && one.height === other.height;
  const sides: [string, Side | null][] = [
    [viewerTexts().first, alike || at.side === "a" ? a : null],
    [viewerTexts().second, alike || at.side === "b" ? b : null],
  ];
  const named = typeof at.side === "string" ? sides : [[at.side.place.run, at.side] as const];
  return (
    <output class="tbwidget-pixel" aria-live="off">
      {imageTexts().pixelAt(at.pixel.x, at.pixel.y)}
      {named.map(([name, side]) => {
        const found = side?.opened != null && side.isCurrent ? valueAt(side.opened, at.pixel) : null;
        return (
          found !== null && (
            <span key={name} data-values={found.join(" ")}>
              {(b !== null || side !== a) && <b>{name}</b>}
              <i style={{ background: `rgb(${found.slice(0, 3).join(" ")} / ${(found[3] ?? 255) / 255})` }} />
              {writtenOut(found)}
            </span>
          )
        );
      })}
    </output>
  );
}

/** The values of a pixel: one number for gray; alpha only if it is transparent. */
function writtenOut([red = 0, green = 0, blue = 0, alpha = 255]: Uint8ClampedArray): string {
  const color = red === green && green === blue ? `${red}` : `${red} ${green} ${blue}`;
  return alpha === 255 ? color : imageTexts().withAlpha(color, alpha.toString());
}
