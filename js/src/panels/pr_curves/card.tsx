// The charts of a card: PR or ROC curves with their tooltip, or average precision over steps.

import { effect, untracked } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { timeXAxis, type XAxis } from "../../charts/axis";
import { allShown, beginWaiting, OwnStepButton, OwnStepSlider } from "../../items/playback";
import { itemSource } from "../../items/source";
import { stepsOfTag, unionOfSteps } from "../../items/steps";
import { formatCount, formatExact, formatRange, formatValue } from "../../lib/format";
import { LINEAR } from "../../lib/scale";
import { listOf } from "../../lib/texts";
import { timeAxis } from "../../lib/xaxis";
import { drawLines } from "../../lines/content";
import { AS_WRITTEN, curveOf } from "../../lines/curve";
import { seriesOf } from "../../lines/derived";
import { type LinePoint, largestStep } from "../../lines/points";
import type { Series } from "../../lines/series";
import { lineTexts } from "../../lines/texts";
import { describe, LinesTooltip, scalarColumns, type TooltipColumn } from "../../lines/tooltip";
import { namedRangeOptions } from "../../options/namedranges";
import { stepNumber, timeAxisOptions } from "../../options/shared";
import type { CardFrame } from "../../ui/card";
import { ChartCard } from "../../ui/chartcard";
import type { CardProps, SeveralProps } from "../../ui/groups";
import { Mark, Marks, Superseded } from "../../ui/marks";
import type { ChartSource } from "../../ui/mountchart";
import { SeveralTagsCard } from "../../ui/severalcard";
import { shownName } from "../../ui/tagtitle";
import { cardTexts } from "../../ui/texts";
import { useOptions, useView, type View } from "../../ui/view";
import type { HeldItems } from "../../wire/items";
import { compactSteps, integersOf, numbersOf } from "../../wire/steps";
import { type CurvePoint, type CurvesDrawing, curvesChart, type DrawnCurve } from "./chart";
import { type CurveRow, curveItems, type TagCurves } from "./codec";
import { CurvesLegend, formatArea } from "./legend";
import { f1At, thresholdOf } from "./measures";
import { prCurvesOptions } from "./options";
import { averagesOf, curvesOf, earlierOf, type ShownCurve, stepOf, type TagPart } from "./shown";
import { curvesTable } from "./table";
import { prCurveTexts } from "./texts";

/** Rows of the tooltip, and curves that are read out. */
const MAX_TOOLTIP_ROWS = 10;
const MAX_SPOKEN = 5;

/** `name` is the card's. */
export function curvesSource(
  name: string,
  parts: readonly TagPart[],
  draws: CurvesDrawing["draws"],
  view: View,
): ChartSource<readonly CurvePoint[]> {
  const { pr_threshold, pr_iso_f1 } = view.options.of(prCurvesOptions);
  const x: XAxis = {
    ...{ kind: "number", scale: LINEAR, linksSteps: false },
    name: draws === "pr" ? prCurveTexts().recall : prCurveTexts().falseRate,
  };
  const requests = new CurveRequests(parts, view);
  const tags = parts.map(({ tag }) => tag);
  /** The threshold that was marked before the last single click: the second click of a double click resets the zoom. */
  let before: number | null = null;
  return {
    panel: "pr_curves",
    tag: tags[0] ?? "",
    tags,
    name,
    keys: prCurveTexts().chartKeys,
    start: () => requests.start(),
    content: () => {
      const shown = curvesOf(parts, view);
      const curves = drawnOf(parts, view);
      const source = itemSource(view.channel, curveItems);
      const earlier = earlierOf(shown, view).flatMap(({ color, ...place }) => {
        const item = source.item(place);
        return item.state === "held" ? [{ color, curve: item.value }] : [];
      });
      return curvesChart({
        ...{ draws, curves, earlier },
        isoF1: pr_iso_f1.value,
        threshold: pr_threshold.value,
        theme: view.theme.value,
        lastStep: lastStepOf(shown),
      });
    },
    legend: () => drawnOf(parts, view).map(({ name: text, color, dash }) => ({ text, color, dash })),
    xAxis: () => x,
    valueAxis: () => draws,
    tooltip: (points) => (
      <>
        <p class="tbwidget-quiet">{sharedThreshold(points)}</p>
        <LinesTooltip points={points} columns={columnsOf(points, draws)} sort="nearest" most={MAX_TOOLTIP_ROWS} />
      </>
    ),
    describe: (points) => describeCurves(points, draws),
    points: (points) => points,
    clicked: ([point], times) => {
      if (times === 2) {
        pr_threshold.set(before);
      } else if (times < 2 && point !== undefined) {
        before = pr_threshold.peek();
        const threshold = thresholdOf(point.curve, point.place);
        pr_threshold.set(threshold === before ? null : threshold);
      }
    },
    release: () => requests.end(),
  };
}

