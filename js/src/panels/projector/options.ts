// The options of the projector.

import { isExpression } from "../../lib/namematcher";
import {
  defineOptions,
  isWhole,
  notStored,
  numberFrom,
  type OptionSpec,
  oneOf,
  textOrNull,
  wholeFrom,
} from "../../options/declare";

export const METHODS = ["pca", "umap", "tsne", "custom"] as const;
export type Method = (typeof METHODS)[number];

export const METRICS = ["cosine", "euclidean"] as const;

/** Components that there are. */
export const MAX_COMPONENTS = 10;

export const MAX_NEIGHBORS = 500;

/** Bounds of the parameters of projections. */
export const UMAP_NEIGHBORS = { least: 2, most: 200, step: 1 } as const;
export const UMAP_DISTANCE = { least: 0, most: 1 } as const;
export const PERPLEXITY = { least: 2, most: 200 } as const;

/** Regular expressions over the labels: an axis leads from the mean of the first one's points to the mean of the second's. */
export interface CustomAxis {
  readonly from: string;
  readonly to: string;
}

const dimensions: OptionSpec<number> = {
  initial: 2,
  remembered: true,
  parse: (value) => (value === 2 || value === 3 ? value : undefined),
};

const components: OptionSpec<readonly number[]> = {
  initial: [1, 2, 3],
  remembered: true,
  parse: (value) =>
    Array.isArray(value) &&
    (value.length === 2 || value.length === 3) &&
    value.every((one) => isWhole(one, 1, MAX_COMPONENTS)) &&
    new Set(value).size === value.length
      ? value
      : undefined,
};

const perplexity: OptionSpec<number | null> = {
  initial: null,
  remembered: true,
  parse: (value) =>
    value === null || (typeof value === "number" && value >= PERPLEXITY.least && value <= PERPLEXITY.most)
      ? value
      : undefined,
};

const axes: OptionSpec<readonly CustomAxis[]> = {
  initial: [],
  remembered: true,
  parse: (value) =>
    Array.isArray(value) &&
    value.length <= 3 &&
    value.every((one) => typeof one?.from === "string" && typeof one?.to === "string")
      ? value.map(({ from, to }) => ({ from, to }))
      : undefined,
  forPython: (all) => (all.every(({ from, to }) => isExpression(from) && isExpression(to)) ? all : undefined),
};

const selected: OptionSpec<readonly number[]> = {
  initial: [],
  remembered: false,
  parse: (value) =>
    Array.isArray(value) && value.every((one) => isWhole(one, 0, Number.MAX_SAFE_INTEGER)) ? value : undefined,
};

export const projectorOptions = defineOptions({
  projector_method: oneOf(METHODS, "pca"),
  projector_dimensions: dimensions,
  projector_components: components,
  /** Null: chosen by `colorColumn`; "": none. */
  projector_color: textOrNull(),
  projector_label: textOrNull(),
  projector_metric: oneOf(METRICS, "cosine"),
  projector_neighbors: wholeFrom(1, MAX_NEIGHBORS, 15),
  projector_umap_neighbors: wholeFrom(UMAP_NEIGHBORS.least, UMAP_NEIGHBORS.most, 15),
  projector_umap_min_dist: numberFrom(UMAP_DISTANCE.least, UMAP_DISTANCE.most, 0.1),
  projector_perplexity: perplexity,
  projector_axes: axes,
  projector_selected: notStored(selected),
});
