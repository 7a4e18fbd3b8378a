// The scatter matrix of the columns that vary: each pair as points, each column as a histogram, and one pair large.

import { type Signal, untracked, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Size, Surface } from "../../../charts/geometry";
import { formatCount } from "../../../lib/format";
import { isSameList } from "../../../lib/sortrows";
import { useRoving } from "../../../ui/roving";
import { useEverySecond, useView } from "../../../ui/view";
import { ColorKey } from "../colorkey";
import { AxisCache, type ParallelAxis } from "../parallel/axes";
import { type Column, type HParamsState, useHParams } from "../sessions";
import { ScatterAxis } from "./axis";
import { MIN_SESSIONS } from "./importance";
import { barsOf, choicesOf } from "./importances";
import {
  cellOf,
  columnsIn,
  firstColumns,
  leastWidth,
  leftOf,
  MAX_MATRIX_COLUMNS,
  matrixHeight,
  plotArea,
  type RelationOfColumns,
  relationOf,
  varyingColumns,
} from "./matrix";
import {
  PointPainter,
  paintFoot,
  paintHistogram,
  paintLines,
  paintSide,
  paintTitles,
  paintTrend,
  type ScatterCell,
  type ScatterDrawing,
  trendOf,
} from "./paint";
import { Cell, Plot } from "./plot";
import { scatterTexts } from "./texts";

/** Pixels of a picture's points to one pixel of the picture, which an SVG enlarges. */
const SHARPNESS = 2;

/** A pair of columns, by key. */
interface Pair {
  readonly x: string;
  readonly y: string;
}

export function Scatter() {
  const view = useView();
  const state = useHParams();
  const isWhole = useSignal(false);
  const pair = useSignal<Pair | null>(null);
  const goal = state.goal.value;
  const all = varyingColumns(state.columns.value, goal, state.shown.value);
  const most = isWhole.value ? MAX_MATRIX_COLUMNS : columnsIn(view.width.value);
  // Columns that the user brushes or sorts by come before those that matter for the goal.
  const brushed = [...state.brushes.value].flatMap(([key, { length }]) => (length > 0 ? [key] : []));
  const ranked = [...brushed, ...state.sorts.map(({ key }) => key), ...useRanking(state, all)];
  const columns = firstColumns(all, goal, ranked, most);
  const find = (key: string | undefined) => all.find((column) => column.key === key);
  const [x, y] = [find(pair.value?.x), find(pair.value?.y)];
  if (all.length < 2) {
    return <p class="tbwidget-hint">{scatterTexts().noColumns}</p>;
  }
  const height = matrixHeight(columns.length);
  return (
    <section
      class="tbwidget-scatter"
      aria-label={scatterTexts().matrix}
      data-plot="scatter"
      data-rows={state.shown.value.length}
      data-brushed={state.brushed.value?.size ?? 0}
    >
      {x !== undefined && y !== undefined ? (
        <Large {...{ x, y, all, pair, height }} />
      ) : (
        <>
          <header>
            <h4 title={scatterTexts().matrixHint}>{scatterTexts().matrix}</h4>
            {all.length > columnsIn(view.width.value) && (
              <>
                <span class="tbwidget-quiet">
                  {scatterTexts().columns(formatCount(columns.length), formatCount(all.length))}
                </span>
                <button
                  type="button"
                  class="tbwidget-link"
                  onClick={() => {
                    isWhole.value = !isWhole.peek();
                  }}
                >
                  {isWhole.value
                    ? scatterTexts().fewColumns
                    : scatterTexts().allColumns(formatCount(Math.min(all.length, MAX_MATRIX_COLUMNS)))}
                </button>
              </>
            )}
            <ColorKey />
          </header>
          <div class="tbwidget-scatter-scroll">
            <div style={{ minWidth: `${leastWidth(columns.length)}px` }}>
              <Matrix {...{ columns, pair, height }} />
            </div>
          </div>
        </>
      )}
    </section>
  );
}

/** Hyperparameters by importance; they keep their ranks while sessions come one by one, so that the matrix does not jump. */
function useRanking(state: HParamsState, columns: readonly Column[]): readonly string[] {
  const known = useRef<{ readonly by: string; readonly ranked: readonly string[] }>({ by: "", ranked: [] });
  const size = Math.floor(Math.log2(Math.max(MIN_SESSIONS, state.shown.value.length)));
  const by = JSON.stringify([state.goal.value?.key, size, ...columns.map(({ key }) => key)]);
  if (known.current.by !== by) {
    const { bars } = untracked(() => barsOf(state));
    known.current = { by: bars.length > 0 ? by : "", ranked: bars.map(({ column }) => column.key) };
  }
  return known.current.ranked;
}

