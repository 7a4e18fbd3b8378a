// The pane of runs: the legend, which of them are shown, and a table of what they came to.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { scaleColor } from "../../lib/colors";
import { formatCount, formatValue } from "../../lib/format";
import { place } from "../../lib/place";
import { MAX_RUNS_WIDTH_PX, MIN_RUNS_WIDTH_PX } from "../../options/runtable";
import { ALL } from "../../options/selection";
import { FilterBox, WaitsFor } from "../../ui/filter";
import { runTableTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { isRightToLeft } from "../../ui/widths";
import { dashboardTexts } from "../texts";
import { GroupChip, GroupMenu } from "./grouping";
import { INDENTATION, RunList } from "./list";
import { TableMenu } from "./menu";
import { type RowActions, selectionAfter } from "./rows";
import { runTableOf } from "./table";
import "./runs.css";

/** Characters of a name for which the list is as wide as it needs, where there is room. */
const MAX_NAME_LENGTH = 32;

/** Up to this many runs need no filter. */
const FEW = 7;

/** `children` stand above the list. */
export function Runs({ children }: { readonly children?: ComponentChildren }) {
  const view = useView();
  const { options } = view;
  const { store } = view.channel;
  const { runTable, runFilter } = options;
  const pane = useRef<HTMLElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const picked = useSignal("");
  const table = runTableOf(view);
  const runs = store.runs.value;
  const matching = table.matching.value;
  const shown = matching.filter((run) => options.shows(run)).length;
  const actions = useMemo<RowActions>(
    () => ({
      show: (changed, show) => options.select(selectionAfter(view, changed, show)),
      only: (run) => options.select({ names: new Set([run]), only: true }),
      highlight: (run) => {
        view.highlightedRun.value = run;
      },
      pick: (run, color, at) => {
        const input = picker.current;
        if (input === null) {
          return;
        }
        picked.value = run;
        input.value = color;
        // Browsers open the color picker next to the input.
        const boundary = pane.current?.getBoundingClientRect();
        if (boundary !== undefined) {
          const { top } = place({
            anchor: at.getBoundingClientRect(),
            ...{ size: input.getBoundingClientRect(), boundary, side: "below", gap: 0, margin: 0 },
          });
          input.style.top = `${top - boundary.top}px`;
        }
        input.click();
      },
      rename: (run, name) => {
        const names = new Map(runTable.run_names.peek());
        if (name.trim() === "" || name === run) {
          names.delete(run);
        } else {
          names.set(run, name);
        }
        runTable.run_names.set(names);
      },
    }),
    [options, runTable, view, picked],
  );
  // A pane that is closed points at no run.
  useEffect(() => () => actions.highlight(null), [actions]);
  const longest = table.longest.value;
  const width = runTable.runs_width.value;

  return (
    <aside
      ref={pane}
      class="tbwidget-runs"
      data-headline={table.headline.value === null ? undefined : ""}
      data-medium={view.widthClass.value === "medium" && table.headline.value !== null ? "" : undefined}
      aria-label={dashboardTexts().runs}
      style={{
        "--tbwidget-columns": table.columns.value.length,
        "--tbwidget-longest": Math.min(longest, MAX_NAME_LENGTH) + (options.runGroups.grouped.value ? INDENTATION : 0),
        ...(width === null ? {} : { "--tbwidget-runs-width": `${width}px` }),
      }}
    >
      {children}
      <div class="tbwidget-runs-head">
        <AllBox
          total={matching.length}
          checked={shown}
          fixed={view.runChoice.value !== null}
          isNamed={children === undefined}
          onChange={() => options.select(selectionAfter(view, matching, shown < matching.length))}
        />
        <span class="tbwidget-runs-menus">
          {runs.length > 1 && <GroupMenu />}
          <TableMenu table={table} />
        </span>
        {(runs.length > FEW || runFilter.text.value !== "") && (
          <FilterBox label={dashboardTexts().filterRuns} filter={runFilter} />
        )}
      </div>
      {options.runs.onlyNewest.value && !options.runs.isPreviewing.value && (
        <p class="tbwidget-hint">
          {runTableTexts().newestShown(formatCount(options.runs.selection.value.names.size), formatCount(runs.length))}{" "}
          <span class="tbwidget-newest-others">
            <button type="button" class="tbwidget-link" onClick={() => options.select(ALL)}>
              {runTableTexts().all}
            </button>
            <button
              type="button"
              class="tbwidget-link"
              onClick={() => options.select({ names: new Set(), only: true })}
            >
              {runTableTexts().none}
            </button>
          </span>
        </p>
      )}
      <WaitsForRuns />
      <GroupChip />
      <ColorLegend />
      <RunList table={table} actions={actions} />
      {matching.length === 0 && !runFilter.waits.value && <p class="tbwidget-hint">{dashboardTexts().noRunMatches}</p>}
      <input
        ref={picker}
        class="tbwidget-picker"
        type="color"
        tabIndex={-1}
        aria-hidden="true"
        onInput={(event) => options.setColor(picked.value, event.currentTarget.value)}
      />
      <PaneResizer pane={pane} />
    </aside>
  );
}

/** Selected runs that are not there. */
export function WaitsForRuns() {
  return <WaitsFor names={useView().options.runs.waitedFor.value} text={dashboardTexts().waitsForRuns} />;
}

/** The scale that the colors of the runs lie on, if they lie on one. */
function ColorLegend() {
  const { options, theme } = useView();
  const scale = options.colors.scale.value;
  if (scale === null) {
    return null;
  }
  const stops = [0, 0.25, 0.5, 0.75, 1].map((place) => scaleColor(place, theme.value));
  const middle = scale.log ? Math.sqrt(scale.least) * Math.sqrt(scale.most) : scale.least / 2 + scale.most / 2;
  return (
    <p class="tbwidget-scale" title={runTableTexts().scaleHint(scale.name, formatValue(middle), scale.log)}>
      <b>{scale.name}</b>
      <span>{formatValue(scale.least)}</span>
      <i style={{ background: `linear-gradient(to right, ${stops.join(", ")})` }} />
      <span>{formatValue(scale.most)}</span>
    </p>
  );
}

/** Sets the width of a pane of the side bar. */
export function PaneResizer({ pane }: { readonly pane: RefObject<HTMLElement | null> }) {
  const { runs_width } = useView().options.runTable;
  return (
    <Resizer
      width={() => pane.current?.getBoundingClientRect().width ?? 0}
      drag={(to) => pane.current?.style.setProperty("--tbwidget-runs-width", `${to}px`)}
      set={(to) => {
        if (to === null) {
          pane.current?.style.removeProperty("--tbwidget-runs-width");
        }
        runs_width.set(to);
      }}
    />
  );
}

interface ResizerProps {
  width(): number;
  /** While it is dragged. */
  drag(width: number): void;
  /** Null: as wide as the columns are. */
  set(width: number | null): void;
}

/** Pixels that an arrow key moves by. */
const KEY_STEP = 16;

function Resizer({ width, drag, set }: ResizerProps) {
  const strip = useRef<HTMLDivElement>(null);
  const began = useRef<{ readonly x: number; readonly width: number } | null>(null);
  /** The strip lies at the end of the pane: on its left, where text runs from right to left. */
  const outwards = () => (isRightToLeft(strip.current) ? -1 : 1);
  const within = (to: number) => Math.round(Math.min(MAX_RUNS_WIDTH_PX, Math.max(MIN_RUNS_WIDTH_PX, to)));
  const at = (event: PointerEvent) =>
    began.current === null ? null : within(began.current.width + outwards() * (event.clientX - began.current.x));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that can be moved is no <hr>.
    <div
      ref={strip}
      class="tbwidget-resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={runTableTexts().resize}
      aria-valuemin={MIN_RUNS_WIDTH_PX}
      aria-valuemax={MAX_RUNS_WIDTH_PX}
      aria-valuenow={Math.round(width())}
      title={runTableTexts().resizeHint}
      tabIndex={0}
      data-lm-suppress-shortcuts="true"
      onPointerDown={(event) => {
        if (event.button === 0) {
          event.currentTarget.setPointerCapture(event.pointerId);
          began.current = { x: event.clientX, width: width() };
        }
      }}
      onPointerMove={(event) => {
        const to = at(event);
        if (to !== null) {
          drag(to);
        }
      }}
      onPointerUp={(event) => {
        const to = at(event);
        const moved = began.current !== null && Math.abs(event.clientX - began.current.x) > 1;
        began.current = null;
        if (to !== null && moved) {
          set(to);
        }
      }}
      onPointerCancel={() => {
        began.current = null;
      }}
      onDblClick={() => set(null)}
      onKeyDown={(event) => {
        const step = event.key === "ArrowRight" ? KEY_STEP : event.key === "ArrowLeft" ? -KEY_STEP : 0;
        if (step !== 0) {
          event.preventDefault();
          set(within(width() + outwards() * step));
        } else if (event.key === "Home" || event.key === "Delete") {
          event.preventDefault();
          set(null);
        }
      }}
    />
  );
}

interface AllBoxProps {
  readonly total: number;
  readonly checked: number;
  /** The panel shows one run, which the rows choose. */
  readonly fixed: boolean;
  /** Whether it has a title with the number of runs; otherwise a tab above the list has it. */
  readonly isNamed: boolean;
  onChange(): void;
}

function AllBox({ total, checked, fixed, isNamed, onChange }: AllBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) {
      box.current.indeterminate = checked > 0 && checked < total;
    }
  }, [checked, total]);
  if (fixed) {
    return isNamed ? (
      <span class="tbwidget-all">
        {dashboardTexts().runs} <span class="tbwidget-quiet">{formatCount(total)}</span>
      </span>
    ) : null;
  }
  return (
    <label class="tbwidget-all" title={dashboardTexts().allHint}>
      <input ref={box} type="checkbox" checked={total > 0 && checked === total} onChange={onChange} />
      <span>{isNamed ? dashboardTexts().runs : runTableTexts().allRuns}</span>
      {(isNamed || checked < total) && (
        <span class="tbwidget-quiet">
          {checked === total ? formatCount(total) : `${formatCount(checked)}/${formatCount(total)}`}
        </span>
      )}
    </label>
  );
}
