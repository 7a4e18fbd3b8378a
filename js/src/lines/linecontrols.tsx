// The controls of how lines are drawn and compared: in the toolbars of their panels, and above a chart over the whole window.

import type { ComponentChildren } from "preact";
import { formatCount } from "../lib/format";
import { isSmoothed, SMOOTHING_KINDS } from "../lib/smoothing";
import type { Option } from "../options/declare";
import { timeAxisOptions } from "../options/shared";
import { Check, Segments, XAxis } from "../ui/controls";
import { GroupBy } from "../ui/grouping";
import { Popover } from "../ui/popover";
import { shownSeries, unfollowed } from "../ui/runs";
import { Slider } from "../ui/slider";
import { useEverySecond, useOptions, useView } from "../ui/view";
import { AxesMenu, NumberBox, smoothingOf } from "./axes";
import { checkpointsOf } from "./checkpoints";
import { scalars as scalarsCodec } from "./codec";
import { compareState } from "./compare";
import {
  compareOptions,
  MAX_SMOOTHING,
  MAX_TOOLTIP_ROWS,
  MAX_WINDOW_POINTS,
  scalarsOptions,
  TOOLTIP_SORTS,
} from "./options";
import { isSmoothable } from "./series";
import { checkpointTexts, compareTexts, lineTexts } from "./texts";
import "./compare.css";

interface Props {
  /** The cards stand in layouts, which hide none of them. */
  readonly ofLayouts?: boolean;
}

export function LineControls({ ofLayouts = false }: Props) {
  return (
    <>
      <Smoothing />
      <XAxis hints={lineTexts().axisHints} />
      <AxesMenu />
      <LinesMenu ofLayouts={ofLayouts} />
    </>
  );
}

/** Names that a list offers. */
const MAX_NAMES = 1000;

interface MenuProps {
  /** The cards stand in layouts, which hide none of them. */
  readonly ofLayouts: boolean;
}

function LinesMenu({ ofLayouts }: MenuProps) {
  const { aggregate, baseline, empty_cards, x_tag } = useOptions(compareOptions);
  const { x_axis } = useOptions(timeAxisOptions);
  const along = x_axis.value === "tag" && x_tag.value !== null;
  const active = aggregate.value !== null || baseline.value !== null || (empty_cards.value && !ofLayouts) || along;
  return (
    <Popover
      label={
        <>
          {compareTexts().lines} <span aria-hidden="true">▾</span>
        </>
      }
      title={compareTexts().linesHint}
      active={active}
    >
      {() => <Menu ofLayouts={ofLayouts} />}
    </Popover>
  );
}