interface MatrixProps {
  readonly columns: readonly Column[];
  readonly pair: Signal<Pair | null>;
  readonly height: number;
}

/** A painter that frees its pixels when the plot is gone. */
function usePainter(): PointPainter {
  const painter = useMemo(() => new PointPainter(), []);
  useEffect(() => () => painter.clear(), [painter]);
  return painter;
}

/** Cells of two columns: points left of the diagonal, a number right of it. */
function Matrix({ columns, pair, height }: MatrixProps) {
  const state = useHParams();
  const relationOf = useRelations(columns, state);
  const axes = useAxes(columns, state);
  const painter = usePainter();
  const count = columns.length;
  const cellAt = (size: Size, column: number, row: number): ScatterCell => {
    const rect = cellOf(size, count, column, row);
    const [x, y] = [axes[column] as ParallelAxis, axes[row] as ParallelAxis];
    return {
      rect,
      x: new ScatterAxis(x, "across", rect.width),
      y: column === row ? null : new ScatterAxis(y, "up", rect.height),
    };
  };
  const cells = (size: Size) =>
    axes.flatMap((_, row) =>
      axes.slice(0, row + 1).map((_, column) => ({ column, row, cell: cellAt(size, column, row) })),
    );
  const paint = (surface: Surface, size: Size, drawing: ScatterDrawing, isPicture: boolean) => {
    for (const { column, row, cell } of cells(size)) {
      if (column < row) {
        painter.paint(surface, cell, drawing, isPicture ? SHARPNESS : 1);
      } else {
        paintHistogram(surface, cell, drawing);
      }
      if (column === 0) {
        paintSide(surface, cell, leftOf(size.width) - 8, drawing);
      }
      if (row === count - 1) {
        paintFoot(surface, cell, drawing);
      }
      if (isPicture && column < row) {
        // On the page, these are elements.
        const lines = relationOf(columns[column] as Column, columns[row] as Column)?.lines ?? [];
        paintLines(surface, cellOf(size, count, row, column), lines, drawing);
      }
    }
  };
  const marks = (size: Size, row: number) => cells(size).flatMap(({ cell }) => placeIn(cell, row));
  return (
    <Plot title={scatterTexts().matrix} height={height} paint={paint} marks={marks}>
      {(size) => (
        <Grid>
          {columns.map((up, row) => (
            <div key={up.key}>
              {columns.map((across, column) => {
                const relation = column > row ? relationOf(up, across) : null;
                return (
                  <Cell
                    key={across.key}
                    cell={cellAt(size, column, row)}
                    isPlot={column <= row}
                    press={() => {
                      pair.value =
                        column === row ? pairWithGoal(across, columns, state) : pairOf(across, up, column < row);
                    }}
                  >
                    {relation !== null && <Relation {...relation} />}
                  </Cell>
                );
              })}
            </div>
          ))}
        </Grid>
      )}
    </Plot>
  );
}

/** Arrow keys go from cell to cell, and not from one cell of the notebook to the next. */
function Grid({ children }: { readonly children: ComponentChildren }) {
  const rows = useRef<HTMLDivElement>(null);
  useRoving(rows);
  return (
    <div ref={rows} data-lm-suppress-shortcuts="true">
      {children}
    </div>
  );
}

function pairOf(x: Column, y: Column, isBelow: boolean): Pair {
  return isBelow ? { x: x.key, y: y.key } : { x: y.key, y: x.key };
}

/** A column on its own is shown large beside the goal. */
function pairWithGoal(column: Column, columns: readonly Column[], { goal }: HParamsState): Pair | null {
  const other = [goal.peek(), ...columns].find((one) => one !== null && one.key !== column.key);
  return other === undefined || other === null ? null : { x: column.key, y: other.key };
}

interface LargeProps extends Pick<MatrixProps, "pair" | "height"> {
  readonly x: Column;
  readonly y: Column;
  /** Columns that the axes can have. */
  readonly all: readonly Column[];
}

