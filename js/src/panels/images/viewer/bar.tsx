// The line above the stage: which images are shown, how they are compared, how large they are; saves and closes.

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { pixelRatio } from "../../../charts/pixelratio";
import { SaveItems } from "../../../items/save";
import { strings } from "../../../lib/strings";
import { Segments } from "../../../ui/controls";
import { CloseButton } from "../../../ui/dialog";
import { useView } from "../../../ui/view";
import { images } from "../codec";
import { imageItems } from "../item";
import { type Camera, fitScale } from "../zoom/camera";
import { type KeyAction, ZOOM } from "../zoom/keys";
import { sizeOf } from "./frame";
import type { Place, Second } from "./place";
import { placeIn, placeUnder, runsWith, type Side } from "./side";
import { MODES, type Mode, type ViewerState } from "./state";

interface Props {
  readonly a: Side;
  readonly b: Side | null;
  readonly first: Signal<Place>;
  readonly second: Signal<Second | null>;
  readonly state: ViewerState;
  readonly mode: Mode;
  readonly camera: Signal<Camera>;
  setMode(mode: Mode): void;
  act(action: KeyAction): void;
  close(): void;
}

export function ViewerBar({ a, b, first, second, state, mode, camera, setMode, act, close }: Props) {
  const { active } = state;
  const shown = b !== null && active.value === "b" ? b : a;
  const follows = second.value?.follows === true;
  return (
    <header class="tbwidget-viewer-bar">
      <SideBar
        side={a}
        name={b === null ? null : strings.images.firstImage}
        active={active.value === "a"}
        activate={() => (active.value = "a")}
        choose={(place) => (first.value = place)}
      />
      {b !== null && (
        <SideBar
          side={b}
          name={strings.images.secondImage}
          active={active.value === "b"}
          activate={() => (active.value = "b")}
          choose={(place) => (second.value = { place, follows })}
        >
          <label class="tbwidget-check" title={strings.images.sameStepHint}>
            <input
              type="checkbox"
              checked={follows}
              onChange={({ currentTarget }) => {
                second.value = { place: b.place, follows: currentTarget.checked };
              }}
            />
            <span>{strings.images.sameStep}</span>
          </label>
          <button
            type="button"
            class="tbwidget-word"
            title={strings.images.swapHint}
            onClick={() => act({ does: "swap" })}
          >
            {strings.images.swap}
          </button>
        </SideBar>
      )}
      <Segments
        title={strings.images.compareTitle}
        options={MODES}
        names={strings.images.compareModes}
        hints={strings.images.compareHints}
        chosen={mode}
        choose={setMode}
      />
      <SaveItems
        kind={imageItems}
        label={strings.save.card}
        title={strings.images.saveHint}
        places={() => (shown.row === undefined ? [] : [{ tag: shown.place.tag, run: shown.place.run, row: shown.row }])}
        name=""
      />
      <Zoom side={a} camera={camera} state={state} act={act} />
      <CloseButton close={close} />
    </header>
  );
}

interface SideProps {
  readonly side: Side;
  /** Null where there is one side. */
  readonly name: string | null;
  readonly active: boolean;
  activate(): void;
  choose(place: Place): void;
  readonly children?: ComponentChildren;
}

/** Chooses run, tag and sample of a side. */
function SideBar({ side, name, active, activate, choose, children }: SideProps) {
  const view = useView();
  const { place, samples } = side;
  const { channel, options, theme } = view;
  const tags = channel.store.items(images).tags.value;
  const runs = runsWith(place.tag, place.run, view);
  return (
    <span class="tbwidget-side">
      {name !== null && (
        <button
          type="button"
          class="tbwidget-side-name"
          aria-pressed={active}
          title={strings.images.sideHint}
          onClick={activate}
        >
          {name}
        </button>
      )}
      <i class="tbwidget-side-dot" style={{ background: options.colorOf.value(place.run, theme.value) }} />
      <Select
        label={strings.runColumn}
        value={place.run}
        options={runs}
        choose={(run) => choose(placeIn(run, place, view))}
      />
      <Select
        label={strings.images.tag}
        value={place.tag}
        options={tags}
        choose={(tag) => choose(placeUnder(tag, place, view))}
      />
      {samples.length > 1 && (
        <Select
          label={strings.images.sample}
          value={`${place.sample}`}
          options={samples.map(String)}
          choose={(sample) => choose({ ...place, sample: Number(sample), id: null })}
        />
      )}
      {children}
    </span>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  choose(option: string): void;
}

function Select({ label, value, options, choose }: SelectProps) {
  // By their places: two names may look alike, and a value is text without line ends.
  const all = options.includes(value) ? options : [value, ...options];
  // There may be thousands of tags, and the same ones at each step.
  const entries = useMemo(
    () =>
      all.map((option, i) => (
        <option key={option} value={i}>
          {option}
        </option>
      )),
    [all],
  );
  return (
    <select
      class="tbwidget-select"
      aria-label={label}
      title={strings.images.labeled(label, value)}
      value={all.indexOf(value)}
      onChange={({ currentTarget }) => {
        const chosen = all[currentTarget.selectedIndex];
        if (chosen !== undefined) {
          choose(chosen);
        }
      }}
    >
      {entries}
    </select>
  );
}

function Zoom({ side, camera, state, act }: Pick<Props, "camera" | "state" | "act"> & { readonly side: Side }) {
  const size = sizeOf(side);
  const stage = state.stage.value;
  const scale = size === null || stage.width === 0 ? null : camera.value.zoom * fitScale(size, stage) * pixelRatio();
  return (
    <span class="tbwidget-zoom">
      <button
        type="button"
        title={strings.images.zoomOut}
        aria-label={strings.images.zoomOut}
        onClick={() => act({ does: "zoom", factor: 1 / ZOOM })}
      >
        −
      </button>
      <output>
        {scale === null
          ? ""
          : strings.images.percent(scale < 0.1 ? Number((100 * scale).toPrecision(2)) : Math.round(100 * scale))}
      </output>
      <button
        type="button"
        title={strings.images.zoomIn}
        aria-label={strings.images.zoomIn}
        onClick={() => act({ does: "zoom", factor: ZOOM })}
      >
        +
      </button>
      <button type="button" title={strings.images.wholeImageHint} onClick={() => act({ does: "whole" })}>
        {strings.images.wholeImage}
      </button>
      <button type="button" title={strings.images.actualPixelsHint} onClick={() => act({ does: "actual" })}>
        {strings.images.actualPixels}
      </button>
    </span>
  );
}
