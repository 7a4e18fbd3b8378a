// The columns of the metadata as histograms that filter one another, and the legend of the colors.

import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { scaleColor } from "../../lib/colors";
import { commonTexts } from "../../lib/commontexts";
import { formatCount, formatRange, formatValue } from "../../lib/format";
import { useView } from "../../ui/view";
import type { Column } from "./codec";
import { categoryColor, type Groups } from "./coloring";
import {
  type Bars,
  BINS,
  barsOfSelection,
  crossFiltered,
  type Filter,
  type Filters,
  filterOf,
  rangeOfBars,
  shownCounts,
} from "./filters";
import { shortened } from "./pointcard";
import type { CardState } from "./state";
import { projectorTexts } from "./texts";

type Categories = Extract<Groups, { sort: "categories" }>;

/** Columns at first, and values of a column. */
const MAX_COLUMNS = 6;
const MAX_VALUES = 8;

/** Height of a histogram in CSS pixels. */
const HEIGHT_PX = 30;

/** Characters of the values in a legend, about two lines of a narrow card; further values are counted. */
const LEGEND_CHARACTERS = 160;

interface Props {
  readonly columns: readonly Column[];
  readonly count: number;
  readonly among: Uint8Array | null;
  readonly selected: readonly number[];
  readonly state: CardState;
}

export function Columns({ columns, count, among, selected, state }: Props) {
  const all = useSignal(false);
  const filters = state.filters.value;
  const shown = all.value ? columns : columns.slice(0, MAX_COLUMNS);
  const most = shown.length;
  const bars = useMemo(
    () => crossFiltered(columns, filters, count, among, columns.slice(0, most)),
    [columns, filters, count, among, most],
  );
  const isOfSelection = selected.length > 1;
  const barsAt = (i: number) => (isOfSelection ? barsOfSelection(bars[i] as Bars, selected) : (bars[i] as Bars));
  return (
    <section
      class="tbwidget-projector-columns"
      aria-label={projectorTexts().columns}
      title={projectorTexts().filterHint}
    >
      <h5>
        {projectorTexts().columns}
        {filters.size > 0 && (
          <button
            type="button"
            class="tbwidget-link"
            data-action="projector.reset_filters"
            onClick={() => {
              state.filters.value = new Map();
            }}
          >
            {projectorTexts().resetFilters}
          </button>
        )}
      </h5>
      {shown.map((column, i) => (
        <ColumnBars key={column.name} column={column} bars={barsAt(i)} isOfSelection={isOfSelection} state={state} />
      ))}
      {columns.length > shown.length && (
        <button
          type="button"
          class="tbwidget-link"
          onClick={() => {
            all.value = true;
          }}
        >
          {projectorTexts().moreColumns(columns.length - shown.length, formatCount(columns.length - shown.length))}
        </button>
      )}
    </section>
  );
}

interface BarsProps {
  readonly column: Column;
  readonly bars: Bars;
  /** Whether the bars count selected points among all shown ones. */
  readonly isOfSelection: boolean;
  readonly state: CardState;
}

function ColumnBars({ column, bars, isOfSelection, state }: BarsProps) {
  const filter = filterOf(state.filters.value, column);
  return (
    <div class="tbwidget-projector-column" data-column={column.name} data-filtered={filter && ""}>
      <h6 title={column.name}>
        <span>{column.name}</span>
        {filter !== undefined && "range" in filter && (
          <small>{formatRange(formatValue(filter.range[0]), formatValue(filter.range[1]))}</small>
        )}
        {filter !== undefined && (
          <button
            type="button"
            class="tbwidget-link"
            title={projectorTexts().resetFilter(column.name)}
            onClick={() => setFilter(state, column.name, null)}
          >
            ✕
          </button>
        )}
      </h6>
      {bars.groups.sort === "categories" ? (
        <Values groups={bars.groups} {...{ bars, isOfSelection, state }} />
      ) : (
        <Numbers column={column} bars={bars} groups={bars.groups} filter={filter} state={state} />
      )}
    </div>
  );
}

function setFilter(state: CardState, name: string, filter: Filter | null): void {
  const filters = new Map(state.filters.peek());
  if (filter === null) {
    filters.delete(name);
  } else {
    filters.set(name, filter);
  }
  state.filters.value = filters;
}

