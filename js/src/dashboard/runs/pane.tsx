// The pane of runs: the legend, which of them are shown, and a table of what they came to.

import { batch, useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { scaleColor } from "../../lib/colors";
import { formatCount, formatRange, formatValue } from "../../lib/format";
import { compareNatural } from "../../lib/natural";
import { place } from "../../lib/place";
import { HPARAM } from "../../lib/runcolumns";
import { listOf } from "../../lib/texts";
import { compareOptions } from "../../lines/options";
import { compareTexts } from "../../lines/texts";
import { toggle } from "../../options/declare";
import { AUTO } from "../../options/runcolors";
import { FOLDER, REGEX, runsByGroup } from "../../options/rungroups";
import { MAX_RUNS_WIDTH_PX, MIN_RUNS_WIDTH_PX } from "../../options/runtable";
import { ALL } from "../../options/selection";
import { Check } from "../../ui/controls";
import { Elided } from "../../ui/elided";
import { FilterBox, WaitsFor } from "../../ui/filter";
import { GroupingForm, group } from "../../ui/grouping";
import { MenuLabel, Popover } from "../../ui/popover";
import { runTableTexts, uiTexts } from "../../ui/texts";
import { useView, type View } from "../../ui/view";
import { isRightToLeft } from "../../ui/widths";
import { commandTexts } from "../commands/texts";
import { dashboardTexts } from "../texts";
import { focusBeside, focusRun } from "./focus";
import { INDENTATION, RunList } from "./list";
import { TableMenu } from "./menu";
import { NoteForm } from "./note";
import { type RowActions, selectionAfter } from "./rows";
import { runTableOf } from "./table";
import "./runs.css";

/** Characters of a name for which the list is as wide as it needs, where there is room. */
const MAX_NAME_LENGTH = 32;

/** Up to this many runs need no filter. */
const MAX_UNFILTERED_RUNS = 7;

/** `children` stand above the list. */
export function Runs({ children }: { readonly children?: ComponentChildren }) {
  const view = useView();
  const { options } = view;
  const { store } = view.channel;
  const { runTable, runFilter } = options;
  const pane = useRef<HTMLElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const picked = useSignal("");
  /** The run whose note is open. */
  const noted = useSignal<string | null>(null);
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
      note: (run) => {
        noted.value = run;
      },
      archive: (run, button) => {
        if (!runTable.show_archived.peek()) {
          focusBeside(button);
        }
        toggle(runTable.archived_runs, run);
      },
    }),
    [options, runTable, view, picked, noted],
  );
  // A pane that is closed points at no run.
  useEffect(() => () => actions.highlight(null), [actions]);
  const longest = table.longest.value;
  const width = runTable.runs_width.value;
  const all = formatCount(matching.length);

  return (
    <aside
      ref={pane}
      class="tbwidget-runs"
      data-headline={table.headline.value === null ? undefined : ""}
      data-medium={view.widthClass.value === "medium" && table.headline.value !== null ? "" : undefined}
      aria-label={dashboardTexts().runs}
      style={{
        "--tbwidget-columns": table.columns.value.length,
        // "All runs" is longer than "Runs".
        "--tbwidget-count": `${all}/${all}`.length + (children === undefined ? 0 : 3),
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
        {(runs.length > MAX_UNFILTERED_RUNS || runFilter.text.value !== "") && (
          <FilterBox label={dashboardTexts().filterRuns} filter={runFilter} />
        )}
      </div>
      {options.runs.onlyNewest.value && !options.runs.isPreviewing.value && (
        <p class="tbwidget-hint">
          {runTableTexts().newestShown(formatCount(options.runs.selection.value.names.size), formatCount(runs.length))}{" "}
          <span class="tbwidget-newest-others">
            <button type="button" class="tbwidget-link" onClick={() => options.select(ALL)}>
              {uiTexts().allRuns}
            </button>
            <button
              type="button"
              class="tbwidget-link"
              onClick={() => options.select({ names: new Set(), only: true })}
            >
              {commandTexts().actions.noRun}
            </button>
          </span>
        </p>
      )}
      {noted.value !== null && (
        <NoteForm
          key={noted.value}
          run={noted.value}
          close={() => {
            focusRun(noted.peek() ?? "", pane.current);
            noted.value = null;
          }}
        />
      )}
      <WaitsForRuns />
      <GroupChip />
      <ColorLegend />
      <RunList table={table} actions={actions} />
      <Archived />
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

/** How many of the runs that there are were archived, and the switch that shows them. */
function Archived() {
  const { channel, options } = useView();
  const { archived_runs, show_archived } = options.runTable;
  const count = channel.store.runs.value.filter((run) => archived_runs.value.has(run)).length;
  return (
    count > 0 && (
      <p class="tbwidget-hint tbwidget-archived">
        {runTableTexts().archived(formatCount(count))}{" "}
        <Check option={show_archived} name={commandTexts().actions.archived} />
      </p>
    )
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

export function AllBox({ total, checked, fixed, isNamed, onChange }: AllBoxProps) {
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
  const name = isNamed ? dashboardTexts().runs : runTableTexts().allRuns;
  const all = formatCount(total);
  const count =
    checked === total ? dashboardTexts().runCount(total, all) : compareTexts().someOf(formatCount(checked), all);
  return (
    <label class="tbwidget-all" title={dashboardTexts().allHint}>
      <input
        ref={box}
        type="checkbox"
        aria-label={listOf([name, count])}
        title={dashboardTexts().allHint}
        checked={total > 0 && checked === total}
        onChange={onChange}
      />
      <span>{name}</span>
      <span class="tbwidget-quiet" data-longest={`${all}/${all}`}>
        {checked < total ? `${formatCount(checked)}/${all}` : isNamed ? all : null}
      </span>
    </label>
  );
}

// How the runs are grouped and colored: a menu, and what says so above the list.

/** Whether runs can be grouped by this value of `run_color_by`. */
function isGrouping(by: string): boolean {
  return by === FOLDER || by.startsWith(REGEX) || by.startsWith(HPARAM);
}

/** As the menu calls it. */
function nameOf(by: string): string {
  const names: Readonly<Record<string, string>> = runTableTexts().grouping;
  if (by.startsWith(REGEX)) {
    return runTableTexts().byRegex(by.slice(REGEX.length));
  }
  return by.startsWith(HPARAM) ? by.slice(HPARAM.length) : (names[by] ?? by);
}

/** Gives each run a color of its own; ends the groups, too, where the colors are theirs. */
function ungroup(view: View): void {
  const { colors, board, runTable } = view.options;
  const by = colors.by.peek();
  batch(() => {
    runTable.run_color_by.set("run");
    if (by !== "group" && by !== board.group_by.peek()) {
      return;
    }
    board.group_by.set("");
    const means = meansOf(view);
    if (means?.peek()) {
      means.set(false);
    }
  });
}

/** Whether the lines are means of groups; null where no panel draws lines. Setting it groups the runs as they are colored. */
export function meansOf(view: View): { readonly value: boolean; set(on: boolean): void; peek(): boolean } | null {
  const { options } = view;
  if (!options.declares(compareOptions)) {
    return null;
  }
  const { aggregate, band } = options.of(compareOptions);
  return {
    get value() {
      return aggregate.value !== null;
    },
    peek: () => aggregate.peek() !== null,
    set: (on) =>
      batch(() => {
        const by = options.colors.by.peek();
        if (on && options.board.group_by.peek() === "" && isGrouping(by)) {
          group(view, by);
        }
        aggregate.set(on ? "mean" : null);
        if (on && band.peek() === null) {
          band.set("std");
        }
      }),
  };
}

function GroupMenu() {
  const view = useView();
  const { board, runTable, colors, runGroups } = view.options;
  return (
    <Popover
      label={<MenuLabel text={runTableTexts().groupMenu} />}
      title={runTableTexts().groupMenuHint}
      active={board.group_by.value !== "" || colors.by.value !== "run"}
    >
      {() => {
        const means = meansOf(view);
        const isAuto = runTable.run_color_by.value === AUTO;
        const own = runGroups.grouped.value ? [{ key: "group", name: runTableTexts().grouping.group }] : [];
        return (
          <div class="tbwidget-run-menu" data-lm-suppress-shortcuts="true">
            <GroupingForm
              label={runTableTexts().groupBy}
              value={board.group_by.value}
              options={[{ key: "", name: runTableTexts().grouping.none }]}
              problem={runGroups.problem.value}
              set={(by) => group(view, by)}
            />
            <GroupingForm
              label={runTableTexts().colorBy}
              value={runTable.run_color_by.value}
              options={[
                { key: AUTO, name: runTableTexts().automaticColors(isAuto ? nameOf(colors.by.value) : null) },
                { key: "run", name: runTableTexts().grouping.run },
                ...own,
              ]}
              problem={colors.problem.value}
              set={(by) => runTable.run_color_by.set(by)}
            />
            {means !== null && <Check option={means} name={runTableTexts().means} hint={runTableTexts().meansHint} />}
          </div>
        );
      }}
    </Popover>
  );
}

/** By what the runs are colored, unless each has its own color; a click undoes it. */
export function GroupChip() {
  const view = useView();
  const { options, theme } = view;
  const { colors, runGroups } = options;
  const by = colors.by.value;
  const groups = colors.groups.value;
  const colorOf = colors.colorOfGroup.value;
  const scale = colors.scale.value;
  if ((groups === null || groups.length === 0) && scale === null) {
    return null;
  }
  const means = meansOf(view);
  const isListed = runGroups.grouped.value && (by === "group" || by === runGroups.by.value);
  return (
    <div class="tbwidget-run-groups">
      <button
        type="button"
        class="tbwidget-chip"
        title={runTableTexts().ungroup(nameOf(by === "group" ? runGroups.by.value : by))}
        onClick={() => ungroup(view)}
      >
        {groups === null
          ? runTableTexts().coloredBy(scale?.name ?? "")
          : isListed
            ? runTableTexts().groupsShown(groups.length)
            : runTableTexts().colorsOfGroups(nameOf(by), groups.length)}{" "}
        <span aria-hidden="true">×</span>
      </button>
      {means?.value && <BandOfGroups />}
      {means !== null && <Check option={means} name={runTableTexts().means} hint={runTableTexts().meansHint} />}
      {groups !== null && colorOf !== null && !isListed && groups.length <= MAX_NAMED_GROUPS && (
        <p>
          {[...groups].sort(compareNatural).map((name) => (
            <span key={name} title={name}>
              <i style={{ background: colorOf(name, theme.value) }} />
              <Elided text={name} short={MAX_NAME_CHARACTERS} />
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** Menus for the line of a group and the band around it. */
function BandOfGroups() {
  const { options, channel } = useView();
  const { aggregate, band } = options.of(compareOptions);
  const { grouped, groupOf } = options.runGroups;
  if (!grouped.value || aggregate.value === null) {
    return null;
  }
  const shown = channel.store.runs.value.filter((run) => options.shows(run));
  const sizes = [...runsByGroup(shown, groupOf.value).values()].map((runs) => runs.length);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const around = band.value === null ? null : compareTexts().bands[band.value];
  const line = around === null ? aggregate.value : `${aggregate.value}${band.value === "std" ? "" : ","} ${around}`;
  return sizes.length === 0 ? null : (
    <span class="tbwidget-quiet">
      {runTableTexts().bandOf(line, formatRange(formatCount(least), formatCount(most)))}
    </span>
  );
}

/** Most groups that are named above the list, where it does not name them itself, and characters of their names. */
const MAX_NAMED_GROUPS = 8;
const MAX_NAME_CHARACTERS = 14;
