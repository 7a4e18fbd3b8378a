// The projection that a card draws: principal components at once, others when the kernel, or the page, has computed them.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { itemSource } from "../../items/source";
import { formatCount, formatValue } from "../../lib/format";
import { escapedForPattern } from "../../lib/namematcher";
import { language, listOf } from "../../lib/texts";
import type { OptionsOf } from "../../options/declare";
import { useOptions, useView } from "../../ui/view";
import { type Column, type EmbeddingRow, type Points, pointItems, type Vectors } from "./codec";
import { groupsOf } from "./coloring";
import type { InPage, JobArgs, JobState } from "./jobs";
import { alongAxis, type Metric, preparedVectors } from "./neighbors";
import { type CustomAxis, type Method, projectorOptions } from "./options";
import { search } from "./search";
import { viewState } from "./state";
import { projectorTexts } from "./texts";
import { MAX_POINTS, type UmapRunner } from "./umap/runner";

export interface Projection {
  readonly method: Method;
  /** Names it: points of another one have other places. */
  readonly key: string;
  readonly planes: readonly Float32Array[];
  readonly axes: readonly string[];
  /** Describes its method; empty for principal components. */
  readonly note: string;
  /** Shares of the variance along the axes; null where that means nothing. */
  readonly variance: readonly number[] | null;
}

/** An embedding at one step, as far as it is here. */
export interface Embedding {
  readonly run: string;
  readonly tag: string;
  readonly row: EmbeddingRow;
  readonly points: Points;
  readonly vectors: Vectors | null;
  /** Why there are none, and none will come, for people. */
  readonly vectorsProblem: string | null;
  /** Names points. */
  readonly labels: Column | null;
}

/** A computation in the kernel or the page, and how it is going. */
export interface Computation {
  readonly state: JobState;
  stop(): void;
  /** Null where neither a kernel nor the page computes it. */
  readonly restart: (() => void) | null;
}

export interface Projecting {
  readonly projection: Projection;
  readonly computation: Computation | null;
  /** Why the chosen projection is not drawn; null where it is, or is on its way. */
  readonly problem: string | null;
}

/** The components that are drawn along the axes, from 1 on. */
export function shownComponents(chosen: readonly number[], dimensions: number, there: number): number[] {
  const all = Array.from({ length: there }, (_, i) => i + 1);
  const own = chosen.filter((one) => one <= there);
  return [...own, ...all.filter((one) => !own.includes(one))].slice(0, dimensions);
}

/** The components after one was pressed: it replaces the one shown longest. */
export function chooseComponent(shown: readonly number[], pressed: number): number[] {
  return shown.includes(pressed) ? [...shown] : [...shown.slice(1), pressed];
}

export function pcaProjection(points: Points, chosen: readonly number[], dimensions: number): Projection {
  const shown = shownComponents(chosen, dimensions, points.components.length);
  const planes = shown.map((one) => points.components[one - 1] as Float32Array);
  // A single dimension is drawn along a line.
  while (planes.length < dimensions) {
    planes.push(new Float32Array(points.count));
  }
  return {
    method: "pca",
    key: JSON.stringify(["pca", dimensions, shown]),
    planes,
    axes: shown.map(projectorTexts().component),
    note: "",
    variance: shown.map((one) => points.variance[one - 1] ?? 0),
  };
}

