// A bar for each hyperparameter: how much it has to do with the goal metric.

import { untracked, useSignal } from "@preact/signals";
import { measureLabel } from "../../../charts/text";
import { commonTexts } from "../../../lib/commontexts";
import { formatCount } from "../../../lib/format";
import { isSameList } from "../../../lib/samelist";
import { useEverySecond, useView } from "../../../ui/view";
import { type Column, type HParamsState, useHParams } from "../sessions";
import { importanceOf, MIN_SESSIONS, type Importance as Numbers } from "./importance";
import { varyingColumns } from "./matrix";
import { scatterTexts } from "./texts";

/** Bars that are shown; the others matter least. */
const MAX_BARS = 12;

/** CSS pixels in the one line that bars take at first: around all, beside the name of a bar, of its ρ, and of the button. */
const EDGES_PX = 34;
const BAR_PX = 96;
const CORRELATION_PX = 44;
const MORE_PX = 60;

/** CSS pixels of the widest name of a bar; names are larger than the labels of charts by the factor. */
const MAX_NAME_PX = 130;
const TEXT_SCALE = 1.12;

/** Values that are read, which takes a fraction of a second. Where there are more, only the first columns are read. */
const MAX_VALUES = 200_000;

interface Bar extends Numbers {
  readonly column: Column;
}

interface Bars {
  readonly bars: readonly Bar[];
  /** Hyperparameters that vary, and how many of them, the first ones, the bars are the best of. */
  readonly varying: number;
  readonly read: number;
  /** Rows with a finite number of the goal. */
  readonly count: number;
}

/**
 * Bars of the hyperparameters that vary, the largest first; nothing of a small sweep. Where a filter leaves too few sessions,
 * the line stays and says so: what is below must not move while the user types.
 */
export function Importance() {
  const state = useHParams();
  const { bars, varying, read, count } = useEverySecond(() => {
    const choices = choicesOf(state);
    return untracked(() => barsOf(state, choices));
  });
  const { width } = useView();
  const isWhole = useSignal(false);
  const goal = state.goal.value;
  const isGrouped = state.members.value !== null;
  const [first] = bars;
  if (goal === null || (first === undefined && state.sessions.value.rows.length < MIN_SESSIONS)) {
    return null;
  }
  if (first === undefined) {
    const isFew = count < MIN_SESSIONS;
    return (
      <p
        class="tbwidget-importance tbwidget-quiet"
        data-plot="importance"
        title={scatterTexts().importanceHint(goal.title)}
      >
        {scatterTexts().importanceFor(goal.title)}:{" "}
        {isFew ? scatterTexts().tooFew(formatCount(count), MIN_SESSIONS) : scatterTexts().noShare}
      </p>
    );
  }
  const counts = bars.map(({ count }) => count);
  const most = Math.max(...counts);
  const sessions = scatterTexts().sessions(most, formatCount(most), isGrouped);
  const some = read < varying ? scatterTexts().firstHParams(formatCount(read), formatCount(varying)) : "";
  const head = scatterTexts().importanceOf(goal.title, sessions) + some;
  const listed = bars.slice(0, isWhole.value ? MAX_BARS : Math.min(MAX_BARS, fittingIn(width.value, head, bars)));
  const more = Math.min(MAX_BARS, bars.length) - listed.length;
  return (
    <ul class="tbwidget-importance" data-plot="importance" aria-label={scatterTexts().importanceFor(goal.title)}>
      <li class="tbwidget-quiet" title={scatterTexts().importanceHint(goal.title)}>
        {head}
      </li>
      {listed.map((bar) => (
        <BarOf key={bar.column.key} bar={bar} isGrouped={isGrouped} isShort={bar.count < most} />
      ))}
      {(more > 0 || isWhole.value) && (
        <li>
          <button
            type="button"
            class="tbwidget-link"
            onClick={() => {
              isWhole.value = !isWhole.peek();
            }}
          >
            {more > 0 ? scatterTexts().moreBars(formatCount(more)) : scatterTexts().fewerBars}
          </button>
        </li>
      )}
    </ul>
  );
}

