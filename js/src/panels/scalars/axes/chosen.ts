// What is chosen for axes and smoothing, as charts take it.

import { batch } from "@preact/signals";
import type { ValueLimits } from "../../../charts/valuerange";
import { type AxisScale, LINEAR, LOG, type ScaleName, scaleOf, symlog } from "../../../lib/scale";
import type { Smoothing } from "../../../lib/smoothing";
import { logValueOptions, timeAxisOptions } from "../../../options/shared";
import type { View } from "../../../ui/view";
import { scalarsOptions } from "../options";

type Chosen = Pick<View, "options">;

export function smoothingOf({ options }: Chosen): Smoothing {
  const { smoothing, smoothing_kind, smoothing_window } = options.of(scalarsOptions);
  const kind = smoothing_kind.value;
  return { kind, amount: kind === "ema" ? smoothing.value : smoothing_window.value };
}

/** Times of day are spread evenly; steps and seconds as chosen. */
export function xScaleOf({ options }: Chosen): AxisScale {
  const { x_axis } = options.of(timeAxisOptions);
  return x_axis.value === "wall" ? LINEAR : scaleOf(options.of(scalarsOptions).x_scale.value);
}

/** A tag that stands in both lists has the scale on which all values have a place. */
export function valueScaleOf({ options }: Chosen, tag: string): AxisScale {
  const { symlog_y, symlog_constant } = options.of(scalarsOptions);
  if (symlog_y.value.has(tag)) {
    return symlog(symlog_constant.value);
  }
  return options.of(logValueOptions).log_y.value.has(tag) ? LOG : LINEAR;
}

/** The limits that have been chosen for all of these tags: from the least of theirs to the greatest. */
export function limitsOf({ options }: Chosen, tags: readonly string[]): ValueLimits | undefined {
  const ranges = options.of(scalarsOptions).y_ranges.value;
  const chosen = tags.map((tag) => ranges.get(tag) ?? [null, null]);
  const [lows, highs] = [chosen.map(([low]) => low), chosen.map(([, high]) => high)];
  const every = (ends: readonly (number | null)[]) => ends.filter((end) => end !== null).length === tags.length;
  const [low, high] = [
    every(lows) ? Math.min(...(lows as number[])) : null,
    every(highs) ? Math.max(...(highs as number[])) : null,
  ];
  return low === null && high === null ? undefined : [low, high];
}

export function setValueScale({ options }: Chosen, tag: string, name: ScaleName): void {
  const lists = { log: options.of(logValueOptions).log_y, symlog: options.of(scalarsOptions).symlog_y };
  batch(() => {
    for (const [scale, list] of Object.entries(lists)) {
      const names = new Set(list.peek());
      const changed = scale === name ? !names.has(tag) && names.add(tag) : names.delete(tag);
      if (changed) {
        list.set(names);
      }
    }
  });
}

/** Fixes the ends of a tag's axis of values; null for one that is fitted. */
export function setLimits({ options }: Chosen, tag: string, [low, high]: ValueLimits): void {
  const { y_ranges } = options.of(scalarsOptions);
  const ranges = new Map(y_ranges.peek());
  const [before, after] = [ranges.get(tag), low === null && high === null ? undefined : ([low, high] as const)];
  if (before?.[0] === after?.[0] && before?.[1] === after?.[1]) {
    return;
  }
  ranges.delete(tag);
  y_ranges.set(after === undefined ? ranges : ranges.set(tag, after));
}
