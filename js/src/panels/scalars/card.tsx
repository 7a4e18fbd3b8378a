// The card of one tag's scalars.

import { lineChart } from "../../charts/linechart";
import { LINEAR } from "../../lib/scale";
import { strings } from "../../lib/strings";
import { logValueOptions, rangeNumbers, stepNumber, timeAxisOptions } from "../../options/shared";
import { ChartCard } from "../../ui/chartcard";
import type { CardProps } from "../../ui/groups";
import type { ChartSource } from "../../ui/mountchart";
import { shortName } from "../../ui/runname";
import { runsOf, watchRuns } from "../../ui/runs";
import { useOptions, useView, type View } from "../../ui/view";
import { CardAxes } from "./axes/cardaxes";
import { setLimits, setValueScale, valueScaleOf } from "./axes/chosen";
import { sharedValues, watchShared } from "./axes/shared";
import { linesOf, tagAlongX, watchComparison } from "./compare/lines";
import { isCompared, isDifference, optionsOf } from "./compare/options";
import { paintSelected, selectAlong, selectedAlong } from "./compare/selection";
import { compareState } from "./compare/state";
import { curveBytes } from "./curve";
import type { TagScalars } from "./kind/codec";
import { alongX, freeTag, tooltipOptions, watchLines } from "./kind/sourceparts";
import { scalarsTable } from "./kind/table";
import { ScalarMarks } from "./marks";
import { compareOptions, scalarsOptions } from "./options";
import { paintLines } from "./paint";
import { largestStep, pointsLinked, pointsNear, type ScalarPoint } from "./points";
import { olderLines, SupersededPoints, waitsForSuperseded } from "./superseded";
import { describe, ScalarsTooltip } from "./tooltip";

const TABLE = scalarsTable("scalars");

export function ScalarCard({ tag, label, data }: CardProps<TagScalars>) {
  const view = useView();
  const { log_y } = useOptions(logValueOptions);
  const { symlog_y, y_ranges } = useOptions(scalarsOptions);
  // Differences may be negative: what has no logarithm has a symlog.
  const signed = isDifference(data, view);
  const isSymlog = symlog_y.value.has(tag) || signed;
  const isScaled = symlog_y.value.has(tag) || (log_y.value.has(tag) && !signed);
  return (
    <ChartCard
      panel="scalars"
      tag={tag}
      label={label}
      data={data}
      waits={waitsForSuperseded(data).value}
      marks={<ScalarMarks tag={tag} data={data} />}
      log={{
        on: isScaled,
        hint: isSymlog ? strings.symlogHint : strings.logHint,
        name: isSymlog ? strings.scales.symlog.toLowerCase() : strings.log,
        toggle: () => setValueScale(view, tag, isScaled ? "linear" : signed ? "symlog" : "log"),
      }}
      tools={(fit) => (
        <CardAxes tags={[tag]} scale={valueScaleOf(view, tag)} fit={fit} active={y_ranges.value.has(tag)} />
      )}
      source={(_host, view) => sourceOf(tag, data, view)}
      table={TABLE}
    />
  );
}

function sourceOf(tag: string, data: TagScalars, view: View): ChartSource<readonly ScalarPoint[]> {
  const { y_ranges } = view.options.of(scalarsOptions);
  const { baseline, compare_as } = view.options.of(compareOptions);
  const superseded = new SupersededPoints("scalars", tag, data, view);
  return {
    panel: "scalars",
    tag,
    content: () => contentOf(tag, data, view, superseded),
    legend: () =>
      linesOf(data, view, optionsOf(tag, data, view)).map(({ run, colour, dash = [] }) => ({
        text: shortName(run, view),
        colour,
        dash,
      })),
    watch: () => {
      watchRuns(data, view);
      watchComparison(view);
      superseded.follow();
      watchShared(tag, view);
      watchLines(view);
    },
    ...alongX(view),
    // A zoom is dropped, too, when limits are chosen: these are to be seen.
    valueAxis: () => {
      const { key } = optionsOf(tag, data, view).yScale;
      return `${key} ${y_ranges.value.get(tag) ?? ""} ${baseline.value} ${compare_as.value}`;
    },
    fit: () => setLimits(view, tag, [null, null]),
    tooltip: (rows, now) => <ScalarsTooltip rows={rows} now={now} {...tooltipOptions(view)} />,
    describe,
    points: (rows) => rows,
    select: {
      always: compareState(view).selecting,
      chosen: (range) => selectAlong(range, linesOf(data, view, optionsOf(tag, data, view)), view),
    },
    release: () => {
      superseded.end();
      freeTag(data);
    },
  };
}

/** Lines of the runs shown, in natural order, or what is made of them. */
function contentOf(tag: string, data: TagScalars, view: View, superseded: SupersededPoints) {
  const { options, theme } = view;
  const { linked_step, ignore_outliers } = options.of(timeAxisOptions);
  const { selected_steps, line_labels, aggregate } = options.of(compareOptions);
  const { y_ranges } = options.of(scalarsOptions);
  const curveOptions = optionsOf(tag, data, view);
  const { behind } = curveOptions;
  const lines = linesOf(data, view, curveOptions);
  const front = lines.filter(({ faded }) => !faded);
  const along = tagAlongX(view);
  const compared = isCompared(data, view);
  const isPlain = along === null && !compared && aggregate.value === null;
  const older = isPlain ? olderLines(lines, superseded, curveOptions) : [];
  const xAxis = along === null ? curveOptions.xAxis : "tag";
  const selected = selectedAlong(rangeNumbers(selected_steps.value), lines, xAxis, curveOptions.xScale);
  return lineChart<ScalarPoint>({
    lines: [...lines, ...older].map(({ curve }) => curve),
    plots: [
      {
        run: "",
        colour: "",
        lines: front.map(({ curve }) => curve),
        linked: pointsLinked(lines, stepNumber(linked_step.value)),
        paint: (surface, area, x, y, zoomed, highlight) => {
          paintSelected(surface, area, selected, x, theme.peek());
          paintLines(surface, area, lines, x, y, { zoomed, behind, older, highlight });
        },
        near: (x, reach, _y, distance) => pointsNear(lines, x, reach, along === null ? null : (distance ?? null)),
      },
    ],
    lastStep: largestStep(runsOf(data, view).map(({ series }) => series)),
    xAxis,
    xScale: along === null ? curveOptions.xScale : LINEAR,
    yScale: curveOptions.yScale,
    // Limits are those of values, not of how they compare.
    limits: compared ? undefined : y_ranges.value.get(tag),
    shared: compared ? null : sharedValues(tag, view),
    ignoreOutliers: ignore_outliers.value,
    theme: theme.value,
    bytes: lines.reduce((sum, { curve }) => sum + curveBytes(curve.series), 0),
    ...(along === null ? {} : { xName: along }),
    ...(line_labels.value
      ? {
          labels: front.map(({ run, colour, curve }) => ({ line: curve, colour, text: shortName(run, view) })),
        }
      : {}),
  });
}
