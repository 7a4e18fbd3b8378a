// The slider of a way to compare: where the edge is, how much of each is seen, how strongly differences show.

import type { ComponentChildren } from "preact";
import type { Mode } from "../../../items/viewer/state";
import { imageTexts } from "../texts";
import type { StageState } from "./state";

/** Differences are shown up to this many times as large, in powers of two. */
const MOST_GAIN = 6;

interface Props {
  readonly mode: Mode;
  readonly state: StageState;
}

export function ModeControls({ mode, state: { swipe, blend, gain } }: Props) {
  if (mode === "swipe") {
    return <Slider label={imageTexts().swipe} value={swipe.value} most={1} set={(value) => (swipe.value = value)} />;
  }
  if (mode === "blend") {
    return (
      <Slider label={imageTexts().blend} value={blend.value} most={1} set={(value) => (blend.value = value)}>
        {imageTexts().percent(Math.round(100 * blend.value))}
      </Slider>
    );
  }
  return mode === "difference" ? (
    <Slider
      label={imageTexts().gain}
      value={Math.log2(gain.value)}
      most={MOST_GAIN}
      step={1}
      set={(value) => (gain.value = 2 ** value)}
    >
      {imageTexts().times(gain.value)}
    </Slider>
  ) : null;
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly step?: number;
  set(value: number): void;
  readonly children?: ComponentChildren;
}

function Slider({ label, value, most, step = 0.01, set, children }: SliderProps) {
  return (
    <label class="tbwidget-mode">
      <span>{label}</span>
      <input
        type="range"
        min={0}
        max={most}
        step={step}
        value={value}
        style={{ "--tbwidget-part": `${(100 * value) / most}%` }}
        onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
      <output>{children}</output>
    </label>
  );
}