function Menu({ ofLayouts }: MenuProps) {
  const view = useView();
  const options = useOptions(compareOptions);
  const { aggregate, band, baseline, compare_as, tooltip_sort, tooltip_rows } = options;
  const { x_axis } = useOptions(timeAxisOptions);
  const { selecting, open } = compareState(view);
  const { store } = view.channel;
  const along = x_axis.value === "tag" ? options.x_tag.value : null;
  return (
    <div class="tbwidget-lines-menu">
      <Row name={compareTexts().aggregate} hint={along === null ? undefined : compareTexts().notAggregatedAlong}>
        <Segments
          title={compareTexts().aggregate}
          options={["none", "mean", "median"]}
          names={compareTexts().aggregates}
          hints={compareTexts().aggregateHints}
          chosen={along === null ? (aggregate.value ?? "none") : "none"}
          choose={(one) => aggregate.set(one === "none" ? null : one)}
          disabled={along !== null}
        />
      </Row>
      {aggregate.value !== null && along === null && (
        <>
          <Row name={compareTexts().band}>
            <Segments
              title={compareTexts().band}
              options={["none", "std", "minmax", "quantile"]}
              names={compareTexts().bands}
              hints={compareTexts().bandHints}
              chosen={band.value ?? "none"}
              choose={(one) => band.set(one === "none" ? null : one)}
            />
          </Row>
          <GroupBy />
          <Check option={options.aggregate_members} name={compareTexts().members} hint={compareTexts().membersHint} />
        </>
      )}
      <hr />
      <Row name={compareTexts().baseline}>
        <Names
          name={compareTexts().baseline}
          hint={compareTexts().baselineHint}
          none={compareTexts().noBaseline}
          names={store.runs.value}
          chosen={baseline.value}
          choose={(run) => baseline.set(run)}
        />
        {baseline.value !== null && (
          <Segments
            title={compareTexts().baseline}
            options={["difference", "ratio"]}
            names={compareTexts().compareAs}
            hints={compareTexts().compareAsHints}
            chosen={compare_as.value}
            choose={(how) => compare_as.set(how)}
          />
        )}
      </Row>
      <Row name={compareTexts().xTag}>
        <Names
          name={compareTexts().xTag}
          hint={compareTexts().xTagHint}
          none={compareTexts().noTag}
          names={store.series(scalarsCodec).tags.value}
          chosen={along}
          choose={(tag) => {
            options.x_tag.set(tag);
            if (tag !== null || x_axis.peek() === "tag") {
              x_axis.set(tag === null ? "step" : "tag");
            }
          }}
        />
      </Row>
      <hr />
      <Row name={compareTexts().tooltipSort}>
        <select
          class="tbwidget-select"
          aria-label={compareTexts().tooltipSortHint}
          title={compareTexts().tooltipSortHint}
          onChange={({ currentTarget }) => {
            const chosen = TOOLTIP_SORTS.find((sort) => sort === currentTarget.value);
            if (chosen !== undefined) {
              tooltip_sort.set(chosen);
            }
          }}
        >
          {TOOLTIP_SORTS.map((sort) => (
            <option key={sort} value={sort} selected={sort === tooltip_sort.value}>
              {compareTexts().tooltipSorts[sort]}
            </option>
          ))}
        </select>
        <span title={compareTexts().tooltipMost}>
          <NumberBox
            option={tooltip_rows}
            name={compareTexts().tooltipMost}
            least={1}
            most={MAX_TOOLTIP_ROWS}
            step={1}
          />
        </span>
      </Row>
      <Check option={options.line_labels} name={compareTexts().labels} hint={compareTexts().labelsHint} />
      {checkpointsOf(store).counts.size > 0 && (
        <Check option={options.checkpoints} name={checkpointTexts().marks} hint={checkpointTexts().marksHint} />
      )}
      <Check option={options.step_overview} name={compareTexts().overview} hint={compareTexts().overviewHint} />
      {!ofLayouts && (
        <>
          <Check option={options.empty_cards} name={compareTexts().emptyCards} hint={compareTexts().emptyCardsHint} />
          <Check option={options.join_splits} name={compareTexts().joinSplits} hint={compareTexts().joinSplitsHint} />
        </>
      )}
      <Check option={switchOf(selecting)} name={compareTexts().selectDrags} hint={compareTexts().selectHint} />
      <Check option={switchOf(open)} name={compareTexts().valuesTable} hint={compareTexts().valuesHint} />
    </div>
  );
}

/** An option of this view alone. */
function switchOf(held: { value: boolean; peek(): boolean }): Option<boolean> {
  return {
    get value() {
      return held.value;
    },
    peek: () => held.peek(),
    set: (on) => {
      held.value = on;
    },
  };
}

interface RowProps {
  readonly name: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}

function Row({ name, hint, children }: RowProps) {
  return (
    <div class="tbwidget-lines-row" title={hint}>
      <span>{name}</span>
      {children}
    </div>
  );
}

interface NamesProps {
  readonly name: string;
  readonly hint: string;
  readonly none: string;
  readonly names: readonly string[];
  readonly chosen: string | null;
  choose(name: string | null): void;
}

