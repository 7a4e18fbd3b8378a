// The rows below a card's chart: each curve with its areas and best F1, and the averages of several tags.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatCount, formatValue, withSigns } from "../../lib/format";
import { lineTexts } from "../../lines/texts";
import { Elided } from "../../ui/elided";
import { shortName } from "../../ui/runname";
import { useOnScreen, useOptions, useView } from "../../ui/view";
import type { CurveRow, PRCurve } from "./codec";
import { bestF1, f1At, nearestThreshold, thresholdOf } from "./measures";
import { prCurvesOptions } from "./options";
import { type Areas, averagesOf, curvesOf, type ShownCurve, type TagPart } from "./shown";
import { prCurveTexts } from "./texts";

/** CSS pixels of a row, and rows up to which nothing scrolls. Keep the first in step with pr_curves.css. */
const ROW_PX = 20;
const MAX_ROWS = 5.5;

/** Names above this number of characters need the space of other columns in narrow cards. */
const LONG_NAME = 12;

interface Props {
  readonly parts: readonly TagPart[];
}

export function CurvesLegend({ parts }: Props) {
  const view = useView();
  const element = useRef<HTMLDivElement>(null);
  const onScreen = useOnScreen(element);
  const [inDialog, setInDialog] = useState(false);
  // `useOnScreen` watches the dashboard's own scroller, and a dialog is outside of it.
  useLayoutEffect(() => setInDialog(element.current?.closest(".tbwidget-full") != null), []);
  // The same height on and off the screen, so that no card moves.
  const runs = view.channel.store.runs.value.filter((run) => view.options.shows(run));
  const rows = runs.reduce((sum, run) => {
    const tags = parts.filter(({ data }) => data.byRun.has(run)).length;
    return sum + tags + (tags > 1 ? 2 : 0);
  }, 0);
  const height = (1 + Math.max(1, Math.min(rows, MAX_ROWS))) * ROW_PX;
  return (
    <div ref={element} class="tbwidget-pr-legend" style={inDialog ? {} : { height: `${height}px` }}>
      {(onScreen || inDialog) && <Rows parts={parts} />}
    </div>
  );
}