/** Shows or hides a value; `isOnly`: shows this one alone. All shown, or none, is no filter. */
function toggle(state: CardState, { column, categories }: Categories, text: string | null, isOnly: boolean): void {
  const filter = filterOf(state.filters.peek(), column);
  const all = categories.map((one) => one.text);
  const before = filter !== undefined && "texts" in filter ? filter.texts : new Set(all);
  const after = new Set(isOnly ? [text] : before);
  if (!isOnly && !after.delete(text)) {
    after.add(text);
  }
  const isFilter = after.size > 0 && all.some((one) => !after.has(one));
  setFilter(state, column.name, isFilter ? { texts: after } : null);
}

function isShown(filters: Filters, { column }: Categories, text: string | null): boolean {
  const filter = filterOf(filters, column);
  return filter === undefined || !("texts" in filter) || filter.texts.has(text);
}

type ValuesProps = Omit<BarsProps, "column"> & { readonly groups: Categories };

function Values({ groups, bars, isOfSelection, state }: ValuesProps) {
  const all = useSignal(false);
  const { counts, totals } = bars;
  const by = isOfSelection ? counts : totals;
  const order = [...groups.categories.keys()].sort(
    (a, b) => (by[b] as number) - (by[a] as number) || (totals[b] as number) - (totals[a] as number),
  );
  const most = Math.max(1, ...totals);
  const filters = state.filters.value;
  return (
    <ul data-selection={isOfSelection ? "" : undefined}>
      {order.slice(0, all.value ? order.length : MAX_VALUES).map((group) => {
        const { text } = groups.categories[group] as Categories["categories"][number];
        const [some, total] = [counts[group] as number, totals[group] as number];
        const name = text ?? projectorTexts().other(groups.others, formatCount(groups.others));
        const shares = projectorTexts().ofAll(formatCount(some), formatCount(total));
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={isShown(filters, groups, text)}
              title={commonTexts().labeled(name, isOfSelection ? projectorTexts().selectedOf(shares) : shares)}
              onClick={({ shiftKey }) => toggle(state, groups, text, shiftKey)}
            >
              <span>{shortened(name, 60)}</span>
              <i style={{ "--all": total / most, "--some": some / most }} />
              <b>{isOfSelection && some > 0 ? shares : formatCount(some)}</b>
            </button>
          </li>
        );
      })}
      {order.length > MAX_VALUES && !all.value && (
        <li>
          <button
            type="button"
            class="tbwidget-link"
            onClick={() => {
              all.value = true;
            }}
          >
            {projectorTexts().more(formatCount(order.length - MAX_VALUES))}
          </button>
        </li>
      )}
    </ul>
  );
}

interface NumbersProps {
  readonly column: Column;
  readonly bars: Bars;
  readonly groups: Extract<Groups, { sort: "numbers" }>;
  readonly filter: Filter | undefined;
  readonly state: CardState;
}

function Numbers({ column, bars, groups, filter, state }: NumbersProps) {
  const { frames } = useView();
  const from = useRef<number | null>(null);
  const most = Math.max(1, ...bars.totals);
  const barAt = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    return Math.max(0, Math.min(BINS - 1, Math.floor(((event.clientX - left) / width) * BINS)));
  };
  const [least, greatest] = filter !== undefined && "range" in filter ? filter.range : [groups.least, groups.most];
  const show = (first: number, last: number) =>
    setFilter(state, column.name, { range: rangeOfBars(groups, first, last) });
  const brush = (to: number) => {
    const begin = from.current ?? to;
    // A pointer moves several times a frame.
    frames.request(from, () => show(Math.min(begin, to), Math.max(begin, to)));
  };
  const share = (value: number) =>
    groups.most > groups.least ? (value - groups.least) / (groups.most - groups.least) : 0;
  // A bar is outside where its middle is.
  const isOutside = (bar: number) => {
    const at = groups.least + ((groups.most - groups.least) * (bar + 0.5)) / BINS;
    return filter !== undefined && (at < least || at > greatest);
  };
  const inside = bars.totals.flatMap((_, bar) => (isOutside(bar) ? [] : [bar]));
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const [first, last] = [inside[0] ?? 0, inside.at(-1) ?? BINS - 1];
    if (by !== undefined) {
      const [begin, end] = event.shiftKey ? [first, last + by] : [first + by, last];
      if (begin >= 0 && begin <= end && end < BINS) {
        show(begin, end);
      }
    } else if (event.key === "Escape" && filter !== undefined) {
      setFilter(state, column.name, null);
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label={column.name}
        aria-description={projectorTexts().brushHint}
        aria-valuemin={groups.least}
        aria-valuemax={groups.most}
        aria-valuenow={least}
        aria-valuetext={formatRange(formatValue(least), formatValue(greatest))}
        data-lm-suppress-shortcuts="true"
        onKeyDown={onKeyDown}
      >
        <svg
          viewBox={`0 0 ${BINS} ${HEIGHT_PX}`}
          preserveAspectRatio="none"
          height={HEIGHT_PX}
          aria-hidden="true"
          onPointerDown={(event) => {
            from.current = barAt(event);
            event.currentTarget.setPointerCapture(event.pointerId);
            brush(from.current);
          }}
          onPointerMove={(event) => from.current !== null && brush(barAt(event))}
          onPointerUp={() => {
            from.current = null;
          }}
          onPointerCancel={() => {
            from.current = null;
          }}
        >
          {filter !== undefined && (
            <rect
              class="tbwidget-projector-brush"
              x={share(least) * BINS}
              width={Math.max(0.2, (share(greatest) - share(least)) * BINS)}
              height={HEIGHT_PX}
            />
          )}
          {(["totals", "counts"] as const).flatMap((which) =>
            bars[which].map((count, i) => {
              const height = count === 0 ? 0 : Math.max(1, (count / most) * HEIGHT_PX);
              return (
                <rect
                  key={`${which}${i}`}
                  data-bars={isOutside(i) ? "totals" : which}
                  x={i + 0.06}
                  y={HEIGHT_PX - height}
                  width={0.88}
                  height={height}
                />
              );
            }),
          )}
        </svg>
      </div>
      <p>
        <span>{formatValue(groups.least)}</span>
        <span>{formatValue(groups.most)}</span>
      </p>
    </>
  );
}