/** One of many names, or none. */
function Names({ name, hint, none, names, chosen, choose }: NamesProps) {
  const offered = names.slice(0, MAX_NAMES);
  const all = chosen === null || offered.includes(chosen) ? offered : [chosen, ...offered];
  return (
    <select
      class="tbwidget-select"
      aria-label={name}
      title={hint}
      onChange={({ currentTarget }) => choose(all[currentTarget.selectedIndex - 1] ?? null)}
    >
      <option selected={chosen === null}>{none}</option>
      {all.map((one) => (
        <option key={one} selected={one === chosen}>
          {one}
        </option>
      ))}
    </select>
  );
}

// The control of the smoothing: its kind, and how much of it.

/** The slider ends here, the box goes further. */
const SLIDER_END = 0.99;

/** Where a window is on its slider, as a share: by its logarithm. */
const shareOf = (window: number) => Math.log(window) / Math.log(MAX_WINDOW_POINTS);

function Smoothing() {
  const { smoothing, smoothing_kind, smoothing_window } = useOptions(scalarsOptions);
  const kind = smoothing_kind.value;
  const windowed = kind === "mean" || kind === "gaussian";
  const none = kind === "none";
  const share = none
    ? 0
    : windowed
      ? shareOf(smoothing_window.value)
      : Math.min(SLIDER_END, smoothing.value) / SLIDER_END;
  const set = (at: number) => {
    if (windowed) {
      smoothing_window.set(Math.round(MAX_WINDOW_POINTS ** at));
    } else if (Number.isFinite(at)) {
      smoothing.set(at);
    }
  };
  const asWritten = useDrawnAsWritten();
  const hint = [windowed ? lineTexts().smoothingWindowHint : lineTexts().smoothingHint, asWritten].join("\n").trim();
  return (
    <span class="tbwidget-smoothing" title={hint}>
      <span>{lineTexts().smoothing}</span>
      <select
        class="tbwidget-select"
        aria-label={lineTexts().smoothingKind}
        title={lineTexts().smoothingKindHint}
        value={kind}
        onChange={({ currentTarget: { value } }) => {
          const chosen = SMOOTHING_KINDS.find((one) => one === value);
          if (chosen !== undefined) {
            smoothing_kind.set(chosen);
          }
        }}
      >
        {SMOOTHING_KINDS.map((one) => (
          <option key={one} value={one}>
            {lineTexts().smoothingKinds[one]}
          </option>
        ))}
      </select>
      <Slider
        min={0}
        max={windowed ? 1 : SLIDER_END}
        step={0.01}
        value={windowed ? share : share * SLIDER_END}
        disabled={none}
        aria-label={lineTexts().smoothing}
        aria-description={asWritten || undefined}
        aria-valuetext={windowed ? lineTexts().windowOf(smoothing_window.value) : undefined}
        choose={set}
      />
      {windowed ? (
        <NumberBox
          key="window"
          option={smoothing_window}
          name={lineTexts().smoothingWindow}
          least={1}
          most={MAX_WINDOW_POINTS}
          step={1}
        />
      ) : (
        <NumberBox
          key="weight"
          option={smoothing}
          name={lineTexts().smoothing}
          least={0}
          most={MAX_SMOOTHING}
          step={0.001}
          disabled={none}
        />
      )}
    </span>
  );
}

/** How many of the series on the screen are drawn as they are, in words; empty for none. */
function useDrawnAsWritten(): string {
  const view = useView();
  return useEverySecond(() => {
    if (!isSmoothed(smoothingOf(view))) {
      return "";
    }
    const held = view.channel.store.series(scalarsCodec);
    const shown = view.inSight.value.flatMap((tag) => {
      const data = held.tag(tag);
      return data === undefined ? [] : shownSeries(unfollowed(data), view);
    });
    const plain = shown.filter((series) => !isSmoothable(series)).length;
    return plain === 0 ? "" : lineTexts().drawnAsWritten(plain, formatCount(plain), formatCount(shown.length));
  });
}
