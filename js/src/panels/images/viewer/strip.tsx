// The film strip: all steps of a tag in one line. Only visible ones exist.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Size } from "../../../charts/geometry";
import { pixelRatio } from "../../../charts/pixelratio";
import { useItem } from "../../../items/source";
import { formatCount } from "../../../lib/format";
import { lineTexts } from "../../../lines/texts";
import { type ImagePlace, type ImageRow, imageItems } from "../codec";
import { type Picture, pixelsOf } from "../picture";
import { imageTexts } from "../texts";
import { DecodedPicture, useDrawn } from "../tilepicture";

/** CSS pixels from one to the next. */
const PITCH = 84;
/** Steps that exist beyond either end of the visible ones. */
const OVERSCAN_STEPS = 4;

interface Props {
  readonly run: string;
  readonly tag: string;
  readonly rows: readonly ImageRow[];
  /** The place of the row that is shown; -1 if none is. */
  readonly shown: number;
  choose(row: ImageRow): void;
}

export function Strip(props: Props) {
  const { run, tag, rows, shown, choose } = props;
  const host = useRef<HTMLElement>(null);
  const seen = useSignal<readonly [number, number]>([0, 0]);
  useEffect(() => {
    const element = host.current;
    if (element === null) {
      return;
    }
    const measure = () => {
      const first = Math.floor(element.scrollLeft / PITCH) - OVERSCAN_STEPS;
      const count = Math.ceil(element.clientWidth / PITCH) + 2 * OVERSCAN_STEPS;
      if (first !== seen.peek()[0] || count !== seen.peek()[1]) {
        seen.value = [first, count];
      }
    };
    // A mouse without a sideways wheel has no other way to scroll it.
    const turn = (event: WheelEvent) => {
      if (event.deltaX === 0 && !event.ctrlKey) {
        event.preventDefault();
        element.scrollLeft += event.deltaY;
      }
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    element.addEventListener("wheel", turn, { passive: false });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", measure);
      element.removeEventListener("wheel", turn);
    };
  }, [seen]);
  const [first, count] = seen.value;
  const laidOut = count > 2 * OVERSCAN_STEPS;
  useLayoutEffect(() => {
    const element = host.current;
    if (element !== null && laidOut && shown >= 0) {
      const middle = (shown + 0.5) * PITCH - element.clientWidth / 2;
      if (Math.abs(middle - element.scrollLeft) > element.clientWidth / 2 - PITCH) {
        element.scrollLeft = middle;
      }
    }
  }, [shown, laidOut]);
  const from = Math.max(0, first);
  return (
    <nav ref={host} class="tbwidget-strip" aria-label={imageTexts().filmStrip}>
      <div style={{ width: `${rows.length * PITCH}px` }}>
        {rows.slice(from, Math.max(from, first + count)).map((row, i) => (
          <button
            key={row.id}
            type="button"
            class="tbwidget-frame"
            data-step={row.step.toString()}
            aria-current={from + i === shown ? "step" : undefined}
            aria-label={lineTexts().stepName([formatCount(row.step)])}
            tabIndex={from + i === shown ? 0 : -1}
            style={{ left: `${(from + i) * PITCH}px` }}
            onClick={({ currentTarget }) => {
              choose(row);
              // It may leave the page, and would take the keys with it.
              currentTarget.closest("dialog")?.focus();
            }}
          >
            <Thumbnail at={{ run, tag, row }} />
            <span>{formatCount(row.step)}</span>
          </button>
        ))}
      </div>
    </nav>
  );
}

/** Images of fewer pixels are enlarged. */
const SMALL = 60;

/** For one, in CSS pixels. */
const ROOM: Size = { width: 74, height: 56 };

/** The image of a step, as far as it is held; it is requested while it is on the screen. */
function Thumbnail({ at }: { readonly at: ImagePlace }) {
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
