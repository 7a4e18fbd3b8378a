// The full-window viewer of images: its steps are a film strip, and pixels of two images are compared.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Size } from "../../../charts/geometry";
import { ZOOM_STEP } from "../../../charts/keyboard";
import { pixelRatio } from "../../../charts/pixelratio";
import { fitZoom } from "../../../charts/planecamera";
import { useItem } from "../../../items/source";
import { type Mode, type OpenedAt, viewerState } from "../../../items/viewer/state";
import { ItemViewer } from "../../../items/viewer/viewer";
import { useViewing } from "../../../items/viewer/viewing";
import { formatCount } from "../../../lib/format";
import { lineTexts } from "../../../lines/texts";
import { Slider } from "../../../ui/slider";
import { useOptions, useView } from "../../../ui/view";
import { MODES } from "../actions";
import { type ImagePlace, type ImageRow, imageItems } from "../codec";
import { imagesOptions } from "../options";
import { type Picture, pixelsOf } from "../picture";
import { imageTexts } from "../texts";
import { DecodedPicture, filterOf, useDrawn } from "../tilepicture";
import { type Camera, cameraOf } from "../zoom/camera";
import { actionOf, aimed, type CameraAction } from "../zoom/gestures";
import type { Found } from "./differencecanvas";
import { type Hovered, sizeOf } from "./layers";
import { Readout } from "./readout";
import { type Side, useOpenedSide } from "./side";
import { Stages } from "./stages";
import { type StageState, stageState } from "./state";

export function Viewer() {
  const { at } = viewerState(useView(), "images");
  return at.value !== null && <Open at={at.value as OpenedAt<ImageRow>} close={() => (at.value = null)} />;
}

interface Props {
  readonly at: OpenedAt<ImageRow>;
  close(): void;
}

function Open({ at, close }: Props) {
  const view = useView();
  const state = stageState(view);
  const { brightness, contrast, pixelated } = useOptions(imagesOptions);
  const hovered = useSignal<Hovered | null>(null);
  const differences = useSignal<Found | null>(null);
  const viewing = useViewing(imageItems, at, Number.POSITIVE_INFINITY);
  const { active, mode, show } = viewing;
  const a = useOpenedSide(viewing.a);
  const b = useOpenedSide(viewing.b);
  const { run, tag, sample } = active.place;
  const camera = cameraOf(view, a.place.tag);
  const act = (action: CameraAction) => {
    const size = sizeOf(a);
    if (size !== null) {
      camera.value = aimed(camera.peek(), action, size, state.stage.value, pixelRatio());
    }
  };
  return (
    <ItemViewer
      label={imageTexts().viewer(a.place.tag)}
      viewing={viewing}
      modes={MODES}
      saveHint={imageTexts().saveHint}
      controls={<ZoomButtons side={a} camera={camera} state={state} act={act} />}
      close={close}
      keyed={(event) => {
        const action = actionOf(event);
        if (action !== undefined) {
          act(action);
        }
        return action !== undefined;
      }}
    >
      <Stages
        viewing={viewing}
        a={a}
        b={b}
        state={state}
        camera={camera}
        look={{ filter: filterOf(brightness.value, contrast.value), pixelated: pixelated.value }}
        hovered={hovered}
        differences={differences}
      />
      {b !== null && <ModeControls mode={mode} state={state} />}
      <Readout a={a} b={b} mode={mode} hovered={hovered} differences={differences} />
      <Strip
        key={JSON.stringify([run, tag, sample])}
        run={run}
        tag={tag}
        rows={active.rows}
        shown={active.shown}
        choose={show}
      />
    </ItemViewer>
  );
}

/** Differences are shown up to this many times as large, in powers of two. */
const MAX_GAIN = 6;

interface ModeControlsProps {
  readonly mode: Mode;
  readonly state: StageState;
}

export function ModeControls({ mode, state: { swipe, blend, gain } }: ModeControlsProps) {
  if (mode === "swipe") {
    return (
      <ModeSlider label={imageTexts().swipe} value={swipe.value} most={1} set={(value) => (swipe.value = value)} />
    );
  }
  if (mode === "blend") {
    return (
      <ModeSlider label={imageTexts().blend} value={blend.value} most={1} set={(value) => (blend.value = value)}>
        {imageTexts().percent(Math.round(100 * blend.value))}
      </ModeSlider>
    );
  }
  return mode === "difference" ? (
    <ModeSlider
      label={imageTexts().gain}
      value={Math.log2(gain.value)}
      most={MAX_GAIN}
      step={1}
      set={(value) => (gain.value = 2 ** value)}
    >
      {imageTexts().times(gain.value)}
    </ModeSlider>
  ) : null;
}

interface ModeSliderProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly step?: number;
  set(value: number): void;
  readonly children?: ComponentChildren;
}

function ModeSlider({ label, value, most, step = 0.01, set, children }: ModeSliderProps) {
  return (
    <label class="tbwidget-mode">
      <span>{label}</span>
      <Slider min={0} max={most} step={step} value={value} choose={set} />
      <output>{children}</output>
    </label>
  );
}

interface ZoomButtonsProps {
  readonly side: Side;
  readonly camera: Signal<Camera>;
  readonly state: StageState;
  act(action: CameraAction): void;
}

export function ZoomButtons({ side, camera, state, act }: ZoomButtonsProps) {
  const size = sizeOf(side);
  const stage = state.stage.value;
  const scale = size === null || stage.width === 0 ? null : camera.value.zoom * fitZoom(size, stage) * pixelRatio();
  return (
    <span class="tbwidget-zoom">
      <button
        type="button"
        title={imageTexts().zoomOut}
        data-action="view.zoom_out"
        onClick={() => act({ does: "zoom", factor: 1 / ZOOM_STEP })}
      >
        <span aria-hidden="true">−</span>
      </button>
      <output>
        {scale === null
          ? ""
          : imageTexts().percent(scale < 0.1 ? Number((100 * scale).toPrecision(2)) : Math.round(100 * scale))}
      </output>
      <button
        type="button"
        title={imageTexts().zoomIn}
        data-action="view.zoom_in"
        onClick={() => act({ does: "zoom", factor: ZOOM_STEP })}
      >
        <span aria-hidden="true">+</span>
      </button>
      <button
        type="button"
        title={imageTexts().wholeImageHint}
        data-action="view.fit"
        onClick={() => act({ does: "whole" })}
      >
        {imageTexts().wholeImage}
      </button>
      <button
        type="button"
        title={imageTexts().actualPixelsHint}
        data-action="images.actual_pixels"
        onClick={() => act({ does: "actual" })}
      >
        {imageTexts().actualPixels}
      </button>
    </span>
  );
}

// The film strip: all steps of a tag in one line. Only visible ones exist.

/** CSS pixels from one to the next. */
const PITCH = 84;
/** Steps that exist beyond either end of the visible ones. */
const OVERSCAN_STEPS = 4;

interface StripProps {
  readonly run: string;
  readonly tag: string;
  readonly rows: readonly ImageRow[];
  /** The place of the row that is shown; -1 if none is. */
  readonly shown: number;
  choose(row: ImageRow): void;
}

function Strip(props: StripProps) {
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
