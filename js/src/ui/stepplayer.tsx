// A step as a player shows it: a button that plays the steps, a slider over them, the step to read and type, and the newest.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import type { StepOption } from "./globalstep";
import { Slider } from "./slider";
import { StepEntry } from "./stepentry";
import { nearest, type StepSource, type StepSpan } from "./stepsource";
import { stepTexts } from "./texts";
import "./stepcontrol.css";

/** Steps that a page key goes. */
const PAGE = 10;

/** Milliseconds that each step stays at least while it plays. */
const PACE = 150;

/** Ticks to wait for the items of a step before playback moves on; a busy kernel may never send them. */
const MAX_WAIT_TICKS = 20;

/** Most steps that are played where nothing is fetched: a curve has thousands. */
const MAX_STOPS = 200n;

interface Props {
  readonly source: StepSource;
  readonly option: StepOption;
  /** For assistive technology. */
  readonly label: string;
  readonly hint: string;
  /** Before the slider. */
  readonly name?: string;
  /** Below the slider. */
  readonly children?: ComponentChildren;
}

/** Nothing without steps. */
export function StepPlayer({ source, option, label, hint, name, children }: Props) {
  const { at } = option;
  const { span } = source;
  const playing = usePlayback(source, option);
  if (span === null) {
    return null;
  }
  const [first, last] = span;
  const shown = at === "newest" ? last : at;
  const go = (step: bigint | null) => {
    playing.value = false;
    if (step !== null && step !== option.at) {
      option.set(step);
    }
  };
  const goBy = (count: number, side: "before" | "after") => {
    let step = shown;
    for (let i = 0; i < count; i += 1) {
      step = source.near(step)[side] ?? step;
    }
    go(step === shown ? null : step);
  };
  const follow = () => {
    playing.value = false;
    option.set("newest");
  };
  const keys: Record<string, () => void> = {
    ArrowLeft: () => goBy(1, "before"),
    ArrowDown: () => goBy(1, "before"),
    ArrowRight: () => goBy(1, "after"),
    ArrowUp: () => goBy(1, "after"),
    PageDown: () => goBy(PAGE, "before"),
    PageUp: () => goBy(PAGE, "after"),
    Home: () => go(first),
    End: follow,
    Delete: follow,
  };
  const play = playing.value ? stepTexts().pause : stepTexts().play;
  const base = baseOf(span);
  const [least, most] = [Number(first - base), Number(last - base)];
  return (
    <span class="tbwidget-step-player" title={hint} data-free={at === "newest" ? "" : undefined}>
      {name !== undefined && <span>{name}</span>}
      <button
        type="button"
        class="tbwidget-play"
        title={play}
        aria-pressed={playing.value}
        onClick={() => {
          playing.value = !playing.value;
          if (playing.value && source.near(shown).after === null) {
            option.set(first);
          }
        }}
      >
        <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
          <path d={playing.value ? "M2 1h2.2v8H2zM5.8 1H8v8H5.8z" : "M2 .8 9 5 2 9.2z"} />
        </svg>
      </button>
      <span class="tbwidget-step-track">
        <Slider
          data-free={at === "newest" ? "" : undefined}
          min={least}
          max={most}
          step="any"
          value={Math.max(least, Math.min(most, Number(shown - base)))}
          aria-label={label}
          aria-valuetext={at === "newest" ? stepTexts().newestStep(formatCount(last)) : formatCount(at)}
          keys={keys}
          choose={(value) => go(nearest(source, base + BigInt(Math.round(value))))}
        />
        {children}
      </span>
      <StepEntry
        shown={shown}
        label={stepTexts().entry(label)}
        // As wide as any of them: nothing beside it jumps while the steps are played.
        characters={Math.max(String(first).length, String(last).length)}
        choose={(step) => (step === null ? follow() : go(step))}
      />
      <button
        type="button"
        class="tbwidget-follow"
        aria-pressed={at === "newest"}
        title={stepTexts().newestHint}
        onClick={() => (at === "newest" ? go(last) : follow())}
      >
        {stepTexts().newest}
      </button>
    </span>
  );
}

/** What the slider counts from: 0, unless a float would round the steps. */
function baseOf([first, last]: StepSpan): bigint {
  return Number.isSafeInteger(Number(first)) && Number.isSafeInteger(Number(last)) ? 0n : first;
}

/** Whether the steps are being played. They end in the newest, so that those that come from then on continue them. */
function usePlayback(source: StepSource, option: StepOption) {
  const playing = useSignal(false);
  const waited = useRef(0);
  const advance = useRef(() => {});
  advance.current = () => {
    const { span } = source;
    const { at } = option;
    const next = span === null || at === "newest" ? null : source.near(at).after;
    if (span === null || at === "newest" || next === null) {
      playing.value = false;
      option.set("newest");
    } else if (waited.current < MAX_WAIT_TICKS && source.isReady?.() === false) {
      waited.current += 1;
    } else {
      waited.current = 0;
      const stride = source.isReady === undefined ? (span[1] - span[0]) / MAX_STOPS : 0n;
      const far = next < at + stride ? source.near(at + stride).upTo : null;
      option.set(far ?? next);
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
  return playing;
}