/** How many bars a line holds behind its head; one at least. */
function fittingIn(width: number, head: string, bars: readonly Bar[]): number {
  let room = width - EDGES_PX - MORE_PX - TEXT_SCALE * measureLabel(head);
  const first = bars.findIndex(({ column, correlation }) => {
    room -= BAR_PX + Math.min(MAX_NAME_PX, TEXT_SCALE * measureLabel(column.title));
    room -= correlation === null ? 0 : CORRELATION_PX;
    return room < 0;
  });
  return first < 0 ? bars.length : Math.max(1, first);
}

interface BarProps {
  readonly bar: Bar;
  readonly isGrouped: boolean;
  /** Fewer sessions have a value of it than of others. */
  readonly isShort: boolean;
}

function BarOf({ bar: { column, share, correlation, count }, isGrouped, isShort }: BarProps) {
  const positive = Math.max(0, share ?? 0);
  const hint = scatterTexts().bar(
    column.title,
    share === null ? scatterTexts().noShare : scatterTexts().share(formatShare(positive)),
    correlation === null ? scatterTexts().noCorrelation : scatterTexts().correlation(formatShare(correlation)),
    scatterTexts().sessions(count, formatCount(count), isGrouped),
  );
  return (
    <li
      title={hint}
      data-column={column.key}
      data-share={share === null ? undefined : String(share)}
      data-correlation={correlation === null ? undefined : String(correlation)}
      data-count={count}
    >
      <span>{column.title}</span>
      <i>
        <b style={{ width: `${100 * positive}%` }} />
      </i>
      <span>{share === null ? "–" : formatShare(positive)}</span>
      {correlation !== null && <small>{scatterTexts().correlation(formatShare(correlation))}</small>}
      {isShort && <small>{scatterTexts().count(formatCount(count))}</small>}
    </li>
  );
}

interface Known extends Bars {
  readonly by: readonly unknown[];
}

const known = new WeakMap<HParamsState, Known>();

/** The user's choices. Plots that are computed once a second follow these at once, and new values only then. */
export function choicesOf({ options, selected }: HParamsState): readonly unknown[] {
  const { hparams_goal, hparams_columns, hparams_filters, hparams_groups, hparams_metric, hparams_at } = options;
  const chosen = [hparams_goal, hparams_columns, hparams_filters, hparams_groups, hparams_metric, hparams_at];
  return [...chosen.map((option) => option.value), selected.value];
}

/** Bars of the last call are returned for the same choices, columns and rows. */
export function barsOf(state: HParamsState, choices = choicesOf(state)): Bars {
  const [goal, rows] = [state.goal.value, state.shown.value];
  const varying = varyingColumns(state.sessions.value.hparams, null, rows);
  const columns = varying.slice(0, Math.max(MAX_BARS, Math.floor(MAX_VALUES / Math.max(1, rows.length))));
  const by = [...choices, goal, rows, ...varying];
  const last = known.get(state);
  if (last !== undefined && isSameList(last.by, by)) {
    return last;
  }
  const reached = goal === null ? [] : rows.map((row) => goal.values[row]);
  const bars = columns
    .map(
      (column): Bar => ({
        column,
        ...importanceOf(
          rows.map((row) => column.values[row]),
          reached,
        ),
      }),
    )
    .filter(({ count, share, correlation }) => count >= MIN_SESSIONS && (share !== null || correlation !== null))
    .sort((a, b) => (b.share ?? -1) - (a.share ?? -1));
  const count = reached.filter((value) => typeof value === "number" && Number.isFinite(value)).length;
  const found = { by, bars, varying: varying.length, read: columns.length, count };
  known.set(state, found);
  return found;
}

const LEAST_DIGIT = 2;

/** Two decimals, without the zero before the point. */
export function formatShare(share: number): string {
  const text = Math.abs(share).toFixed(LEAST_DIGIT).replace(/^0/, "");
  return share < 0 && Number(text) > 0 ? `${commonTexts().minus}${text}` : text;
}
