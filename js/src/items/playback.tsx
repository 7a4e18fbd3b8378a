// Playback of items: a slider that goes from step to step of those that there are, plays them, and takes a step that is typed.

import { computed, type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { KeyedSignals } from "../ui/keyed";
import { Slider } from "../ui/slider";
import { StepEntry } from "../ui/stepentry";
import { uiTexts } from "../ui/texts";
import { useEverySecond, useView, type View } from "../ui/view";
import type { ItemRow, ItemsCodec } from "../wire/codec";
import type { Repeat } from "./shown";
import { globalStep, placeOf, type StepOption, stepsUnderTags } from "./steps";
import { itemTexts } from "./texts";
import "./playback.css";

/** Steps that a page key goes. */
const PAGE = 10;

/** Milliseconds that each step stays at least while it plays. */
const PACE = 150;

/** Ticks to wait for the items of a step before playback moves on; a busy kernel may never send them. */
const MAX_WAIT_TICKS = 20;

interface SliderProps {
  /** Ascending, each once. */
  readonly steps: readonly bigint[];
  readonly option: StepOption;
  /** For assistive technology. */
  readonly label: string;
  readonly hint: string;
  /** Before the slider. */
  readonly name?: string;
  /** Whether all of the present step is on the screen: the next one waits for that, for a while. */
  readonly ready?: ReadonlySignal<boolean>;
}

/** Nothing where there is only one step. */
export function ItemSlider({ steps, option, label, hint, name, ready }: SliderProps) {
  const { at } = option;
  const playing = useSignal(false);
  const last = steps.length - 1;
  const place = placeOf(steps, at);
  const go = (to: number) => {
    const step = steps[Math.max(0, Math.min(last, to))];
    if (step !== undefined && step !== option.at) {
      option.set(step);
    }
  };
  const waited = useRef(0);
  const advance = useRef(() => {});
  advance.current = () => {
    if (place >= last) {
      playing.value = false;
      // Items written from now on continue the playback.
      option.set("newest");
    } else if ((ready?.peek() ?? true) || waited.current >= MAX_WAIT_TICKS) {
      waited.current = 0;
      go(place + 1);
    } else {
      waited.current += 1;
    }
  };
  useEffect(() => {
    if (!playing.value) {
      return;
    }
    waited.current = 0;
    const timer = setInterval(() => advance.current(), PACE);
    return () => clearInterval(timer);
  }, [playing.value]);
  if (last < 1 && at === "newest") {
    return null;
  }
  const stopAt = (step: "newest" | bigint) => {
    playing.value = false;
    option.set(step);
  };
  const stopNear = (to: number) => {
    playing.value = false;
    go(to);
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => stopNear(place - 1),
    ArrowDown: () => stopNear(place - 1),
    ArrowRight: () => stopNear(place + 1),
    ArrowUp: () => stopNear(place + 1),
    PageDown: () => stopNear(place - PAGE),
    PageUp: () => stopNear(place + PAGE),
    Home: () => stopNear(0),
    End: () => stopAt("newest"),
    Delete: () => stopAt("newest"),
  };
  const play = playing.value ? itemTexts().pauseSteps : itemTexts().playSteps;
  const shown = at === "newest" ? steps[last] : at;
  return (
    <span class="tbwidget-item-steps" title={hint}>
      {name !== undefined && <span>{name}</span>}
      <button
        type="button"
        class="tbwidget-play"
        aria-label={play}
        title={play}
        aria-pressed={playing.value}
        onClick={() => {
          playing.value = !playing.value;
          if (playing.value && place >= last) {
            go(0);
          }
        }}
      >
        <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
          <path d={playing.value ? "M2 1h2.2v8H2zM5.8 1H8v8H5.8z" : "M2 .8 9 5 2 9.2z"} />
        </svg>
      </button>
      <Slider
        data-free={at === "newest" ? "" : undefined}
        min={0}
        max={Math.max(0, last)}
        step={1}
        value={Math.max(0, place)}
        aria-label={label}
        aria-valuetext={at === "newest" ? itemTexts().newestStep(formatCount(shown ?? 0)) : formatCount(at)}
        keys={keys}
        choose={stopNear}
      />
      <StepEntry
        shown={shown ?? 0n}
        label={itemTexts().stepEntry(label)}
        choose={(step) => step !== null && stopAt(step)}
      />
      <button
        type="button"
        class="tbwidget-follow"
        aria-pressed={at === "newest"}
        title={itemTexts().followNewestHint}
        onClick={() => stopAt(at === "newest" ? (steps[last] ?? 0n) : "newest")}
      >
        {itemTexts().followNewest}
      </button>
    </span>
  );
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

/** The slider of the step of all cards of a panel. */
export function AllStepsSlider<R extends ItemRow>({ codec }: { readonly codec: ItemsCodec<R> }) {
  const view = useView();
  const ready = useMemo(() => allShown(view, codec.kind, null), [view, codec]);
  const items = view.channel.store.items(codec);
  const steps = useEverySecond(() => stepsUnderTags(items, view));
  return (
    <ItemSlider
      steps={steps}
      option={globalStep(view)}
      label={itemTexts().allCardsStep}
      hint={itemTexts().allCardsStepHint}
      name={uiTexts().stepSlider}
      ready={ready}
    />
  );
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
