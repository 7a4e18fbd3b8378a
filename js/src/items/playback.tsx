// Playback of items: the step of a card, which of its repeats it shows, and what playback waits for.

import { computed, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { StepOption } from "../ui/globalstep";
import { KeyedSignals } from "../ui/keyed";
import { StepPlayer } from "../ui/stepplayer";
import { NamedStrip } from "../ui/steprange";
import { type StepSource, stepList } from "../ui/stepsource";
import { useJoinedOnScreen, useView, type View } from "../ui/view";
import type { ItemRow, ItemsCodec } from "../wire/codec";
import type { Repeat } from "./shown";
import { type CardStep, stepsAhead, stepsOfTag, stepsUnderTags } from "./steps";
import { itemTexts } from "./texts";

interface SliderProps {
  /** Ascending, each once. */
  readonly steps: readonly bigint[];
  readonly option: StepOption;
  readonly label: string;
  readonly hint: string;
  /** Before the slider. */
  readonly name?: string;
  /** Whether all of the present step is on the screen. */
  readonly ready: ReadonlySignal<boolean>;
  /** Below the slider. */
  readonly children?: ComponentChildren;
}

/** Nothing where there is only one step. */
export function ItemSlider({ steps, ready, ...player }: SliderProps) {
  const source = useMemo(() => stepList(steps, () => ready.peek()), [steps, ready]);
  return steps.length > 1 || player.option.at !== "newest" ? <StepPlayer source={source} {...player} /> : null;
}

interface OwnStepProps {
  readonly tag: string;
  readonly steps: readonly bigint[];
  readonly option: CardStep;
  readonly ready: ReadonlySignal<boolean>;
}

/** The step of a card that does not go with all cards; else the control at the foot says it. */
export function OwnStepSlider({ tag, option, ...slider }: OwnStepProps) {
  const [first, last = first] = [slider.steps[0], slider.steps.at(-1)];
  return option.isOwn ? (
    <ItemSlider {...slider} option={option} label={itemTexts().cardStep(tag)} hint={itemTexts().cardStepHint}>
      {first !== undefined && last !== undefined && <NamedStrip span={[first, last]} />}
    </ItemSlider>
  ) : null;
}

/** Gives a card a step of its own, and takes it away. */
export function OwnStepButton({ steps, option }: Pick<OwnStepProps, "steps" | "option">) {
  const { isOwn } = option;
  return steps.length > 1 || isOwn ? (
    <button
      type="button"
      class="tbwidget-own-step"
      title={itemTexts().ownStepHint}
      aria-label={itemTexts().ownStep}
      aria-pressed={isOwn}
      data-action="card.own_step"
      onClick={() => option.setOwn(!isOwn)}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M1 6h4.2M8.8 6H11" />
        <circle cx="7" cy="6" r="1.8" />
      </svg>
    </button>
  ) : null;
}

interface RepeatProps {
  readonly tag: string;
  readonly option: StepOption;
  /** The values that the card shows. */
  readonly repeats: readonly Pick<Repeat<unknown>, "count">[];
  readonly ready: ReadonlySignal<boolean>;
}

/** Nothing where each sample has one value. */
export function RepeatSlider({ tag, option, repeats, ready }: RepeatProps) {
  const most = repeats.reduce((most, { count }) => Math.max(most, count), 0);
  const numbers = useMemo(() => Array.from({ length: most }, (_, i) => BigInt(i + 1)), [most]);
  return (
    <ItemSlider
      steps={numbers}
      option={option}
      label={itemTexts().repeatsOf(tag)}
      hint={itemTexts().repeatsHint}
      name={itemTexts().repeats}
      ready={ready}
    />
  );
}

/** The steps of all items of a panel, under the tags that match the filter. */
export function useItemSteps<R extends ItemRow>(codec: ItemsCodec<R>): StepSource {
  const view = useView();
  const items = view.channel.store.items(codec);
  const ahead = useRef(null);
  const steps = useJoinedOnScreen(
    () => stepsUnderTags(items, view),
    (all, tags) => {
      const onScreen = tags.map((tag) => stepsOfTag(items.tag(tag) ?? { byRun: new Map() }, view));
      return stepsAhead(ahead, all, onScreen);
    },
  );
  const ready = useMemo(() => allShown(view, codec.kind, null), [view, codec]);
  return useMemo(() => stepList(steps, () => ready.peek()), [steps, ready]);
}

const counts = new WeakMap<View, KeyedSignals<number>>();

/** The count of one tag; of all tags of a panel where `tag` is null. */
function countOf(view: View, panel: string, tag: string | null) {
  const ofView = counts.get(view) ?? new KeyedSignals(0);
  counts.set(view, ofView);
  return ofView.of(panel, tag === null ? "all" : `tag ${tag}`);
}

/** Something begins to wait, until the function that is returned is called. */
export function beginWaiting(view: View, panel: string, tag: string): () => void {
  const both = [countOf(view, panel, tag), countOf(view, panel, null)];
  const add = (count: number) => {
    for (const one of both) {
      one.value = one.peek() + count;
    }
  };
  add(1);
  return () => add(-1);
}

/** Whether every visible item of a tag shows the chosen step; of all tags where `tag` is null. */
export function allShown(view: View, panel: string, tag: string | null): ReadonlySignal<boolean> {
  const count = countOf(view, panel, tag);
  return computed(() => count.value === 0);
}
