// The options of hyperparameters alone.

import { isExpression } from "../../lib/namematcher";
import {
  defineOptions,
  flag,
  nameList,
  type OptionSpec,
  oneOf,
  oneOfOrNull,
  parseNames,
  textOrNull,
} from "../../options/declare";

export const METRIC_VALUES = ["last", "min", "max"] as const;
export const GOALS = ["max", "min"] as const;
export const PLOTS = ["parallel", "scatter"] as const;
export const SCALES = ["linear", "log", "quantile"] as const;

export type MetricValue = (typeof METRIC_VALUES)[number];
export type Goal = (typeof GOALS)[number];
export type PlotName = (typeof PLOTS)[number];
export type Scale = (typeof SCALES)[number];

/** Which rows of a column are shown; those that pass the filters of all columns are. */
export type ColumnFilter =
  | { readonly min?: number; readonly max?: number }
  | { readonly values: readonly (string | number | boolean | null)[] }
  | { readonly pattern: string };

function parseFilter(value: unknown): ColumnFilter | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { min, max, values, pattern } = value as Record<string, unknown>;
  if (typeof pattern === "string") {
    return { pattern };
  }
  if (Array.isArray(values)) {
    return { values: values.filter((one) => one === null || ["string", "number", "boolean"].includes(typeof one)) };
  }
  const bounds = { ...(typeof min === "number" ? { min } : {}), ...(typeof max === "number" ? { max } : {}) };
  return Object.keys(bounds).length > 0 ? bounds : undefined;
}

/** A map: columns have any names. */
function mapOf<T>(parse: (value: unknown) => T | undefined): OptionSpec<ReadonlyMap<string, T>> {
  return {
    initial: new Map(),
    remembered: true,
    parse: (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return undefined;
      }
      const entries = Object.entries(value).map(([key, one]) => [key, parse(one)] as const);
      return new Map(entries.filter((entry): entry is [string, T & {}] => entry[1] !== undefined));
    },
    serialize: (map) => Object.fromEntries(map),
  };
}

const plots: OptionSpec<readonly PlotName[]> = {
  initial: ["parallel"],
  remembered: true,
  parse: (value) => {
    const names = parseNames(value);
    return names && [...new Set(names)].filter((name): name is PlotName => PLOTS.some((plot) => plot === name));
  },
};

export const hparamsOptions = defineOptions({
  /** Keys of columns; none: automatic. */
  hparams_columns: nameList(),
  /** The metric that colors and ranks; null: automatic. */
  hparams_goal: textOrNull(),
  hparams_goal_best: oneOfOrNull(GOALS, null),
  hparams_metric: oneOf(METRIC_VALUES, "last"),
  /** Metrics are shown at the best step of this one; null: none. */
  hparams_at: textOrNull(),
  hparams_groups: flag(false),
  /** Keys of columns, with a minus before a descending one. */
  hparams_sort: nameList(),
  hparams_filters: {
    ...mapOf(parseFilter),
    forPython: (map) => new Map([...map].filter(([, one]) => !("pattern" in one) || isExpression(one.pattern))),
  } satisfies OptionSpec<ReadonlyMap<string, ColumnFilter>>,
  hparams_plots: plots,
  hparams_scales: mapOf((value) => SCALES.find((scale) => scale === value)),
  hparams_flipped: nameList(),
});
