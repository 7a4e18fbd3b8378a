// Several values of one step: a card shows one of them at a time, the last one unless another is chosen.

import type { ReadonlySignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { strings } from "../lib/strings";
import { ItemSlider } from "./itemslider";
import { type AtStep, cardStep, type StepOption } from "./itemsteps";
import { KeyedSignals } from "./keyed";
import type { View } from "./view";

interface Sampled {
  readonly sample: number;
}

/** One of the values that a sample has at a step. */
export interface Repeat<R> {
  readonly row: R;
  /** Which of them it is, from 1 on, and how many there are. */
  readonly number: number;
  readonly count: number;
}

/** Of each sample of the rows of a step, ascending, the value that was written as the `time`-th, or the last before that. */
export function repeatsAt<R extends Sampled>(rows: readonly R[], time: AtStep): Repeat<R>[] {
  const bySample = new Map<number, R[]>();
  for (const row of rows) {
    const same = bySample.get(row.sample);
    if (same === undefined) {
      bySample.set(row.sample, [row]);
    } else {
      same.push(row);
    }
  }
  return [...bySample]
    .sort(([a], [b]) => a - b)
    .map(([, same]) => {
      const number = time === "newest" ? same.length : Math.min(same.length, Math.max(1, Number(time)));
      return { row: same[number - 1] as R, number, count: same.length };
    });
}

interface Chosen {
  readonly time: AtStep;
  /** At another step it has no effect. */
  readonly at: AtStep;
}

const ofViews = new WeakMap<View, KeyedSignals<Chosen | null>>();

/** Which of the values of its step a card shows. */
export function cardTime(view: View, panel: string, tag: string): StepOption {
  let times = ofViews.get(view);
  if (times === undefined) {
    times = new KeyedSignals<Chosen | null>(null);
    ofViews.set(view, times);
  }
  const own = times.of(panel, tag);
  const step = cardStep(view, panel, tag);
  return {
    get at(): AtStep {
      const chosen = own.value;
      return chosen !== null && chosen.at === step.at ? chosen.time : "newest";
    },
    set: (time) => {
      own.value = { time, at: step.at };
    },
  };
}

interface Props {
  readonly tag: string;
  readonly option: StepOption;
  /** Of what is shown. */
  readonly repeats: readonly Pick<Repeat<unknown>, "count">[];
  readonly ready: ReadonlySignal<boolean>;
}

/** Nothing where each sample has one value. */
export function RepeatSlider({ tag, option, repeats, ready }: Props) {
  const most = repeats.reduce((most, { count }) => Math.max(most, count), 0);
  const times = useMemo(() => Array.from({ length: most }, (_, i) => BigInt(i + 1)), [most]);
  return (
    <ItemSlider
      steps={times}
      option={option}
      label={strings.repeatsOf(tag)}
      hint={strings.repeatsHint}
      name={strings.repeats}
      ready={ready}
    />
  );
}
