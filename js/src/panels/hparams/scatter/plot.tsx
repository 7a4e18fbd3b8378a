// The canvas of a scatter plot or matrix, and its cells, which are pressed, brushed and pointed at.

import { batch } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { canvasSurface, fitCanvas, type Size, type Surface } from "../../../charts/geometry";
import { stillContent } from "../../../charts/layout";
import { useCanvasSize } from "../../../charts/pixelratio";
import { chartTheme, forcedTheme, type PageColors, pageColors } from "../../../charts/theme";
import { chartColors, RINGS, type Theme } from "../../../lib/tokens";
import { pictureColors, useSavable } from "../../../ui/save/cards";
import { useView, type View } from "../../../ui/view";
import { colorLegend, packedColors } from "../colorkey";
import { previewOf } from "../preview";
import { rankedRows } from "../ranking";
import { type Brush, type HParamsState, useHParams } from "../sessions";
import { SessionTooltip } from "../sessiontooltip";
import type { ScatterAxis } from "./axis";
import type { ScatterCell, ScatterDrawing } from "./paint";
import { scatterTexts } from "./texts";

/** CSS pixels that the pointer moves before a press becomes a brush, and within which it is on a point. */
const DRAG_PX = 4;
const NEAR_PX = 12;
const RING_PX = 5;

interface PlotProps {
  /** Title of a saved picture. */
  readonly title: string;
  readonly height: number;
  paint(surface: Surface, size: Size, drawing: ScatterDrawing, isPicture: boolean): void;
  /** Where rings mark a row. */
  marks(size: Size, row: number): readonly (readonly [number, number])[];
  children(size: Size): ComponentChildren;
}

/** A canvas for all cells, and one above it for the row below the pointer. */
export function Plot({ title, height, paint, marks, children }: PlotProps) {
  const view = useView();
  const state = useHParams();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, ratio } = useCanvasSize(host).value;
  const size: Size = { width, height };
  const theme = view.theme.value;
  const [shown, goal, best] = [state.shown.value, state.goal.value, state.goalBest.value];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the goal is what rows are ranked by
  const rows = useMemo(() => [...rankedRows(state, shown)].reverse(), [state, shown, goal, best]);
  const [brushed, brushes] = [state.brushed.value, state.brushes.value];
  const drawingIn = (theme: Theme, page: PageColors): ScatterDrawing => {
    const colorAt = state.colorsIn(theme);
    const colors = packedColors(state.sessions.value.rows.length, (row) => colorAt(goal?.values[row]));
    return { ...{ rows, colors, brushed, brushes, page }, theme: chartColors[theme] };
  };
  useEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0) {
      return;
    }
    view.frames.request(element, () => {
      fitCanvas(element, size, ratio);
      const context = element.getContext("2d");
      const page = pageColors(element, theme);
      context?.clearRect(0, 0, element.width, element.height);
      if (context) {
        const surface = canvasSurface(context, ratio, forcedTheme(element));
        paint(surface, size, { ...drawingIn(theme, page), theme: chartTheme(surface, theme) }, false);
      }
    });
  });
  useSavable({
    element: () => host.current,
    ...{ title, tags: [] },
    picture: (other) => {
      const drawing = drawingIn(other, pictureColors(host.current, other, view));
      return width === 0
        ? null
        : {
            ...{ title, size, camera: { x: null, y: null }, legend: colorLegend(state, other), release: () => {} },
            content: stillContent((surface) => paint(surface, size, drawing, true)),
          };
    },
  });
  useEffect(() => {
    const element = canvas.current;
    return () => {
      if (element !== null) {
        view.frames.cancel(element);
      }
      leave(state, view);
    };
  }, [view, state]);
  return (
    <div ref={host} class="tbwidget-scatter-plot" style={{ height: `${height}px` }}>
      <canvas ref={canvas} />
      {width > 0 && <Rings {...{ size, ratio, marks }} />}
      {width > 0 && children(size)}
    </div>
  );
}

interface RingsProps extends Pick<PlotProps, "marks"> {
  readonly size: Size;
  readonly ratio: number;
}

/** Rings around the row below the pointer, wherever that is. */
function Rings({ size, ratio, marks }: RingsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const hovered = useHParams().lit.value;
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) {
      return;
    }
    fitCanvas(element, size, ratio);
    context.clearRect(0, 0, element.width, element.height);
    for (const [left, top] of hovered === null ? [] : marks(size, hovered)) {
      for (const [color, line] of RINGS) {
        context.beginPath();
        context.arc(left * ratio, top * ratio, RING_PX * ratio, 0, 2 * Math.PI);
        context.strokeStyle = color;
        context.lineWidth = line * ratio;
        context.stroke();
      }
    }
  });
  return <canvas ref={canvas} />;
}

interface CellProps {
  readonly cell: ScatterCell;
  /** Something is drawn in it that can be brushed. */
  readonly isPlot: boolean;
  readonly hint?: string;
  press(): void;
  readonly children?: ComponentChildren;
}