function Large({ x: across, y: up, all, pair, height }: LargeProps) {
  const state = useHParams();
  const columns = useMemo(() => [across, up], [across, up]);
  const [x, y] = useAxes(columns, state);
  const painter = usePainter();
  const relation = useRelations(columns, state)(across, up);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = root.current;
    // Escape works wherever the focus is in it.
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) {
        event.preventDefault();
        event.stopPropagation();
        pair.value = null;
      }
    };
    element?.addEventListener("keydown", pressed);
    return () => element?.removeEventListener("keydown", pressed);
  }, [pair]);
  const cellAt = (size: Size): ScatterCell => {
    const rect = plotArea(size);
    return {
      rect,
      x: new ScatterAxis(x as ParallelAxis, "across", rect.width),
      y: new ScatterAxis(y as ParallelAxis, "up", rect.height),
    };
  };
  const paint = (surface: Surface, size: Size, drawing: ScatterDrawing, isPicture: boolean) => {
    const cell = cellAt(size);
    painter.paint(surface, cell, drawing, isPicture ? SHARPNESS : 1);
    const { brushed, rows } = drawing;
    const lit = brushed === null ? rows : rows.filter((row) => brushed.has(row));
    paintTrend(surface, cell, cell.y === null ? [] : trendOf(cell.x, cell.y, lit), drawing);
    paintSide(surface, cell, cell.rect.left - 8, drawing);
    paintFoot(surface, cell, drawing);
    paintTitles(surface, cell, drawing);
  };
  const back = () => {
    pair.value = null;
  };
  const clear = () => {
    const others = [...state.brushes.peek()].filter(([key]) => key !== across.key && key !== up.key);
    state.brushes.value = new Map(others);
  };
  const choose = (axis: keyof Pair) => (key: string) => {
    pair.value = { x: across.key, y: up.key, [axis]: key };
  };
  return (
    <div ref={root}>
      <header>
        <button
          type="button"
          class="tbwidget-link"
          title={scatterTexts().backHint}
          data-action="scatter.back"
          onClick={back}
        >
          ← {scatterTexts().back}
        </button>
        <Axis label={scatterTexts().y} action="scatter.y" column={up} all={all} choose={choose("y")} />
        <span class="tbwidget-quiet">{scatterTexts().over}</span>
        <Axis label={scatterTexts().x} action="scatter.x" column={across} all={all} choose={choose("x")} />
        {relation !== null && <Relation {...relation} />}
        {up.type === "number" && (
          <span class="tbwidget-quiet" title={scatterTexts().trendHint}>
            {scatterTexts().trend}
          </span>
        )}
        <ColorKey />
      </header>
      <Plot
        title={scatterTexts().overOf(up.title, across.title)}
        height={height}
        paint={paint}
        marks={(size, row) => placeIn(cellAt(size), row)}
      >
        {(size) => <Cell cell={cellAt(size)} isPlot press={clear} hint={scatterTexts().bigHint} />}
      </Plot>
    </div>
  );
}

interface AxisProps {
  readonly label: string;
  readonly action: string;
  readonly column: Column;
  readonly all: readonly Column[];
  choose(key: string): void;
}

function Axis({ label, action, column, all, choose }: AxisProps) {
  return (
    <select
      aria-label={label}
      data-action={action}
      title={`${label}: ${column.hint}`}
      value={column.key}
      data-lm-suppress-shortcuts="true"
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {all.map(({ key, title }) => (
        <option key={key} value={key}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** Whether rows average the trials of groups. */
function isGrouped({ members }: HParamsState): boolean {
  return members.value !== null;
}

function Relation({ lines, strength, hint }: RelationOfColumns) {
  return (
    <span class="tbwidget-scatter-relation" title={hint} style={{ opacity: 0.45 + 0.55 * strength }}>
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  );
}

type RelationOf = (a: Column, b: Column) => RelationOfColumns | null;

/** The relation of each two columns, computed again at most once a second when options, columns or rows change. */
function useRelations(columns: readonly Column[], state: HParamsState): RelationOf {
  const known = useRef<{ readonly by: readonly unknown[]; readonly of: RelationOf }>({ by: [], of: () => null });
  return useEverySecond(() => {
    const choices = choicesOf(state);
    return untracked(() => {
      const by = [...choices, state.shown.value, ...columns];
      if (!isSameList(by, known.current.by)) {
        const found = new Map<string, RelationOfColumns | null>();
        for (const [i, a] of columns.entries()) {
          for (const b of columns.slice(i + 1)) {
            found.set(JSON.stringify([a.key, b.key]), relationOf(a, b, state.shown.value, isGrouped(state)));
          }
        }
        known.current = { by, of: (a, b) => found.get(JSON.stringify([a.key, b.key])) ?? null };
      }
      return known.current.of;
    });
  });
}

function useAxes(columns: readonly Column[], state: HParamsState): readonly ParallelAxis[] {
  const cache = useMemo(() => new AxisCache(), []);
  const rows = state.shown.value;
  return columns.map((column) => cache.of(column, rows, state.scaleOf(column), false));
}

/** Where a row is, in CSS pixels of the plot; nowhere in a histogram. */
function placeIn({ rect, x, y }: ScatterCell, row: number): [number, number][] {
  const [left, top] = [x.positions()[row], y?.positions()[row]];
  return left === undefined || top === undefined ? [] : [[rect.left + left, rect.top + top]];
}
