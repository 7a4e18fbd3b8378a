// The nearest neighbors of the selected point: at once among the vectors that the page holds, exactly from the idle kernel.

import { useEffect, useMemo } from "preact/hooks";
import { commonTexts } from "../../lib/commontexts";
import { formatCount } from "../../lib/format";
import { latestRequest } from "../../ui/latestrequest";
import { useOptions, useView } from "../../ui/view";
import { WordedError } from "../../wire/reasons";
import { type Neighbors, nearest } from "./neighbors";
import { projectorOptions } from "./options";
import type { Embedding } from "./projecting";
import { projectorTexts } from "./texts";

export interface ShownNeighbors extends Neighbors {
  readonly point: number;
  /** Describes the numbers that were compared. */
  readonly note: string;
  /** An exact answer is on its way. */
  readonly waits: boolean;
}

/** Null where no single point is selected. */
export function useNeighbors(
  { run, tag, row, points, vectors, vectorsProblem }: Embedding,
  point: number | null,
): ShownNeighbors | null {
  const { channel } = useView();
  const options = useOptions(projectorOptions);
  const [metric, most] = [options.projector_metric.value, options.projector_neighbors.value];
  const exact = useMemo(() => latestRequest<Neighbors>(channel.requests), [channel]);
  const isWhole = vectors !== null && vectors.held >= vectors.dimensions;
  // Else the kernel knows better; a saved page has none.
  const isAsked = point !== null && !isWhole && channel.store.savedAt.value === null;
  const step = row.step.toString();
  useEffect(() => {
    if (!isAsked) {
      exact.cancel();
    } else {
      const args = { run, tag, step, point, count: most, metric };
      exact.ask("projector.neighbors", args, ({ value }) => neighborsIn(value, points.count));
    }
  }, [exact, run, tag, step, point, most, metric, isAsked, points]);
  useEffect(() => () => exact.cancel(), [exact]);
  const here = useMemo(
    () =>
      point === null || vectors === null || vectors.count !== points.count
        ? null
        : nearest(vectors, point, most, metric),
    [vectors, points, point, most, metric],
  );
  if (point === null) {
    return null;
  }
  const answer = isAsked ? exact.value.value : null;
  if (answer !== null || (here !== null && isWhole)) {
    const found = answer ?? (here as Neighbors);
    return { ...found, point, note: projectorTexts().exact(formatCount(points.dimensions)), waits: false };
  }
  const waits = exact.waits.value;
  const held =
    here === null || vectors === null
      ? (vectorsProblem ?? projectorTexts().vectorsWait)
      : projectorTexts().approximate(formatCount(vectors.held), formatCount(vectors.dimensions));
  const note = commonTexts().clauses([held, exact.reason.value].filter((one) => one !== null));
  return { points: here?.points ?? [], distances: here?.distances ?? [], point, note, waits };
}

/** Throws where the answer makes no sense. */
function neighborsIn(value: unknown, count: number): Neighbors {
  const { points, distances } = value as Readonly<Record<string, unknown>>;
  const isList = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((one) => typeof one === "number");
  if (
    !isList(points) ||
    !isList(distances) ||
    points.length !== distances.length ||
    points.some((one) => !(one < count))
  ) {
    throw new WordedError(() => projectorTexts().damaged);
  }
  return { points, distances };
}