/** The largest step that is shown, as a curve or as the reason why it cannot be drawn. */
function lastStepOf(shown: readonly ShownCurve[]): bigint | null {
  return shown.reduce<bigint | null>((last, { state, row: { step } }) => {
    return state.state !== "waits" && (last === null || step > last) ? step : last;
  }, null);
}

/** The curves that have come, and the averages of each run. */
function drawnOf(parts: readonly TagPart[], view: View): DrawnCurve[] {
  const shown = curvesOf(parts, view);
  const drawn = shown.flatMap(({ state, row: { step, wall }, ...one }): DrawnCurve[] =>
    state.state === "held" ? [{ ...one, step, wall, curve: state.value }] : [],
  );
  const averages = averagesOf(parts, shown, view).map(({ run, color, faded, step, wall, micro }): DrawnCurve => {
    return {
      run,
      tag: prCurveTexts().micro,
      name: prCurveTexts().micro,
      color,
      dash: [],
      faded,
      bold: true,
      step,
      wall,
      curve: micro,
    };
  });
  return [...drawn, ...averages];
}

/** Requests what a card draws, from `start` to `end`. */
class CurveRequests {
  readonly #parts: readonly TagPart[];
  readonly #view: View;
  readonly #wanted = new Map<string, () => void>();
  readonly #ends: (() => void)[] = [];
  #stopWaiting: (() => void) | null = null;

  constructor(parts: readonly TagPart[], view: View) {
    this.#parts = parts;
    this.#view = view;
  }

