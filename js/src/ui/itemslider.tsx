// The slider of a panel of items: goes from step to step of those that there are, plays them, takes a step that is typed.

import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import { placeOf, type StepOption } from "./itemsteps";
import { StepEntry } from "./stepentry";

/** Steps that a page key goes. */
const PAGE = 10;

/** Milliseconds that each step stays at least while it plays. */
const PACE = 150;

/** Such times that a step is waited for at most: what only an idle kernel can bring may not come while it plays. */
const MOST_WAITS = 20;

interface Props {
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
export function ItemSlider({ steps, option, label, hint, name, ready }: Props) {
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
      // What is written from now on goes on where it ended.
      option.set("newest");
    } else if ((ready?.peek() ?? true) || waited.current >= MOST_WAITS) {
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
  const stop = (then: () => void) => {
    playing.value = false;
    then();
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => go(place - 1),
    ArrowDown: () => go(place - 1),
    ArrowRight: () => go(place + 1),
    ArrowUp: () => go(place + 1),
    PageDown: () => go(place - PAGE),
    PageUp: () => go(place + PAGE),
    Home: () => go(0),
    End: () => option.set("newest"),
    Delete: () => option.set("newest"),
  };
  const play = playing.value ? strings.pauseSteps : strings.playSteps;
  const shown = at === "newest" ? steps[last] : at;
  // JupyterLab would take the arrow keys for its own.
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
      <input
        type="range"
        data-lm-suppress-shortcuts="true"
        data-free={at === "newest" ? "" : undefined}
        min={0}
        max={Math.max(0, last)}
        step={1}
        value={Math.max(0, place)}
        aria-label={label}
        aria-valuetext={at === "newest" ? strings.newestStep(formatCount(shown ?? 0)) : formatCount(at)}
        style={{ "--tbwidget-part": `${last > 0 ? (100 * Math.max(0, place)) / last : 100}%` }}
        onInput={({ currentTarget }) => stop(() => go(currentTarget.valueAsNumber))}
        onKeyDown={(event) => {
          const key = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
          if (key !== undefined) {
            event.preventDefault();
            stop(key);
          }
        }}
      />
      <StepEntry
        shown={shown ?? 0n}
        label={strings.stepEntry(label)}
        choose={(step) => step !== null && stop(() => option.set(step))}
      />
      <button
        type="button"
        class="tbwidget-follow"
        aria-pressed={at === "newest"}
        title={strings.followNewestHint}
        onClick={() => stop(() => option.set(at === "newest" ? (steps[last] ?? 0n) : "newest"))}
      >
        {strings.followNewest}
      </button>
    </span>
  );
}
