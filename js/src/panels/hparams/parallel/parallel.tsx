// Parallel coordinates: a line for each session across an axis for each column. Brushes on the axes select sessions.

import { useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { actionAmong } from "../../../charts/keyboard";
import { stillContent } from "../../../charts/layout";
import { measureLabel } from "../../../charts/text";
import { formatCount } from "../../../lib/format";
import { wantsNoMotion } from "../../../lib/motion";
import { listOf } from "../../../lib/texts";
import { Elided } from "../../../ui/elided";
import { pictureColors, useSavable } from "../../../ui/save/cards";
import { useOptions, useView } from "../../../ui/view";
import { ColorKey, colorLegend } from "../colorkey";
import { hparamsOptions, SCALES } from "../options";
import { previewOf, type SessionPreview } from "../preview";
import { type Brush, type HParamsState, useHParams } from "../sessions";
import { SessionTooltip } from "../sessiontooltip";
import type { ParallelAxis, Span } from "./axes";
import { AXIS_KEYS, type AxisAction } from "./keys";
import { type Places, paintPicture } from "./paint";
import { keysOf, ParallelPlot } from "./plot";
import { parallelTexts } from "./texts";
import "./parallel.css";

/** CSS pixels that the pointer moves before it drags, and from an end of a brush where it takes that end. */
const DRAG_PX = 4;
const END_PX = 6;

/** Width of a name in the font of labels, as a share of its width in the larger font of titles, which is bold for the goal. */
const TITLE_SHARE = 0.75;
/** Titles up to this many characters are cut at their end, if at all. */
const SHORT_TITLE = 8;
/** CSS pixels. */
const TITLE_PADDING_PX = 8;

/** CSS pixels between a title and half of the way to the next axis. */
const GAP_PX = 3;

/** CSS pixels beside an axis where brushes begin. */
const REACH_PX = 14;

export function Parallel() {
  const view = useView();
  const state = useHParams();
  const preview = previewOf(view, state);
  const plot = useMemo(() => new ParallelPlot(view, state, preview.isBrushing), [view, state, preview]);
  const root = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const brushed = useComputed(() => state.brushed.value?.size ?? 0);
  useSavable({
    element: () => root.current,
    title: parallelTexts().label,
    tags: [],
    picture: (theme) => {
      const { width, height } = plot.size.peek();
      if (width < 1 || height < 1) {
        return null;
      }
      const { places } = plot.arranged.peek();
      const page = pictureColors(root.current, theme, view);
      return {
        ...{ title: parallelTexts().label, legend: colorLegend(state, theme), camera: { x: null, y: null } },
        size: { width: Math.ceil(places.width), height: height + 24 },
        content: stillContent((surface, size) => paintPicture(surface, size, plot.drawn(theme), theme, page)),
        release: () => {},
      };
    },
  });
  return (
    <section
      ref={root}
      class="tbwidget-parallel"
      data-plot="parallel"
      aria-label={parallelTexts().label}
      data-lines={plot.axes.value.length > 0 ? plot.rows.value.length : 0}
      data-brushed={brushed}
    >
      <div class="tbwidget-parallel-status">
        <span class="tbwidget-quiet" title={parallelTexts().hintMore}>
          {parallelTexts().hint}
        </span>
        <Edge side="left" plot={plot} state={state} scroller={scroller} />
        <ColorKey />
        <Edge side="right" plot={plot} state={state} scroller={scroller} />
      </div>
      {plot.axes.value.length > 0 ? (
        <Stage plot={plot} state={state} preview={preview} root={root} scroller={scroller} />
      ) : (
        <p class="tbwidget-hint">{parallelTexts().none}</p>
      )}
    </section>
  );
}

interface StageProps {
  readonly plot: ParallelPlot;
  readonly state: HParamsState;
  readonly preview: SessionPreview;
  readonly root: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** The axes and their titles. Axes that do not fit scroll sideways. */
function Stage({ plot, state, preview, root, scroller }: StageProps) {
  const view = useView();
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const focused = useSignal<string | null>(null);
  useLayoutEffect(() => {
    const [element, own, on] = [scroller.current, root.current, canvas.current];
    if (element === null || own === null || on === null) {
      return;
    }
    const measure = () => {
      const [width, height] = [element.clientWidth, stage.current?.clientHeight ?? 0];
      const { width: before, height: former } = plot.size.peek();
      if (width !== before || height !== former) {
        plot.size.value = { width, height };
      }
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    const end = plot.mount(on, own);
    return () => {
      sizes.disconnect();
      end();
    };
  }, [plot, root, scroller]);
  const { axes, places } = plot.arranged.value;
  const first = keysOf(axes).includes(focused.value ?? "") ? focused.value : (axes[0]?.column.key ?? null);
  const leave = () => {
    state.hovered.value = null;
    view.tooltip.value = null;
    view.frames.release(plot);
  };
  return (
    <div
      ref={scroller}
      class="tbwidget-parallel-scroll"
      onScroll={({ currentTarget }) => {
        plot.scrolled.value = currentTarget.scrollLeft;
      }}
    >
      <div style={{ width: px(places.width) }}>
        <div class="tbwidget-parallel-titles">
          {axes.map((axis, i) => (
            <Title
              key={axis.column.key}
              axis={axis}
              plot={plot}
              state={state}
              x={places.xs[i] ?? 0}
              {...roomOf(axes, i, places)}
              isStop={axis.column.key === first}
              focus={(key) => {
                focused.value = key;
              }}
            />
          ))}
        </div>
        <div
          ref={stage}
          class="tbwidget-parallel-stage"
          onPointerMove={(event) => {
            if (event.buttons === 0 && event.pointerType !== "touch") {
              const { left, top } = event.currentTarget.getBoundingClientRect();
              const row = plot.rowAt(event.clientX - left, event.clientY - top);
              state.hovered.value = row;
              view.frames.prefer(plot);
              view.tooltip.value =
                row === null
                  ? null
                  : {
                      ...{ left: event.clientX, top: event.clientY, spoken: "" },
                      content: <SessionTooltip row={row} columns={axes.map(({ column }) => column)} state={state} />,
                    };
            }
          }}
          onPointerDown={leave}
          onPointerLeave={leave}
          onPointerCancel={leave}
        >
          <canvas ref={canvas} style={{ width: px(plot.size.value.width) }} />
          {axes.map((axis, i) => (
            <Brushes
              key={axis.column.key}
              axis={axis}
              plot={plot}
              state={state}
              preview={preview}
              x={places.xs[i] ?? 0}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** CSS pixels of a title: as many on both sides of its axis; the last may begin where the one before it ends. */
export function roomOf(axes: readonly ParallelAxis[], i: number, { xs, gap, width }: Places) {
  const [x, half] = [xs[i] ?? 0, gap / 2 - GAP_PX];
  const room = Math.min(half, x, width - x);
  const needed = (axis: ParallelAxis | undefined) =>
    (measureLabel(axis?.column.title ?? "") / TITLE_SHARE + TITLE_PADDING_PX) / 2;
  if (i === 0 || i < axes.length - 1 || needed(axes[i]) <= room) {
    return { before: room, after: room };
  }
  return { before: Math.max(room, gap - Math.min(half, needed(axes[i - 1])) - 2 * GAP_PX), after: room };
}

interface EdgeProps {
  readonly side: "left" | "right";
  readonly plot: ParallelPlot;
  readonly state: HParamsState;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** Says which axes are out of sight at an edge, the goal's by its name, and scrolls there. */
function Edge({ side, plot, state, scroller }: EdgeProps) {
  const { axes, places } = plot.arranged.value;
  const [from, { width }] = [plot.scrolled.value, plot.size.value];
  const isRight = side === "right";
  const hidden = axes.filter((_, i) => {
    const x = places.xs[i] ?? 0;
    return isRight ? x > from + width : x < from;
  });
  if (hidden.length === 0 || width === 0) {
    return null;
  }
  const goal = hidden.find(({ column }) => column.key === state.goal.value?.key);
  const name = goal?.column.title ?? parallelTexts().moreAxes(formatCount(hidden.length));
  return (
    <button
      type="button"
      class="tbwidget-link"
      data-edge={side}
      title={listOf(hidden.map(({ column }) => column.title))}
      onClick={() =>
        scroller.current?.scrollBy({
          left: (isRight ? 1 : -1) * (width - places.gap),
          behavior: wantsNoMotion() ? "instant" : "smooth",
        })
      }
    >
      {isRight ? `${name} →` : `← ${name}`}
    </button>
  );
}

interface TitleProps {
  readonly axis: ParallelAxis;
  readonly plot: ParallelPlot;
  readonly state: HParamsState;
  readonly x: number;
  /** CSS pixels on its left and on its right. */
  readonly before: number;
  readonly after: number;
  /** The Tab key stops at one of the titles. */
  readonly isStop: boolean;
  focus(key: string): void;
}

/** A click flips the axis, a drag moves it. */
function Title({ axis, plot, state, x, before, after, isStop, focus }: TitleProps) {
  const { hparams_columns, hparams_flipped, hparams_scales } = useOptions(hparamsOptions);
  const drag = useRef<{ readonly from: number; readonly x: number; moved: boolean } | null>(null);
  const { key, title, hint } = axis.column;
  const flip = () => {
    const flipped = hparams_flipped.peek();
    hparams_flipped.set(axis.isFlipped ? flipped.filter((one) => one !== key) : [...flipped, key]);
  };
  const rescale = () => {
    if (axis.scale !== null) {
      const next = SCALES[(SCALES.indexOf(axis.scale) + 1) % SCALES.length] ?? "linear";
      hparams_scales.set(new Map(hparams_scales.peek()).set(key, next));
    }
  };
  const reorder = (keys: readonly string[]) => {
    if (keys.join("\n") !== keysOf(plot.axes.peek()).join("\n")) {
      hparams_columns.set(keys);
    }
  };
  const act = (action: AxisAction, titles: Element | null) => {
    const keys = keysOf(plot.axes.peek());
    const at = keys.indexOf(key);
    switch (action.does) {
      case "go":
        [...(titles?.querySelectorAll<HTMLElement>("[data-axis]") ?? [])][at + action.by]?.focus();
        break;
      case "move": {
        const other = keys[at + action.by];
        if (other !== undefined) {
          [keys[at], keys[at + action.by]] = [other, key];
          reorder(keys);
        }
        break;
      }
      case "brush":
      case "resize": {
        const brushes = state.brushes.peek().get(key) ?? [];
        const isResized = action.does === "resize";
        const moved = axis.moved(brushes.at(-1) ?? null, action.by, isResized, plot.space.peek());
        state.setBrushes(key, [...brushes.slice(0, -1), ...(moved === null ? [] : [moved])]);
        break;
      }
      case "clear":
        state.setBrushes(key, []);
        break;
      case "scale":
        rescale();
    }
  };
  const pressed = (event: KeyboardEvent) => {
    const action = actionAmong<AxisAction>(event, AXIS_KEYS);
    if (action !== undefined) {
      act(action, (event.currentTarget as HTMLElement).closest(".tbwidget-parallel-titles"));
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const spoken = (state.brushes.value.get(key) ?? []).map((brush) => axis.describe(brush));
  const isDragged = plot.dragged.value?.key === key;
  return (
    <div
      class="tbwidget-parallel-title"
      data-dragged={isDragged ? "" : undefined}
      data-goal={state.goal.value?.key === key ? "" : undefined}
      data-end={before > after ? "" : undefined}
      style={{ left: px(x - before), width: px(before + after) }}
    >
      <button
        type="button"
        data-axis={key}
        tabIndex={isStop ? 0 : -1}
        title={parallelTexts().titleHint(hint)}
        aria-label={parallelTexts().axis(title, listOf(spoken))}
        aria-description={parallelTexts().axisKeys}
        aria-pressed={axis.isFlipped}
        data-lm-suppress-shortcuts="true"
        onFocus={() => focus(key)}
        onKeyDown={pressed}
        onClick={() => {
          const wasDragged = drag.current?.moved === true;
          drag.current = null;
          if (!wasDragged) {
            flip();
          }
        }}
        onPointerDown={(event) => {
          if (event.button === 0) {
            drag.current = { from: event.clientX, x, moved: false };
            event.currentTarget.setPointerCapture(event.pointerId);
          }
        }}
        onPointerMove={(event) => {
          const held = drag.current;
          if (held !== null && event.buttons !== 0 && (held.moved || Math.abs(event.clientX - held.from) >= DRAG_PX)) {
            held.moved = true;
            plot.dragged.value = { key, x: held.x + event.clientX - held.from };
          }
        }}
        onPointerUp={() => {
          if (drag.current?.moved === true) {
            const keys = keysOf(plot.arranged.peek().axes);
            plot.dragged.value = null;
            reorder(keys);
          }
        }}
        onPointerCancel={() => {
          drag.current = null;
          plot.dragged.value = null;
        }}
      >
        <Elided text={title} short={SHORT_TITLE} />
        <small aria-hidden="true">{axis.isFlipped ? parallelTexts().down : parallelTexts().up}</small>
      </button>
      {axis.scale !== null && (
        <button
          type="button"
          class="tbwidget-parallel-scale-button"
          style={before > after ? { minWidth: px(2 * after) } : {}}
          tabIndex={-1}
          title={parallelTexts().scaleHint}
          aria-label={parallelTexts().scaleOf(title, parallelTexts().scales[axis.scale])}
          onClick={rescale}
        >
          {parallelTexts().scales[axis.scale]}
        </button>
      )}
    </div>
  );
}

interface BrushesProps {
  readonly axis: ParallelAxis;
  readonly plot: ParallelPlot;
  readonly state: HParamsState;
  readonly preview: SessionPreview;
  readonly x: number;
}

/** A drag that began on an axis. */
interface BrushDrag {
  readonly kind: "new" | "move" | "top" | "bottom";
  readonly from: number;
  readonly span: Span;
  /** Brushes that stay. */
  readonly others: readonly Brush[];
  moved: boolean;
}

/** The area along an axis where brushes are made, moved and resized. A click removes one, or takes a category. */
function Brushes({ axis, plot, state, preview, x }: BrushesProps) {
  const { key } = axis.column;
  const drag = useRef<BrushDrag | null>(null);
  const space = plot.space.value;
  const brushes = state.brushes.value.get(key) ?? [];
  const spans = brushes.flatMap((brush) => axis.spansOf(brush, space).map((span) => ({ brush, span })));
  const heightAt = (event: PointerEvent) =>
    event.clientY - (event.currentTarget as HTMLElement).getBoundingClientRect().top;
  const grabbed = (y: number) => {
    const held = spans.find(({ span }) => y >= span.top - END_PX && y <= span.bottom + END_PX);
    if (held === undefined) {
      return null;
    }
    const { top, bottom } = held.span;
    const inset = Math.min(END_PX, (bottom - top) / 3);
    const kind = y < top + inset ? "top" : y > bottom - inset ? "bottom" : "move";
    return { ...held, kind: kind as BrushDrag["kind"] };
  };
  const end = () => {
    drag.current = null;
    preview.isBrushing.value = false;
  };
  const { isBrushing } = preview;
  useEffect(() => {
    return () => {
      // The axis goes away during a drag, which no event ends then.
      if (drag.current !== null) {
        isBrushing.value = false;
      }
    };
  }, [isBrushing]);
  return (
    <div
      class="tbwidget-parallel-axis"
      data-axis-brush={key}
      style={{ left: px(x - REACH_PX), width: px(2 * REACH_PX) }}
      onPointerDown={(event) => {
        if (event.button !== 0) {
          return;
        }
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const y = heightAt(event);
        const held = grabbed(y);
        drag.current = {
          kind: held?.kind ?? "new",
          from: y,
          span: held?.span ?? { top: y, bottom: y },
          others: brushes.filter((brush) => brush !== held?.brush),
          moved: false,
        };
      }}
      onPointerMove={(event) => {
        const y = heightAt(event);
        const held = drag.current;
        if (held === null) {
          const kind = grabbed(y)?.kind;
          event.currentTarget.style.cursor = kind === "move" ? "grab" : kind === undefined ? "" : "ns-resize";
          return;
        }
        if (!held.moved && Math.abs(y - held.from) < DRAG_PX) {
          return;
        }
        held.moved = true;
        preview.isBrushing.value = true;
        state.setBrushes(key, [...held.others, ...axis.brushesAt(dragged(held, y, space.height), space)]);
      }}
      onPointerUp={(event) => {
        const held = drag.current;
        if (held !== null && !held.moved) {
          clicked(held, heightAt(event));
        }
        end();
      }}
      onPointerCancel={end}
      onLostPointerCapture={end}
    />
  );

  function clicked({ kind, others }: BrushDrag, y: number): void {
    const item = axis.itemAt(y, space);
    if (kind !== "new") {
      state.setBrushes(key, others);
    } else if (item !== null) {
      state.setBrushes(key, [...others, { values: new Set([item.value]) }]);
    }
  }
}

/** The selection of a drag when the pointer is at a height. */
function dragged({ kind, from, span }: BrushDrag, y: number, height: number): Span {
  const within = Math.min(height, Math.max(0, y));
  switch (kind) {
    case "new":
      return { top: Math.min(from, within), bottom: Math.max(from, within) };
    case "top":
      return { top: Math.min(within, span.bottom), bottom: Math.max(within, span.bottom) };
    case "bottom":
      return { top: Math.min(within, span.top), bottom: Math.max(within, span.top) };
    case "move": {
      const by = Math.min(height - span.bottom, Math.max(-span.top, y - from));
      return { top: span.top + by, bottom: span.bottom + by };
    }
  }
}

function px(length: number): string {
  return `${length}px`;
}
