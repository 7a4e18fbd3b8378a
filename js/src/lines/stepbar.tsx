// The line below the controls: the mode of drags, the table of values, the strip of steps, the linked step.

import { useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { type Range, union } from "../lib/search";
import { timeAxis } from "../lib/xaxis";
import { isSameRange, rangeNumbers, type StepRange, stepAt, timeAxisOptions, toExactStep } from "../options/shared";
import { shownUnderTags } from "../ui/runs";
import { StepEntry } from "../ui/stepentry";
import { uiTexts } from "../ui/texts";
import { useEverySecond, useOptions, useView, type View } from "../ui/view";
import { isRightToLeft } from "../ui/widths";
import { scalars as scalarsCodec } from "./codec";
import { compareState } from "./compare";
import { compareOptions } from "./options";
import { compareTexts } from "./texts";
import "./compare.css";

export function StepBar() {
  const view = useView();
  const { x_axis, linked_step } = useOptions(timeAxisOptions);
  const { step_overview } = useOptions(compareOptions);
  const { selecting, open } = compareState(view);
  const span = useSpan(view);
  if (!step_overview.value || span === null) {
    return null;
  }
  const linked = linked_step.value;
  return (
    <div class="tbwidget-step-bar">
      <button
        type="button"
        class="tbwidget-link"
        aria-pressed={selecting.value}
        title={compareTexts().selectHint}
        onClick={() => {
          selecting.value = !selecting.peek();
        }}
      >
        {compareTexts().select}
      </button>
      <button
        type="button"
        class="tbwidget-link"
        aria-pressed={open.value}
        title={compareTexts().valuesHint}
        onClick={() => {
          open.value = !open.peek();
        }}
      >
        {compareTexts().values}
      </button>
      {timeAxis(x_axis.value) === "step" && span[0] < span[1] ? <Overview span={span} /> : <span />}
      <span class="tbwidget-linked-entry">
        {linked !== null && (
          <button
            type="button"
            class="tbwidget-link"
            title={uiTexts().linkedStepHint}
            aria-label={uiTexts().linkedStepHint}
            onClick={() => linked_step.set(null)}
          >
            ×
          </button>
        )}
        <StepEntry
          shown={linked === null ? null : BigInt(linked)}
          label={compareTexts().stepEntry}
          placeholder={compareTexts().stepPlaceholder}
          choose={(step) => linked_step.set(step === null ? null : toExactStep(step))}
        />
      </span>
    </div>
  );
}

/** The first and the last step of the shown series. */
function useSpan(view: View): Range | null {
  // As text, equal ranges are equal values: nothing is rendered again.
  const span = useEverySecond(() => {
    const series = shownUnderTags(view.channel.store.series(scalarsCodec), view);
    const ranges = series.flatMap(({ stepExtent }): Range[] =>
      stepExtent === null ? [] : [[stepExtent.min, stepExtent.max]],
    );
    return JSON.stringify(union(ranges));
  });
  return JSON.parse(span) as Range | null;
}

/** The effect of a drag on the strip, and its start: shares of the strip, and the range then. */
interface Drag {
  readonly what: "first" | "last" | "move" | "draw";
  readonly from: number;
  readonly range: Range;
}

/** Share of the strip below which a drag on it is only a click. */
const MIN_DRAG_SHARE = 0.005;

const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

/** Keys that point to a side. */
const TURNED: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight"]);

function Overview({ span }: { readonly span: Range }) {
  const { step_range, linked_step } = useOptions(timeAxisOptions);
  const { selected_steps } = useOptions(compareOptions);
  const strip = useRef<HTMLFieldSetElement>(null);
  const drag = useRef<Drag | null>(null);
  const range = rangeNumbers(step_range.value) ?? span;
  const show = (wanted: Range) => {
    const next = between(wanted, span);
    if (!isSameRange(next, step_range.peek())) {
      step_range.set(next);
    }
  };
  const share = (event: PointerEvent) => {
    const { left = 0, right = 1, width = 1 } = strip.current?.getBoundingClientRect() ?? {};
    // The strip begins at the right where text does.
    return isRightToLeft(strip.current) ? (right - event.clientX) / width : (event.clientX - left) / width;
  };
  const begin = (event: PointerEvent, what: Drag["what"]) => {
    if (event.button === 0) {
      event.stopPropagation();
      strip.current?.setPointerCapture(event.pointerId);
      drag.current = { what, from: share(event), range };
    }
  };
  const move = (event: PointerEvent) => {
    const began = drag.current;
    if (began === null) {
      return;
    }
    const by = share(event) - began.from;
    if (began.what === "move") {
      show(moved(began.range, span, by));
    } else if (began.what === "draw") {
      if (Math.abs(by) < MIN_DRAG_SHARE) {
        return;
      }
      const ends = [began.from, share(event)].map((at) => span[0] + at * (span[1] - span[0])) as [number, number];
      show([Math.min(...ends), Math.max(...ends)]);
    } else {
      show(resized(began.range, span, began.what, by));
    }
  };
  const end = () => {
    drag.current = null;
  };
  const places = range.map((step) => shareIn(span, step)) as [number, number];
  const handle = (what: "first" | "last", i: 0 | 1) => (
    <span
      class="tbwidget-overview-handle"
      role="slider"
      tabIndex={0}
      data-lm-suppress-shortcuts="true"
      aria-label={what === "first" ? compareTexts().firstHandle : compareTexts().lastHandle}
      aria-valuemin={span[0]}
      aria-valuemax={span[1]}
      aria-valuenow={range[i]}
      aria-valuetext={formatCount(BigInt(Math.round(range[i])))}
      style={{ insetInlineStart: percent(places[i]) }}
      onPointerDown={(event) => begin(event, what)}
      onKeyDown={(event) => {
        const by = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
        if (by !== undefined) {
          event.preventDefault();
          const turned = TURNED.has(event.key) && isRightToLeft(strip.current);
          show(resized(range, span, what, turned ? -by : by));
        }
      }}
    />
  );
  const selected = rangeNumbers(selected_steps.value);
  const linked = linked_step.value === null ? null : shareIn(span, Number(linked_step.value));
  return (
    <fieldset
      ref={strip}
      aria-label={compareTexts().overviewName}
      class="tbwidget-overview"
      title={compareTexts().overviewDrag}
      onPointerDown={(event) => begin(event, "draw")}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDblClick={() => step_range.set(null)}
    >
      {selected !== null && <Part name="selected" from={shareIn(span, selected[0])} to={shareIn(span, selected[1])} />}
      <Part
        name="sight"
        from={places[0]}
        to={places[1]}
        {...(step_range.value === null ? {} : { begin: (event: PointerEvent) => begin(event, "move") })}
      />
      {linked !== null && linked >= 0 && linked <= 1 && (
        <i class="tbwidget-overview-linked" style={{ insetInlineStart: percent(linked) }} />
      )}
      {handle("first", 0)}
      {handle("last", 1)}
    </fieldset>
  );
}

interface PartProps {
  readonly name: "sight" | "selected";
  /** Shares of the strip. */
  readonly from: number;
  readonly to: number;
  begin?(event: PointerEvent): void;
}

function Part({ name, from, to, begin }: PartProps) {
  const [left, right] = [Math.max(0, from), Math.min(1, to)];
  return (
    <i
      class={`tbwidget-overview-${name}`}
      data-movable={begin === undefined ? undefined : ""}
      style={{ insetInlineStart: percent(left), width: percent(Math.max(0, right - left)) }}
      onPointerDown={begin}
    />
  );
}

function percent(share: number): string {
  return `${100 * Math.max(0, Math.min(1, share))}%`;
}

/** Where a step is, as a share of all. */
function shareIn([first, last]: Range, step: number): number {
  return (step - first) / (last - first);
}

/** A range moved by a share of all steps, as far as they go. */
export function moved(range: Range, [first, last]: Range, by: number): Range {
  const wanted = by * (last - first);
  const shift = Math.max(first - range[0], Math.min(last - range[1], wanted));
  return [range[0] + shift, range[1] + shift];
}

/** A range whose one end went by a share of all steps, at least by one step, as far as the other end. */
export function resized(range: Range, [first, last]: Range, which: "first" | "last", by: number): Range {
  const wanted = by * (last - first);
  const step = wanted === 0 ? 0 : Math.sign(wanted) * Math.max(1, Math.abs(wanted));
  return which === "first"
    ? [Math.max(first, Math.min(range[1] - 1, range[0] + step)), range[1]]
    : [range[0], Math.min(last, Math.max(range[0] + 1, range[1] + step))];
}

/** The steps of a range within all; null where it covers them all. */
export function between(range: Range, [first, last]: Range): StepRange | null {
  const within = (step: number) => Math.max(first, Math.min(last, Math.round(step)));
  const [from, to] = [within(range[0]), within(range[1])];
  return from <= first && to >= last ? null : [stepAt(Math.min(from, to)), stepAt(Math.max(from, to))];
}
