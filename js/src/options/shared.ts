// Options that several panels share, and options of the dashboard around them.

import { isExpression } from "../lib/namematcher";
import { HPARAM } from "../lib/runcolumns";
import type { Range } from "../lib/search";
import { LANGUAGES } from "../lib/texts";
import type { XAxisOption } from "../lib/xaxis";
import {
  defineOptions,
  flag,
  nameList,
  nameSet,
  notStored,
  type Option,
  type OptionSpec,
  oneOf,
  oneOfOrNull,
  textOrNull,
  wholeFrom,
} from "./declare";
import { FOLDER, REGEX } from "./rungroups";

/** With all its digits: a number where that has them all. */
export type ExactStep = number | bigint;

/** A first and a last step. */
export type StepRange = readonly [ExactStep, ExactStep];

export function toExactStep(step: bigint): ExactStep {
  const number = Number(step);
  return Number.isSafeInteger(number) ? number : step;
}

const [LEAST_STEP, GREATEST_STEP] = [-(2n ** 63n), 2n ** 63n - 1n];

/** The step at a whole number along an axis; the nearest that there is. */
export function stepAt(place: number): ExactStep {
  if (!Number.isFinite(place)) {
    return toExactStep(place > 0 ? GREATEST_STEP : LEAST_STEP);
  }
  const step = BigInt(place);
  return toExactStep(step < LEAST_STEP ? LEAST_STEP : step > GREATEST_STEP ? GREATEST_STEP : step);
}

/** As charts place it. */
export function stepNumber(step: ExactStep | null): number | null {
  return step === null ? null : Number(step);
}

/** As charts place them. */
export function rangeNumbers(range: StepRange | null): Range | null {
  return range && [Number(range[0]), Number(range[1])];
}

export function isSameRange(one: StepRange | null, other: StepRange | null): boolean {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1];
}

/** The step that a value holds; undefined if it holds none. */
export function parseExactStep(value: unknown): ExactStep | undefined {
  if (typeof value === "string" && /^-?\d{1,40}$/.test(value)) {
    return toExactStep(BigInt(value));
  }
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

export function serializeStep(step: ExactStep): number | string {
  return typeof step === "bigint" ? step.toString() : step;
}

const step: OptionSpec<ExactStep | null> = {
  initial: null,
  remembered: true,
  parse: (value) => (value === null ? null : parseExactStep(value)),
  serialize: (value) => value && serializeStep(value),
  forPython: (value) => value,
};

export const stepRange: OptionSpec<StepRange | null> = {
  initial: null,
  remembered: true,
  parse: (value) => {
    if (value === null) {
      return null;
    }
    const [first, last] = Array.isArray(value) ? value.map(parseExactStep) : [];
    return first !== undefined && last !== undefined && first <= last ? [first, last] : undefined;
  },
  serialize: (range) => range?.map(serializeStep) ?? null,
  forPython: (range) => range,
};

/** Options of all panels that draw along steps or times. */
export const timeAxisOptions = defineOptions({
  x_axis: oneOf<XAxisOption>(["step", "relative", "wall", "tag"], "step"),
  /** First and last step of the viewport; null for all. Not remembered: a shorter training would show nothing. */
  step_range: notStored(stepRange),
  /** The step that all charts point out; null for none. */
  linked_step: notStored(step),
  ignore_outliers: flag(true),
});

/** Options of panels with an axis of values. */
export const logValueOptions = defineOptions({ log_y: nameSet() });

/** Options of panels whose charts stand along steps. */
export const stepOverviewOptions = defineOptions({ step_overview: flag(true) });

/** Options of panels that draw a plot for each run. */
export const overlayRunsOptions = defineOptions({ overlay_runs: flag(false) });

const runColors: OptionSpec<ReadonlyMap<string, string>> = {
  // A map: runs have any names, "constructor" too.
  initial: new Map(),
  remembered: true,
  parse: (value) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const colors = Object.entries(isObject ? value : {}).filter(([, color]) => /^#[0-9a-f]{6}$/i.test(String(color)));
    return isObject ? new Map(colors) : undefined;
  },
  serialize: (colors) => Object.fromEntries(colors),
};

/** CSS pixels. */
export const MIN_HEIGHT_PX = 200;

const groupBy: OptionSpec<string> = {
  initial: "",
  remembered: true,
  parse: (value) =>
    typeof value === "string" &&
    (value === "" || value === FOLDER || [REGEX, HPARAM].some((kind) => value.startsWith(kind)))
      ? value
      : undefined,
  forPython: (by) => (!by.startsWith(REGEX) || isExpression(by.slice(REGEX.length)) ? by : undefined),
};

/** The thresholds of alerts that are numbers, by whether null turns their rule off. Twins of tbwidget/logs/alerts/rules.py. */
const THRESHOLDS: ReadonlyMap<string, boolean> = new Map([
  ["diverged", true],
  ["diverged_noise", false],
  ["plateau_steps", true],
  ["plateau_minutes", true],
  ["stalled_intervals", true],
  ["stalled_seconds", false],
]);

function isRule(name: string, value: unknown): boolean {
  if (name === "non_finite") {
    return typeof value === "boolean";
  }
  const isOptional = THRESHOLDS.get(name);
  const isNumber = typeof value === "number" && value > 0 && Number.isFinite(value);
  return isOptional !== undefined && (value === null ? isOptional : isNumber);
}

const rules: OptionSpec<object> = {
  initial: {},
  remembered: false,
  parse: (value) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && Object.entries(value).every(([name, one]) => isRule(name, one)) ? value : undefined;
  },
};

/** Options of the dashboard itself. Its filters and the selected runs have rules of their own: see filters.ts and runselection.ts. */
export const boardOptions = defineOptions({
  run_colors: runColors,
  pinned: nameList(),
  height: wholeFrom(MIN_HEIGHT_PX, Number.MAX_SAFE_INTEGER, 640),
  /** How runs are grouped: see rungroups.ts. */
  group_by: groupBy,
  /** The panel that was chosen; null: the first that has data. */
  panel: textOrNull(),
  /** Null: the page's. */
  language: oneOfOrNull(LANGUAGES, null),
  /** These concern the kernel alone. */
  alert_rules: notStored(rules),
  flush_writers: notStored(flag(true)),
});

/** Links steps by clicks on charts. The second click of a double click, which resets the zoom, undoes the first. */
export class StepClicks {
  readonly #linkedStep: Option<ExactStep | null>;
  /** The step that was linked before the last single click. */
  #before: ExactStep | null = null;

  constructor(linkedStep: Option<ExactStep | null>) {
    this.#linkedStep = linkedStep;
  }

  /** A single click links the step, or unlinks it if it is linked; `times` counts clicks in quick succession. */
  click(step: bigint, times: number): void {
    if (times < 2) {
      this.#before = this.#linkedStep.peek();
      // Steps beyond 2^53 may share a place on the axis: a click there is on the linked one of them.
      const isLinked = this.#before !== null && Number(this.#before) === Number(step);
      this.#linkedStep.set(isLinked ? null : toExactStep(step));
    } else if (times === 2) {
      this.#linkedStep.set(this.#before);
    }
  }
}