  start(): void {
    this.#ends.push(
      effect(() => {
        const shown = curvesOf(this.#parts, this.#view);
        const places = [...shown, ...earlierOf(shown, this.#view)];
        const isWaiting = shown.some(({ state }) => state.state === "waits");
        untracked(() => {
          this.#want(places);
          this.#wait(isWaiting);
        });
      }),
    );
  }

  end(): void {
    for (const end of this.#ends.splice(0)) {
      end();
    }
    this.#want([]);
    this.#wait(false);
  }

  #want(places: readonly { readonly run: string; readonly tag: string; readonly row: CurveRow }[]): void {
    const source = itemSource(this.#view.channel, curveItems);
    const keyed = new Map(
      places.map((place) => [JSON.stringify([place.tag, place.run, place.row.id, source.revisionOf(place)]), place]),
    );
    for (const [key, { run, tag, row }] of keyed) {
      if (!this.#wanted.has(key)) {
        this.#wanted.set(key, source.want({ run, tag, row }, curveItems.baseSize, true));
      }
    }
    for (const [key, end] of [...this.#wanted]) {
      if (!keyed.has(key)) {
        end();
        this.#wanted.delete(key);
      }
    }
  }

  /** Playback waits for the curves of its step, not for earlier steps. */
  #wait(isWaiting: boolean): void {
    if (isWaiting && this.#stopWaiting === null) {
      this.#stopWaiting = beginWaiting(this.#view, "pr_curves", this.#parts[0]?.tag ?? "");
    } else if (!isWaiting) {
      this.#stopWaiting?.();
      this.#stopWaiting = null;
    }
  }
}

/** The threshold of all points, in words; null where they differ. */
function sharedThreshold(points: readonly CurvePoint[]): string | null {
  const [threshold, ...others] = new Set(points.map(({ curve, place }) => thresholdOf(curve, place)));
  return threshold === undefined || others.length > 0 ? null : prCurveTexts().atThreshold(formatValue(threshold));
}

function columnsOf(points: readonly CurvePoint[], draws: CurvesDrawing["draws"]): TooltipColumn<CurvePoint>[] {
  const count = (of: "tp" | "fp" | "tn" | "fn"): TooltipColumn<CurvePoint> => ({
    name: prCurveTexts().counts[of],
    cell: ({ curve, place }) => formatExact(curve[of][place] as number),
  });
  const sameStep = new Set(points.map(({ step }) => step)).size === 1;
  const severalTags = new Set(points.map(({ tag }) => tag)).size > 1;
  const columns: (TooltipColumn<CurvePoint> | false)[] = [
    severalTags && { name: cardTexts().tag, isText: true, cell: ({ tag }) => tag },
    sharedThreshold(points) === null && {
      name: prCurveTexts().threshold,
      cell: ({ curve, place }) => formatValue(thresholdOf(curve, place)),
    },
    { name: prCurveTexts().precision, cell: ({ curve, place }) => formatValue(curve.precision[place] as number) },
    { name: prCurveTexts().recall, cell: ({ curve, place }) => formatValue(curve.recall[place] as number) },
    draws === "roc" && { name: prCurveTexts().falseRate, cell: ({ x }) => formatValue(x) },
    { name: prCurveTexts().f1, cell: ({ curve, place }) => formatValue(f1At(curve, place)) },
    ...(["tp", "fp", "tn", "fn"] as const).map(count),
    !sameStep && { name: lineTexts().stepColumn, cell: ({ step }) => formatCount(step) },
  ];
  return columns.filter((column) => column !== false);
}

/** The tooltip in words. */
function describeCurves(points: readonly CurvePoint[], draws: CurvesDrawing["draws"]): string {
  const [first] = points;
  const values = points.slice(0, MAX_SPOKEN).map(({ name, x, y }) => {
    const [across, up] = [formatValue(x), formatValue(y)];
    return lineTexts().valueOfRun(
      name,
      draws === "pr" ? prCurveTexts().precisionAndRecall(up, across) : prCurveTexts().rates(up, across),
    );
  });
  const threshold = first === undefined ? "" : formatValue(thresholdOf(first.curve, first.place));
  return prCurveTexts().describe(threshold, listOf(values));
}

const series = new WeakMap<readonly CurveRow[], Series>();

/** Average precision by step. */
export function averagePrecisions({ rows }: Pick<HeldItems<CurveRow>, "rows">): Series {
  let found = series.get(rows);
  if (found === undefined) {
    const steps = compactSteps(integersOf(rows, ({ step }) => step));
    const wall = numbersOf(rows, ({ wall }) => wall);
    const value = numbersOf(rows, ({ averagePrecision }) => averagePrecision);
    found = seriesOf(steps, wall, value, wall[0] ?? 0);
    series.set(rows, found);
  }
  return found;
}

/** Average precision over steps; `name` is the card's. */
export function averagePrecisionSource(
  name: string,
  parts: readonly TagPart[],
  view: View,
): ChartSource<readonly LinePoint[]> {
  const { x_axis, linked_step, ignore_outliers } = view.options.of(timeAxisOptions);
  const tags = parts.map(({ tag }) => tag);
  const xAxis = () => timeXAxis(timeAxis(x_axis.value));
  return {
    panel: "pr_curves",
    tag: tags[0] ?? "",
    tags,
    name,
    content: () => {
      const curveOptions = { ...AS_WRITTEN, xAxis: timeAxis(x_axis.value) };
      const shown = curvesOf(parts, view).map(({ held, ...one }) => ({ ...one, series: averagePrecisions(held) }));
      const drawn = shown.map(({ series, ...line }) => ({ ...line, curve: curveOf(series, curveOptions) }));
      return drawLines({
        parts: tags.map((tag) => ({ tag, lines: drawn.filter((line) => line.tag === tag), older: [], margins: [] })),
        x: xAxis(),
        yScale: LINEAR,
        // Without a value the chart has no axis, and says why.
        shared: drawn.some(({ curve }) => curve.series.value.some(Number.isFinite)) ? [0, 1] : null,
        ignoreOutliers: ignore_outliers.value,
        theme: view.theme.value,
        behind: "hidden",
        linked: stepNumber(linked_step.value),
        selected: null,
        ranges: view.options.of(namedRangeOptions).named_ranges.value,
        lastStep: largestStep(shown.map(({ series }) => series)),
      });
    },
    legend: () => curvesOf(parts, view).map(({ name: text, color, dash }) => ({ text, color, dash })),
    xAxis,
    valueAxis: () => "average_precision",
    tooltip: (points, now) => (
      <LinesTooltip
        points={points}
        columns={scalarColumns(points, x_axis.peek(), now, (tag) => shownName(view, tag))}
        sort="nearest"
        most={MAX_TOOLTIP_ROWS}
      />
    ),
    describe,
    points: (points) => points,
    release: () => {},
  };
}

// The cards of PR curves: of one tag, and of several that the user has put together or that match a regular expression.

export function CurveCard({ tag, label, data }: CardProps<TagCurves>) {
  return <Card label={label} parts={[{ tag, data }]} />;
}

/** Tags that a card draws. */
const MAX_TAGS = 24;

export function SeveralCurves({ id: _id, takeOut: _takeOut, ...several }: SeveralProps<TagCurves>) {
  return (
    <SeveralTagsCard panel="pr_curves" {...several}>
      {({ shown, label, title, buttons }) => <Card label={label} parts={shown} composed={{ title, buttons }} />}
    </SeveralTagsCard>
  );
}

interface Props {
  readonly label: string;
  readonly parts: readonly TagPart[];
  /** Title and buttons of a card that shows several tags. */
  readonly composed?: Pick<Parameters<typeof CardFrame>[0], "title" | "buttons">;
}

function Card({ label, parts: all, composed }: Props) {
  const draws = useOptions(prCurvesOptions).pr_curve.value;
  // The same objects as long as the card shows the same.
  const last = useRef<{ readonly parts: readonly TagPart[]; readonly data: ReturnType<typeof joined> } | null>(null);
  const some = all.slice(0, MAX_TAGS);
  const known = last.current?.parts;
  if (
    known?.length !== some.length ||
    some.some(({ tag, data }, i) => known[i]?.tag !== tag || known[i].data !== data)
  ) {
    last.current = { parts: some, data: joined(some) };
  }
  const { parts, data } = last.current as NonNullable<typeof last.current>;
  const tags = parts.map(({ tag }) => tag);
  const [tag = ""] = tags;
  const name = composed?.title ?? tag;
  const more = all.length - parts.length;
  return (
    <ChartCard
      key={draws}
      panel="pr_curves"
      tag={tag}
      label={label}
      data={data}
      marks={<CurveMarks parts={parts} more={more} />}
      legend={() => (
        <>
          <Steps parts={parts} />
          <CurvesLegend parts={parts} />
        </>
      )}
      table={curvesTable}
      source={(_host, view) =>
        draws === "average_precision"
          ? (averagePrecisionSource(name, parts, view) as ReturnType<typeof curvesSource>)
          : curvesSource(name, parts, draws, view)
      }
      tools={() => <StepButton parts={parts} />}
      {...(composed === undefined ? {} : { tags, only: true, ...composed })}
    />
  );
}

/** The data of several tags as one. */
function joined(parts: readonly TagPart[]) {
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0
    ? only.data
    : {
        get failures() {
          return new Map(parts.flatMap(({ data }) => [...data.failures]));
        },
        get byRun() {
          return new Map<string, unknown>(parts.flatMap(({ data }) => [...data.byRun]));
        },
      };
}

interface StepsProps {
  readonly parts: readonly TagPart[];
}

function Steps({ parts }: StepsProps) {
  const view = useView();
  const [tag = ""] = parts.map((part) => part.tag);
  const ready = useMemo(() => allShown(view, "pr_curves", tag), [view, tag]);
  return <OwnStepSlider tag={tag} steps={stepsOf(parts, view)} option={stepOf(parts, view)} ready={ready} />;
}

function StepButton({ parts }: StepsProps) {
  const view = useView();
  return <OwnStepButton steps={stepsOf(parts, view)} option={stepOf(parts, view)} />;
}

function stepsOf(parts: readonly TagPart[], view: View): readonly bigint[] {
  return unionOfSteps(parts.map(({ data }) => stepsOfTag(data, view)));
}

/** The smallest and the largest area under the drawn curves. */
function CurveMarks({ parts, more }: { readonly parts: readonly TagPart[]; readonly more: number }) {
  const view = useView();
  const draws = useOptions(prCurvesOptions).pr_curve.value;
  const shown = curvesOf(parts, view);
  const areas = shown
    .map(({ row }) => (draws === "roc" ? row.rocAuc : row.averagePrecision))
    .filter((area) => !Number.isNaN(area));
  const [least, most] = [formatArea(Math.min(...areas)), formatArea(Math.max(...areas))];
  return (
    <>
      <Marks>
        <Superseded series={shown.map(({ held }) => held)} />
        {more > 0 && <Mark text={cardTexts().moreTags(formatCount(more))} hint={cardTexts().moreTagsHint} />}
      </Marks>
      {areas.length > 0 && (
        <span class="tbwidget-card-value">
          <span>
            {prCurveTexts().value(
              draws === "roc" ? prCurveTexts().auc : prCurveTexts().averagePrecision,
              formatRange(least, most),
            )}
          </span>
        </span>
      )}
    </>
  );
}