/** A drag that may become a brush. */
interface Drag {
  readonly pointer: number;
  readonly from: readonly [number, number];
  readonly before: ReadonlyMap<string, readonly Brush[]>;
  isBrush: boolean;
}

/** A cell is pressed, brushed and pointed at. */
export function Cell({ cell, isPlot, hint, press, children }: CellProps) {
  const view = useView();
  const state = useHParams();
  const { isBrushing } = previewOf(view, state);
  const drag = useRef<Drag | null>(null);
  const wasBrush = useRef(false);
  const { rect, x, y } = cell;
  const label =
    hint ??
    (y === null ? scatterTexts().diagonal(x.column.title) : scatterTexts().cell(x.column.title, y.column.title));
  const placeAt = (event: PointerEvent, element: HTMLElement): [number, number] => {
    const { left, top } = element.getBoundingClientRect();
    const within = (at: number, length: number) => Math.max(0, Math.min(length, at));
    return [within(event.clientX - left, rect.width), within(event.clientY - top, rect.height)];
  };
  const brush = ({ from, before }: Drag, to: readonly [number, number]) => {
    const brushes = new Map(before);
    for (const [i, axis] of [x, y].entries()) {
      if (axis !== null) {
        brushes.set(axis.column.key, axis.brushesBetween(from[i] as number, to[i] as number));
      }
    }
    state.brushes.value = brushes;
  };
  const end = (isAborted: boolean) => {
    if (isAborted && drag.current?.isBrush) {
      state.brushes.value = drag.current.before;
    }
    drag.current = null;
    isBrushing.value = false;
  };
  useEffect(() => {
    return () => {
      // The cell goes away during a drag, which no event ends then.
      if (drag.current !== null) {
        isBrushing.value = false;
      }
    };
  }, [isBrushing]);
  return (
    <button
      type="button"
      tabIndex={-1}
      class="tbwidget-scatter-cell"
      aria-label={label}
      title={y === null ? x.column.hint : undefined}
      data-x={x.column.key}
      data-y={y?.column.key}
      data-plotted={isPlot ? "" : undefined}
      style={{ left: `${rect.left}px`, top: `${rect.top}px`, width: `${rect.width}px`, height: `${rect.height}px` }}
      onPointerDown={(event) => {
        wasBrush.current = false;
        if (isPlot && event.button === 0) {
          const from = placeAt(event, event.currentTarget);
          drag.current = { pointer: event.pointerId, from, before: state.brushes.peek(), isBrush: false };
        }
      }}
      onPointerMove={(event) => {
        const at = placeAt(event, event.currentTarget);
        if (event.buttons === 0 && drag.current !== null) {
          // The button was released elsewhere.
          end(false);
        }
        const begun = drag.current;
        if (begun === null || begun.pointer !== event.pointerId) {
          if (y !== null && isPlot && event.buttons === 0) {
            pointAt(event, x, y, at, state, view);
          }
          return;
        }
        const away = Math.hypot(at[0] - begun.from[0], at[1] - begun.from[1]);
        if (!begun.isBrush && away >= DRAG_PX) {
          begun.isBrush = true;
          isBrushing.value = true;
          wasBrush.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          leave(state, view);
        }
        if (begun.isBrush) {
          brush(begun, at);
        }
      }}
      onPointerUp={() => end(false)}
      onPointerCancel={() => end(true)}
      onLostPointerCapture={() => end(false)}
      onPointerLeave={() => leave(state, view)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && drag.current?.isBrush) {
          event.preventDefault();
          event.stopPropagation();
          end(true);
        }
      }}
      onClick={() => {
        if (!wasBrush.current) {
          press();
        }
        wasBrush.current = false;
      }}
    >
      {children}
    </button>
  );
}

function leave({ hovered }: HParamsState, { tooltip }: View): void {
  if (hovered.peek() !== null) {
    batch(() => {
      hovered.value = null;
      tooltip.value = null;
    });
  }
}

/** Points at the nearest row, if one is near. */
function pointAt(
  event: PointerEvent,
  x: ScatterAxis,
  y: ScatterAxis,
  [left, top]: readonly [number, number],
  state: HParamsState,
  view: View,
): void {
  const [lefts, tops] = [x.positions(), y.positions()];
  let [best, least] = [-1, NEAR_PX ** 2];
  for (const row of state.shown.peek()) {
    const square = ((lefts[row] as number) - left) ** 2 + ((tops[row] as number) - top) ** 2;
    if (square < least) {
      [best, least] = [row, square];
    }
  }
  if (best < 0) {
    leave(state, view);
    return;
  }
  const goal = state.goal.peek();
  const columns = [x.column, y.column, ...(goal === null ? [] : [goal])];
  const shown = columns.filter(({ key }, i) => columns.findIndex((other) => other.key === key) === i);
  batch(() => {
    state.hovered.value = best;
    view.tooltip.value = {
      left: event.clientX,
      top: event.clientY,
      spoken: "",
      content: <SessionTooltip row={best} columns={shown} state={state} />,
    };
  });
}
