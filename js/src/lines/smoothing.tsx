// The control of the smoothing: its method, and how much of it; behind a button where there is little room.

import { formatCount } from "../lib/format";
import { isSmoothed, SMOOTHING_KINDS } from "../lib/smoothing";
import type { FormProps } from "../ui/actions";
import { NumberBox } from "../ui/controls";
import { MenuLabel, Popover } from "../ui/popover";
import { shownSeries, unfollowed } from "../ui/runs";
import { Slider } from "../ui/slider";
import { useEverySecond, useOptions, useView } from "../ui/view";
import { smoothingOf } from "./axes";
import { scalars as scalarsCodec } from "./codec";
import { MAX_SMOOTHING, MAX_WINDOW_POINTS, scalarsOptions } from "./options";
import { isSmoothable } from "./series";
import { lineTexts } from "./texts";

/** The slider ends here, the box goes further. */
const SLIDER_END = 0.99;

/** Where a window is on its slider, as a share: by its logarithm. */
const shareOf = (window: number) => Math.log(window) / Math.log(MAX_WINDOW_POINTS);

export function SmoothingControl({ isNarrow }: FormProps) {
  const { smoothing, smoothing_kind, smoothing_window } = useOptions(scalarsOptions);
  if (!isNarrow) {
    return <Smoothing />;
  }
  const kind = smoothing_kind.value;
  const amount = kind === "ema" ? smoothing.value : smoothing_window.value;
  return (
    <Popover
      label={<MenuLabel text={kind === "none" ? lineTexts().notSmoothed : lineTexts().smoothedBy(String(amount))} />}
      title={lineTexts().smoothing}
    >
      {() => <Smoothing />}
    </Popover>
  );
}

function Smoothing() {
  const { smoothing, smoothing_kind, smoothing_window } = useOptions(scalarsOptions);
  const kind = smoothing_kind.value;
  const windowed = kind === "mean" || kind === "gaussian";
  const none = kind === "none";
  const share = none
    ? 0
    : windowed
      ? shareOf(smoothing_window.value)
      : Math.min(SLIDER_END, smoothing.value) / SLIDER_END;
  const set = (at: number) => {
    if (windowed) {
      smoothing_window.set(Math.round(MAX_WINDOW_POINTS ** at));
    } else if (Number.isFinite(at)) {
      smoothing.set(at);
    }
  };
  const asWritten = useDrawnAsWritten();
  const hint = [windowed ? lineTexts().smoothingWindowHint : lineTexts().smoothingHint, asWritten].join("\n").trim();
  return (
    <span class="tbwidget-smoothing" title={hint}>
      <span>{lineTexts().smoothing}</span>
      <select
        class="tbwidget-select"
        aria-label={lineTexts().smoothingKind}
        title={lineTexts().smoothingKindHint}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          const chosen = SMOOTHING_KINDS.find((one) => one === value);
          if (chosen !== undefined) {
            smoothing_kind.set(chosen);
          }
        }}
      >
        {SMOOTHING_KINDS.map((one) => (
          <option key={one} value={one}>
            {lineTexts().smoothingKinds[one]}
          </option>
        ))}
      </select>
      <Slider
        min={0}
        max={windowed ? 1 : SLIDER_END}
        step={0.01}
        value={windowed ? share : share * SLIDER_END}
        disabled={none}
        aria-label={lineTexts().smoothing}
        aria-description={asWritten || undefined}
        aria-valuetext={windowed ? lineTexts().windowOf(smoothing_window.value) : undefined}
        choose={set}
      />
      {windowed ? (
        <NumberBox
          key="window"
          option={smoothing_window}
          name={lineTexts().smoothingWindow}
          least={1}
          most={MAX_WINDOW_POINTS}
          step={1}
        />
      ) : (
        <NumberBox
          key="weight"
          option={smoothing}
          name={lineTexts().smoothing}
          least={0}
          most={MAX_SMOOTHING}
          step={0.001}
          disabled={none}
        />
      )}
    </span>
  );
}

/** How many of the series on the screen are drawn as they are, in words; empty for none. */
function useDrawnAsWritten(): string {
  const view = useView();
  return useEverySecond(() => {
    if (!isSmoothed(smoothingOf(view))) {
      return "";
    }
    const held = view.channel.store.series(scalarsCodec);
    const shown = view.inSight.value.flatMap((tag) => {
      const data = held.tag(tag);
      return data === undefined ? [] : shownSeries(unfollowed(data), view);
    });
    const plain = shown.filter((series) => !isSmoothable(series)).length;
    return plain === 0 ? "" : lineTexts().drawnAsWritten(plain, formatCount(plain), formatCount(shown.length));
  });
}