interface LegendProps {
  readonly groups: Groups;
  /** 0 for points that are not drawn. */
  readonly layers: Uint8Array;
  readonly state: CardState;
}

/** The colors of the points: values that are shown or hidden, or a scale. */
export function Legend({ groups, layers, state }: LegendProps) {
  const counts = useMemo(() => shownCounts(groups, layers), [groups, layers]);
  const all = useSignal(false);
  const theme = useView().theme.value;
  const filters = state.filters.value;
  if (groups.sort === "numbers") {
    const stops = [0, 0.25, 0.5, 0.75, 1].map((at) => scaleColor(at, theme));
    return (
      <div class="tbwidget-projector-legend" data-legend="numbers">
        <b>{groups.column.name}</b>
        <span>{formatValue(groups.least)}</span>
        <i class="tbwidget-projector-scale" style={{ background: `linear-gradient(to right, ${stops.join(", ")})` }} />
        <span>{formatValue(groups.most)}</span>
      </div>
    );
  }
  const { categories } = groups;
  const most = all.value ? categories.length : legendLength(categories);
  return (
    <ul
      class="tbwidget-projector-legend"
      data-legend="categories"
      data-all={all.value ? "" : undefined}
      aria-label={groups.column.name}
      title={projectorTexts().legendHint}
    >
      <li>
        <b>{groups.column.name}</b>
      </li>
      {categories.slice(0, most).map(({ text, count }, group) => {
        const shown = counts[group] as number;
        const name = text ?? projectorTexts().other(groups.others, formatCount(groups.others));
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={isShown(filters, groups, text)}
              title={
                text === null
                  ? projectorTexts().otherHint
                  : commonTexts().labeled(name, projectorTexts().ofAll(formatCount(shown), formatCount(count)))
              }
              onClick={({ shiftKey }) => toggle(state, groups, text, shiftKey)}
              onDblClick={() => toggle(state, groups, text, true)}
            >
              <i style={{ background: categoryColor(groups, group, theme) }} />
              {shortened(name, 28)}
              <small>{formatCount(shown)}</small>
            </button>
          </li>
        );
      })}
      {most < categories.length && (
        <li>
          <button
            type="button"
            class="tbwidget-link"
            onClick={() => {
              all.value = true;
            }}
          >
            {projectorTexts().more(formatCount(categories.length - most))}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Values that a legend names at first. A single further one is named too: its note would take as much room. */
function legendLength(categories: Categories["categories"]): number {
  let room = LEGEND_CHARACTERS;
  const fitting = categories.findIndex(({ text, count }) => {
    room -= Math.min(28, text?.length ?? 20) + formatCount(count).length + 4;
    return room < 0;
  });
  return fitting < 0 || fitting >= categories.length - 1 ? categories.length : fitting;
}
