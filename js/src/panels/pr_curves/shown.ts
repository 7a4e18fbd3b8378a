// The curves that a card shows: of each run and tag the one at the card's step, some earlier ones, and averages of the tags.

import { rowsShown } from "../../items/shown";
import { type ItemState, itemSource } from "../../items/source";
import { cardStep } from "../../items/steps";
import { runColor } from "../../lib/colors";
import { sharedStart, shortened } from "../../lib/names";
import { onlyAverageColor } from "../../lib/tokens";
import { tagStyle } from "../../lines/paint";
import type { AtStep } from "../../ui/globalstep";
import { shortName } from "../../ui/runname";
import { heldRunsOf } from "../../ui/runs";
import type { View } from "../../ui/view";
import type { HeldItems } from "../../wire/items";
import { type CurveRow, curveItems, type PRCurve, type TagCurves } from "./codec";
import { averagePrecision, meanOf, microAverage, rocAuc } from "./measures";
import { prCurvesOptions } from "./options";
import { prCurveTexts } from "./texts";

export interface TagPart {
  readonly tag: string;
  readonly data: TagCurves;
}

/** A run's curve under a tag, as far as it has come. */
export interface ShownCurve {
  readonly run: string;
  readonly tag: string;
  /** Shortest name that is unique on the card. */
  readonly name: string;
  readonly color: string;
  readonly dash: readonly number[];
  readonly faded: boolean;
  readonly row: CurveRow;
  readonly state: ItemState<PRCurve>;
  readonly held: HeldItems<CurveRow>;
}

/** The averages of a run's tags. */
export interface Averages {
  readonly run: string;
  readonly color: string;
  readonly faded: boolean;
  /** The largest step of the tags. */
  readonly step: bigint;
  readonly wall: number;
  readonly micro: PRCurve;
  readonly microAreas: Areas;
  readonly macroAreas: Areas;
}

export interface Areas {
  readonly averagePrecision: number;
  readonly rocAuc: number;
}

/** The step that a card shows. A card of several tags uses the step of the first one. */
export function stepOf(parts: readonly TagPart[], view: View) {
  return cardStep(view, "pr_curves", parts[0]?.tag ?? "");
}

/** Follows data, options and what arrives, where it is called from a component or an effect. */
export function curvesOf(parts: readonly TagPart[], view: View): ShownCurve[] {
  const { at } = stepOf(parts, view);
  const source = itemSource(view.channel, curveItems);
  const theme = view.theme.value;
  const shared = sharedStart(parts.map(({ tag }) => tag));
  const ofTags = parts.map(({ tag, data }) => ({ tag, runs: heldRunsOf(data, view) }));
  const several = new Set(ofTags.flatMap(({ runs }) => runs.map(({ run }) => run))).size > 1;
  return ofTags.flatMap(({ tag, runs }, i) =>
    runs.flatMap(({ held, run, color, dash = [], faded }): ShownCurve[] => {
      const row = rowAt(held, at);
      if (row === null) {
        return [];
      }
      const style = tagStyle(i, theme);
      // The tags of a single run differ by color; with several runs, they differ by dash.
      const look =
        parts.length === 1
          ? { color, dash }
          : several
            ? { color: style.colorOf(color), dash: style.dash }
            : { color: runColor(i, theme), dash: [] };
      const [ofTag, ofRun] = [shortened(tag, shared), shortName(run, view)];
      const name = parts.length === 1 ? ofRun : several ? prCurveTexts().ofRun(ofTag, ofRun) : ofTag;
      return [{ run, tag, name, ...look, faded, row, held, state: source.item({ tag, run, row }) }];
    }),
  );
}

/** The row of a run that is shown; of several at one step the last. */
export function rowAt(held: HeldItems<CurveRow>, at: AtStep): CurveRow | null {
  return rowsShown(held, at).at(-1) ?? null;
}

/** Earlier steps that are drawn behind a curve, and curves of a card up to which that can be read. */
const MAX_EARLIER = 5;
const MAX_CURVES_WITH_EARLIER = 4;

/** The rows of earlier steps, the first one first: the same ones as the training goes on, until there are too many. */
export function earlierRows(rows: readonly CurveRow[], { id, step }: CurveRow): CurveRow[] {
  const before = rows.filter((row) => row.step < step && row.id !== id);
  let stride = 1;
  while (before.length > MAX_EARLIER * stride) {
    stride *= 2;
  }
  return before.filter((_, i) => i % stride === 0);
}

/** The earlier rows of the curves of a card; none where there are too many curves, or none are wanted. */
export function earlierOf(shown: readonly ShownCurve[], view: View) {
  const { pr_earlier_steps } = view.options.of(prCurvesOptions);
  const front = shown.filter(({ faded }) => !faded);
  return !pr_earlier_steps.value || front.length > MAX_CURVES_WITH_EARLIER
    ? []
    : front.flatMap((one) => earlierRows(one.held.rows, one.row).map((row) => ({ ...one, row })));
}

/** The averages of each run that has all curves of at least two tags, with the same thresholds. */
export function averagesOf(parts: readonly TagPart[], shown: readonly ShownCurve[], view: View): Averages[] {
  const byRun = new Map<string, ShownCurve[]>();
  for (const one of parts.length > 1 ? shown : []) {
    byRun.set(one.run, [...(byRun.get(one.run) ?? []), one]);
  }
  return [...byRun].flatMap(([run, of]) => {
    const held = of.flatMap(({ state }) => (state.state === "held" ? [state.value] : []));
    const micro = of.length > 1 && held.length === of.length ? microAverage(held) : null;
    const [first] = of;
    if (micro === null || first === undefined) {
      return [];
    }
    const theme = view.theme.value;
    const color = byRun.size > 1 ? view.options.colorOf.value(run, theme) : onlyAverageColor[theme];
    return [
      {
        ...{ run, color, faded: first.faded, micro },
        step: of.reduce((last, { row }) => (row.step > last ? row.step : last), first.row.step),
        wall: Math.max(...of.map(({ row }) => row.wall)),
        microAreas: { averagePrecision: averagePrecision(micro), rocAuc: rocAuc(micro) },
        macroAreas: {
          averagePrecision: meanOf(of.map(({ row }) => row.averagePrecision)),
          rocAuc: meanOf(of.map(({ row }) => row.rocAuc)),
        },
      },
    ];
  });
}