function Rows({ parts }: Props) {
  const view = useView();
  const threshold = useOptions(prCurvesOptions).pr_threshold.value;
  const shown = curvesOf(parts, view);
  const names = JSON.stringify(shown.map(({ name }) => name));
  // The same list until a name changes: what tells them apart is found once.
  const among = useMemo((): readonly string[] => JSON.parse(names), [names]);
  const averages = averagesOf(parts, shown, view);
  const held = shown.flatMap(({ state }) => (state.state === "held" ? [state.value] : []));
  const counts = held.map(({ tp }) => tp.length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const thresholds =
    counts.length === 0
      ? ""
      : least === most
        ? prCurveTexts().thresholds(most, formatCount(most))
        : prCurveTexts().thresholdsFromTo(formatCount(least), formatCount(most));
  const steps = new Set(shown.map(({ row }) => row.step));
  const [step] = steps;
  const ofStep = steps.size === 1 && step !== undefined ? [prCurveTexts().stepOf(formatCount(step))] : [];
  const lacksAverages = parts.length > 1 && averages.length === 0 && counts.length > 1 && least !== most;
  return (
    <table
      data-long={shown.some(({ name }) => name.length > LONG_NAME) ? "" : undefined}
      data-threshold={threshold === null ? undefined : ""}
    >
      <thead>
        <tr>
          <th>{prCurveTexts().facts([...ofStep, ...(thresholds === "" ? [] : [thresholds])])}</th>
          <th title={prCurveTexts().averagePrecisionHint(thresholds)}>{prCurveTexts().averagePrecision}</th>
          <th title={prCurveTexts().aucHint(thresholds)}>{prCurveTexts().auc}</th>
          {threshold !== null &&
            [prCurveTexts().precision, prCurveTexts().recall].map((rate) => <th key={rate}>{rate}</th>)}
          <th title={prCurveTexts().bestF1Hint}>
            {threshold === null
              ? prCurveTexts().bestF1
              : prCurveTexts().f1At(formatValue(Number(threshold.toPrecision(3))))}
          </th>
        </tr>
      </thead>
      <tbody>
        {averages.flatMap(({ run, color, faded, micro, microAreas, macroAreas }) => {
          const of = averages.length > 1 ? { run, color, faded } : { run, color, faded, alone: true };
          return [
            <AverageLine
              key={`micro ${run}`}
              {...of}
              kind="micro"
              curve={micro}
              areas={microAreas}
              {...{ threshold }}
            />,
            <AverageLine
              key={`macro ${run}`}
              {...of}
              kind="macro"
              curve={null}
              areas={macroAreas}
              {...{ threshold }}
            />,
          ];
        })}
        {shown.map((one) => (
          <CurveLine key={JSON.stringify([one.run, one.tag])} {...{ one, among, threshold, ownStep: steps.size > 1 }} />
        ))}
        {lacksAverages && (
          <tr>
            <td colSpan={threshold === null ? 4 : 6} class="tbwidget-quiet">
              {prCurveTexts().noAverages}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface LineProps {
  readonly one: ShownCurve;
  /** The names of all curves. */
  readonly among: readonly string[];
  readonly threshold: number | null;
  /** The curves are of different steps. */
  readonly ownStep: boolean;
}

function CurveLine({ one, among, threshold, ownStep }: LineProps) {
  const view = useView();
  const { run, tag, name, color, dash, faded, row, state, held } = one;
  const isPointed = useRef(false);
  const highlight = (is: boolean) => {
    if (is || isPointed.current) {
      view.highlightedRun.value = is ? run : null;
    }
    isPointed.current = is;
  };
  const end = useRef(highlight);
  end.current = highlight;
  // A row that vanishes below the pointer is not told that the pointer leaves.
  useEffect(() => () => end.current(false), []);
  return (
    <tr
      data-run={run}
      data-tag={tag}
      data-step={row.step.toString()}
      data-ap={String(row.averagePrecision)}
      data-auc={String(row.rocAuc)}
      data-state={state.state === "held" ? "shown" : state.state}
      data-faded={faded ? "" : undefined}
      onPointerEnter={() => highlight(true)}
      onPointerLeave={() => highlight(false)}
    >
      <th title={`${run}\n${tag}`}>
        <div>
          <Swatch color={color} dash={dash} />
          <Elided text={name} among={among} />
          <Spark rows={held.rows} color={color} />
          {ownStep && <small>{prCurveTexts().stepOf(formatCount(row.step))}</small>}
        </div>
      </th>
      {state.state === "broken" ? (
        <td
          colSpan={threshold === null ? 3 : 5}
          class="tbwidget-pr-broken"
          role="status"
          title={lineTexts().valueOfRun(run, state.reason)}
        >
          {state.reason}
        </td>
      ) : (
        <>
          <AreaCells areas={row} />
          {state.state === "held" ? (
            <ThresholdCells curve={state.value} threshold={threshold} />
          ) : (
            <td colSpan={threshold === null ? 1 : 3} title={prCurveTexts().waitsHint}>
              {prCurveTexts().waits}
            </td>
          )}
        </>
      )}
    </tr>
  );
}

interface AverageProps {
  readonly run: string;
  readonly color: string;
  readonly faded: boolean;
  /** The card shows no other run. */
  readonly alone?: boolean;
  readonly kind: "micro" | "macro";
  readonly curve: PRCurve | null;
  readonly areas: Areas;
  readonly threshold: number | null;
}

function AverageLine({ run, color, faded, alone, kind, curve, areas, threshold }: AverageProps) {
  const name = shortName(run, useView());
  return (
    <tr data-run={run} data-average={kind} data-faded={faded ? "" : undefined}>
      <th title={kind === "micro" ? prCurveTexts().microHint : prCurveTexts().macroHint}>
        <div>
          {curve === null ? <i /> : <Swatch color={color} dash={[]} width={3} />}
          <span>{alone ? prCurveTexts()[kind] : prCurveTexts().ofRun(prCurveTexts()[kind], name)}</span>
        </div>
      </th>
      <AreaCells areas={areas} />
      {curve === null ? (
        <td colSpan={threshold === null ? 1 : 3} />
      ) : (
        <ThresholdCells curve={curve} threshold={threshold} />
      )}
    </tr>
  );
}

function AreaCells({ areas: { averagePrecision, rocAuc } }: { readonly areas: Areas }) {
  return (
    <>
      <td title={String(averagePrecision)}>{formatArea(averagePrecision)}</td>
      <td title={Number.isNaN(rocAuc) ? prCurveTexts().undefinedRates : String(rocAuc)}>{formatArea(rocAuc)}</td>
    </>
  );
}

/** The best F1; or precision, recall and F1 at a threshold. */
function ThresholdCells({ curve, threshold }: { readonly curve: PRCurve; readonly threshold: number | null }) {
  const best = bestF1(curve);
  const hint = prCurveTexts().bestF1At(formatValue(best.f1), formatValue(best.threshold));
  if (threshold === null) {
    return <td title={hint}>{formatArea(best.f1)}</td>;
  }
  const i = nearestThreshold(curve, threshold);
  const counts = (["tp", "fp", "tn", "fn"] as const).map((of) =>
    prCurveTexts().value(prCurveTexts().counts[of], formatValue(curve[of][i] as number)),
  );
  const at = prCurveTexts().f1At(formatValue(thresholdOf(curve, i)));
  const rates = [curve.precision[i] as number, curve.recall[i] as number];
  return (
    <>
      {rates.map((rate, column) => (
        <td key={column} title={String(rate)}>
          {formatArea(rate)}
        </td>
      ))}
      <td title={prCurveTexts().f1Hint(at, counts, hint)}>{formatArea(f1At(curve, i))}</td>
    </>
  );
}

const LAST_SHOWN_DIGIT = 1e-3;

/** Three decimals, so that areas can be compared; an area below 1 is never rounded to 1. */
export function formatArea(area: number): string {
  const text = area.toFixed(3);
  return Number.isNaN(area)
    ? "–"
    : area < 1 && Number(text) === 1
      ? prCurveTexts().above(withSigns((1 - LAST_SHOWN_DIGIT).toFixed(3)))
      : withSigns(text);
}

interface SwatchProps {
  readonly color: string;
  readonly dash: readonly number[];
  readonly width?: number;
}

function Swatch({ color, dash, width = 2 }: SwatchProps) {
  return (
    <svg width="14" height="6" viewBox="0 0 14 6" aria-hidden="true">
      <path d="M0 3h14" stroke={color} stroke-width={width} stroke-dasharray={dash.join(" ")} />
    </svg>
  );
}

const SPARK = { width: 36, height: 12 };

/** Average precision over steps. */
function Spark({ rows, color }: { readonly rows: readonly CurveRow[]; readonly color: string }) {
  const values = rows.map(({ averagePrecision }) => averagePrecision).filter((value) => !Number.isNaN(value));
  if (values.length < 2) {
    return null;
  }
  // A point a pixel is enough.
  const stride = Math.ceil(values.length / SPARK.width);
  const some = values.filter((_, i) => (values.length - 1 - i) % stride === 0);
  const [low, high] = [Math.min(...some), Math.max(...some)];
  const points = some.map((value, i) => {
    const x = (i / (some.length - 1)) * SPARK.width;
    const y = high > low ? 1 + (1 - (value - low) / (high - low)) * (SPARK.height - 2) : SPARK.height / 2;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      {...SPARK}
      viewBox={`0 0 ${SPARK.width} ${SPARK.height}`}
      role="img"
      aria-label={prCurveTexts().draws.average_precision}
    >
      <polyline points={points.join(" ")} fill="none" stroke={color} stroke-width="1.25" />
    </svg>
  );
}
