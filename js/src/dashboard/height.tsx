// The handle on the lower edge of the dashboard, which sets its height.

import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { MIN_HEIGHT_PX } from "../options/shared";
import { useView } from "../ui/view";
import { dashboardTexts } from "./texts";
import "./height.css";

/** CSS pixels that an arrow key and a page key move by. */
const KEY_STEP_PX = 20;
const PAGE_STEP_PX = 100;

/** Greatest height that fits the content by itself: all charts within the dashboard are drawn, and hold their canvases. */
const MAX_FITTED_PX = 4_000;

interface Props {
  readonly board: RefObject<HTMLElement | null>;
  /** The least height in CSS pixels that the dashboard has whatever it holds, unless the user wants a lower one. */
  readonly least: number;
}

export function HeightHandle({ board, least }: Props) {
  const { height } = useView().options.board;
  /** Where the handle was taken: its distance to the lower edge. */
  const grip = useRef<number | null>(null);
  const at = (event: PointerEvent) => {
    const top = board.current?.getBoundingClientRect().top;
    return grip.current === null || top === undefined ? null : atLeast(event.clientY + grip.current - top);
  };
  const show = (px: number) => {
    for (const [name, value] of Object.entries(heightStyle(px, least))) {
      board.current?.style.setProperty(name, value);
    }
  };
  const fit = () => {
    const main = board.current?.querySelector<HTMLElement>(".tbwidget-main");
    if (board.current && main) {
      // As low as it can be first: what fills the height that there is has no height of its own.
      show(MIN_HEIGHT_PX);
      const fitted = board.current.offsetHeight + main.scrollHeight - main.clientHeight;
      const px = Math.min(MAX_FITTED_PX, atLeast(fitted));
      show(px);
      height.set(px);
    }
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => height.set(atLeast(height.peek() + KEY_STEP_PX)),
    ArrowUp: () => height.set(atLeast(height.peek() - KEY_STEP_PX)),
    PageDown: () => height.set(atLeast(height.peek() + PAGE_STEP_PX)),
    PageUp: () => height.set(atLeast(height.peek() - PAGE_STEP_PX)),
    Enter: fit,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that can be moved is no <hr>.
    <div
      class="tbwidget-height-handle"
      role="separator"
      aria-orientation="horizontal"
      aria-label={dashboardTexts().height.name}
      aria-valuemin={MIN_HEIGHT_PX}
      aria-valuenow={height.value}
      title={dashboardTexts().height.hint}
      tabIndex={0}
      data-lm-suppress-shortcuts="true"
      onPointerDown={(event) => {
        const bottom = board.current?.getBoundingClientRect().bottom;
        if (event.button === 0 && bottom !== undefined) {
          event.currentTarget.setPointerCapture(event.pointerId);
          grip.current = bottom - event.clientY;
        }
      }}
      onPointerMove={(event) => {
        const px = at(event);
        if (px !== null && event.movementY !== 0) {
          show(px);
        }
      }}
      onPointerUp={(event) => {
        const px = at(event);
        grip.current = null;
        // A click moves nothing: the dashboard may be lower than it could be.
        if (px !== null && board.current?.style.getPropertyValue("--tbwidget-max-height") !== `${height.peek()}px`) {
          height.set(px);
        }
      }}
      onPointerCancel={() => {
        grip.current = null;
        show(height.peek());
      }}
      onDblClick={fit}
      onKeyDown={(event) => {
        const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
        if (act !== undefined && !(event.ctrlKey || event.metaKey || event.altKey)) {
          event.preventDefault();
          event.stopPropagation();
          act();
        }
      }}
    />
  );
}

/** The dashboard is as high as its content, from `least` up to `most`. */
export function heightStyle(most: number, least: number): Readonly<Record<string, string>> {
  // In CSS, a greater minimum would win.
  return { "--tbwidget-max-height": `${most}px`, "--tbwidget-min-height": `${Math.min(least, most)}px` };
}

function atLeast(px: number): number {
  return Math.max(MIN_HEIGHT_PX, Math.round(px));
}
