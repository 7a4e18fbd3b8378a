// The strip of all steps: two handles and the part between them are the steps that charts show.

import { useRef } from "preact/hooks";
import { wordsOf } from "../charts/namedranges";
import { formatCount } from "../lib/format";
import type { Range } from "../lib/search";
import { namedRangeOptions } from "../options/namedranges";
import { isSameRange, rangeNumbers, type StepRange, stepAt, timeAxisOptions } from "../options/shared";
import type { StepSpan } from "./stepsource";
import { stepTexts } from "./texts";
import { useOptions } from "./view";
import { isRightToLeft } from "./widths";

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

interface Props {
  readonly span: StepSpan;
  /** Steps that are selected; null for none. */
  readonly selected: StepRange | null;
}

export function RangeStrip({ span: exact, selected }: Props) {
  const { step_range } = useOptions(timeAxisOptions);
  const span = rangeNumbers(exact) as Range;
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
  const handle = (what: "first" | "last", i: 0 | 1) => (
    <span
      class="tbwidget-overview-handle"
      role="slider"
      tabIndex={0}
      data-lm-suppress-shortcuts="true"
      aria-label={what === "first" ? stepTexts().firstVisible : stepTexts().lastVisible}
      aria-valuemin={span[0]}
      aria-valuemax={span[1]}
      aria-valuenow={range[i]}
      aria-valuetext={formatCount(BigInt(Math.round(range[i])))}
      style={{ insetInlineStart: percent(shareIn(span, range[i])) }}
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
  return (
    <fieldset
      ref={strip}
      aria-label={stepTexts().strip}
      class="tbwidget-overview"
      title={stepTexts().stripHint}
      onPointerDown={(event) => begin(event, "draw")}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDblClick={() => step_range.set(null)}
    >
      <NamedParts span={span} />
      {selected !== null && <Part name="selected" span={span} steps={selected} />}
      <Part
        name="sight"
        span={span}
        steps={range}
        {...(step_range.value === null ? {} : { begin: (event: PointerEvent) => begin(event, "move") })}
      />
      {handle("first", 0)}
      {handle("last", 1)}
    </fieldset>
  );
}

/** The named ranges below a slider of steps that has no strip. */
export function NamedStrip({ span }: { readonly span: StepSpan }) {
  const { named_ranges } = useOptions(namedRangeOptions);
  return named_ranges.value.length === 0 ? null : (
    <span class="tbwidget-overview" data-still="">
      <NamedParts span={rangeNumbers(span) as Range} />
    </span>
  );
}

function NamedParts({ span }: { readonly span: Range }) {
  const { named_ranges } = useOptions(namedRangeOptions);
  return (
    <>
      {named_ranges.value.map((range, i) => (
        <Part key={i} name="named" span={span} steps={range.steps} title={wordsOf(range).label} />
      ))}
    </>
  );
}

interface PartProps {
  readonly name: "sight" | "selected" | "named";
  readonly span: Range;
  readonly steps: StepRange;
  readonly title?: string;
  begin?(event: PointerEvent): void;
}

/** Nothing where none of the steps is in the span. */
function Part({ name, span, steps, title, begin }: PartProps) {
  const [from, to] = steps.map((step) => shareIn(span, Number(step))) as [number, number];
  const [left, right] = [Math.max(0, from), Math.min(1, to)];
  return left <= right ? (
    <i
      class={`tbwidget-overview-${name}`}
      title={title}
      data-movable={begin === undefined ? undefined : ""}
      style={{ insetInlineStart: percent(left), width: percent(right - left) }}
      onPointerDown={begin}
    />
  ) : null;
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