export function useProjection(embedding: Embedding, onScreen: boolean): Projecting {
  const options = useOptions(projectorOptions);
  const { points } = embedding;
  const [method, dimensions] = [options.projector_method.value, options.projector_dimensions.value];
  const inPage = useInPage(method, embedding, options);
  const chosen = options.projector_components.value;
  const spoken = language();
  // biome-ignore lint/correctness/useExhaustiveDependencies: its texts are those of the language
  const pca = useMemo(() => pcaProjection(points, chosen, dimensions), [points, chosen, dimensions, spoken]);
  const job = useComputation(jobArgs(method, embedding, options), embedding, inPage, onScreen);
  const custom = useCustom(
    method === "custom" ? axesOf(options.projector_axes.value, embedding.labels, dimensions) : [],
    dimensions,
    embedding,
  );
  const done = job?.state.state === "done" ? job.state : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: its texts are those of the language
  const computed = useMemo((): Projection | null => {
    if (done === null || done.planes[0]?.length !== points.count || !(method === "umap" || method === "tsne")) {
      return null;
    }
    const placed =
      done.used < points.count ? projectorTexts().placed(formatCount(done.used), formatCount(points.count)) : null;
    const { neighbors, min_dist, perplexity, metric } = done.parameters;
    const distance =
      typeof metric === "string" && Object.hasOwn(projectorTexts().metrics, metric) ? (metric as Metric) : null;
    const shared = [
      distance && projectorTexts().metrics[distance],
      done.held === null ? projectorTexts().libraries[method] : byPage(done.held, points.dimensions),
      placed,
    ] as const;
    const note =
      method === "umap"
        ? projectorTexts().umapNote(textOf(neighbors), textOf(min_dist), ...shared)
        : projectorTexts().tsneNote(textOf(perplexity), ...shared);
    const name = projectorTexts().methods[method];
    return {
      ...{ method, planes: done.planes, note, variance: null },
      key: JSON.stringify([method, dimensions, note]),
      axes: done.planes.map((_, i) => `${name} ${i + 1}`),
    };
  }, [done, points, method, dimensions, spoken]);
  if (method === "custom") {
    return { projection: custom.projection ?? pca, computation: null, problem: custom.problem };
  }
  if (method === "pca") {
    return { projection: pca, computation: null, problem: null };
  }
  const problem =
    job?.state.state === "refused"
      ? job.state.reason
      : done !== null && computed === null
        ? projectorTexts().damaged
        : null;
  return { projection: computed ?? pca, computation: job, problem };
}

function textOf(parameter: unknown): string {
  return typeof parameter === "number" ? formatValue(parameter) : "";
}

function jobArgs(
  method: Method,
  { run, tag, row }: Embedding,
  options: OptionsOf<typeof projectorOptions>,
): JobArgs | null {
  const parameters =
    method === "umap"
      ? {
          neighbors: options.projector_umap_neighbors.value,
          min_dist: options.projector_umap_min_dist.value,
          metric: options.projector_metric.value,
        }
      : { perplexity: options.projector_perplexity.value, metric: options.projector_metric.value };
  return method === "pca" || method === "custom"
    ? null
    : { run, tag, step: row.step.toString(), method, dimensions: options.projector_dimensions.value, parameters };
}

/** How this page computes a projection, or why it does not; null where only the kernel can. */
function useInPage(
  method: Method,
  { points, vectors, vectorsProblem }: Embedding,
  options: OptionsOf<typeof projectorOptions>,
): InPage | null {
  const { umap } = viewState(useView());
  const dimensions = options.projector_dimensions.value;
  const [neighbors, minDist] = [options.projector_umap_neighbors.value, options.projector_umap_min_dist.value];
  const metric = options.projector_metric.value;
  const isUmap = method === "umap";
  const isSmall = points.count <= MAX_POINTS;
  const found = useMemo(
    () =>
      isUmap && isSmall && vectors !== null
        ? umapInPage(umap, points, vectors, { dimensions, neighbors, minDist, metric })
        : null,
    [umap, isUmap, isSmall, points, vectors, dimensions, neighbors, minDist, metric],
  );
  if (!isUmap) {
    return null;
  }
  return isSmall
    ? (found ?? vectorsProblem ?? projectorTexts().vectorsWait)
    : projectorTexts().manyForPage(formatCount(MAX_POINTS));
}

interface UmapParameters {
  readonly dimensions: number;
  readonly neighbors: number;
  readonly minDist: number;
  readonly metric: Metric;
}

/** Says that the page computed a projection, from `held` numbers of each vector. */
function byPage(held: number, dimensions: number): string {
  const { byPage: text, approximate, exact } = projectorTexts();
  const all = formatCount(dimensions);
  return text(held < dimensions ? approximate(formatCount(held), all) : exact(all));
}

/** Computes UMAP of the vectors that the page holds; the answer is like the kernel's. */
export function umapInPage(
  umap: Pick<UmapRunner, "run">,
  points: Points,
  vectors: Vectors,
  { dimensions, ...parameters }: UmapParameters,
): Exclude<InPage, string> {
  const { count, held, digest } = vectors;
  return {
    digest,
    async compute(report, until) {
      // Copies: a worker is sent all of the memory that an array is a part of.
      const start = Array.from(
        { length: dimensions },
        (_, i) => points.components[i]?.slice() ?? new Float32Array(count),
      );
      const input = { vectors: preparedVectors(vectors).floats, held, start, ...parameters };
      const { planes, used, neighbors } = await umap.run(input, report, until);
      const { minDist: min_dist, metric } = parameters;
      const data = new Float32Array(dimensions * count);
      for (const [i, plane] of planes.entries()) {
        data.set(plane, i * count);
      }
      const value = { state: "done", used, points: count, parameters: { neighbors, min_dist, metric }, held };
      return { value, data: new Uint8Array(data.buffer) };
    },
  };
}

/** Follows a computation while the card is on the screen. */
function useComputation(
  args: JobArgs | null,
  { run, tag, row }: Embedding,
  inPage: InPage | null,
  onScreen: boolean,
): Computation | null {
  const view = useView();
  const { jobs } = viewState(view);
  const { channel } = view;
  const key = args && JSON.stringify(args);
  // An embedding that is written again has another row.
  const version = `${itemSource(channel, pointItems).revisionOf({ tag, run })} ${row.id}`;
  const isSaved = channel.requests.saved.value !== null;
  const isWanted = args !== null && onScreen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what the arguments are; a kernel that speaks is asked
  useEffect(
    () => (isWanted ? jobs.follow(args, version, inPage) : undefined),
    [jobs, key, version, inPage, isWanted, isSaved],
  );
  return (
    args && {
      state: jobs.state(args, version).value,
      stop: () => jobs.stop(args, version),
      restart:
        isSaved && (inPage === null || typeof inPage === "string") ? null : () => jobs.restart(args, version, inPage),
    }
  );
}

interface Custom {
  readonly projection: Projection | null;
  readonly problem: string | null;
}

/** The chosen axes, or else one between the largest classes of the labels for each dimension; none without classes. */
export function axesOf(
  chosen: readonly CustomAxis[],
  labels: Column | null,
  dimensions: number,
): readonly CustomAxis[] {
  if (chosen.length > 0) {
    return chosen;
  }
  const groups = labels === null ? null : groupsOf(labels);
  const classes = groups?.sort === "categories" ? groups.categories.filter(({ text }) => text !== null) : [];
  const [first, ...others] = [...classes].sort((a, b) => b.count - a.count).map(({ text }) => exactly(text as string));
  return others.slice(0, dimensions).map((to) => ({ from: first as string, to }));
}

/** An expression that matches this text alone. */
function exactly(text: string): string {
  return `^${escapedForPattern(text)}$`;
}

/** Places along axes between points that are named by their labels. */
function useCustom(axes: readonly CustomAxis[], dimensions: number, embedding: Embedding): Custom {
  const { points, vectors, vectorsProblem, labels } = embedding;
  const { worker } = viewState(useView());
  const result = useSignal<Custom>({ projection: null, problem: null });
  const key = JSON.stringify([axes, dimensions]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what the axes are
  useEffect(() => {
    let isWanted = true;
    const wanted = axes.slice(0, dimensions);
    if (wanted.length === 0) {
      result.value = { projection: null, problem: projectorTexts().axesHint };
      return;
    }
    if (vectors === null) {
      result.value = { projection: null, problem: vectorsProblem ?? projectorTexts().needsVectors };
      return;
    }
    const find = async (text: string) =>
      labels === null || text === ""
        ? new Uint8Array(points.count)
        : (await search(text, [labels], points.count, worker, () => isWanted))?.mask;
    void (async () => {
      const planes: Float32Array[] = [];
      for (const [i, { from, to }] of wanted.entries()) {
        const [start, end] = [await find(from), await find(to)];
        if (!isWanted || start === undefined || end === undefined) {
          return;
        }
        const unmatched = [[from, start] as const, [to, end] as const].find(
          ([text, mask]) => text !== "" && !mask.includes(1),
        );
        if (unmatched !== undefined) {
          result.value = { projection: null, problem: projectorTexts().noMatch(unmatched[0]) };
          return;
        }
        const plane = alongAxis(vectors, start, end);
        if (plane === null) {
          result.value = { projection: null, problem: projectorTexts().axisEmpty("xyz"[i] ?? "") };
          return;
        }
        planes.push(plane);
      }
      const names = wanted.map(({ from, to }) => projectorTexts().axisName(from, to));
      while (planes.length < dimensions) {
        planes.push(new Float32Array(points.count));
      }
      result.value = {
        problem: null,
        projection: {
          ...{ method: "custom", planes, axes: [..."xyz"].slice(0, wanted.length), variance: null },
          key: `custom ${key}`,
          note: projectorTexts().customNote(listOf(names)),
        },
      };
    })();
    return () => {
      isWanted = false;
    };
  }, [key, points, vectors, vectorsProblem, labels, worker]);
  return result.value;
}
