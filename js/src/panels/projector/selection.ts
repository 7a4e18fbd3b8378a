// The selected points of a card. The option holds one list for the whole board, so it is applied only where the rows agree.

import { useMemo } from "preact/hooks";
import { isSameList } from "../../lib/sortrows";
import { useOptions, useView } from "../../ui/view";
import type { Points } from "./codec";
import { projectorOptions } from "./options";
import { type Picked, viewState } from "./state";

/** Names the rows of an embedding: embeddings of the same points at other steps, in other runs or layers have the same. */
export function rowsOf({ count, columns }: Pick<Points, "count" | "columns">): string {
  return JSON.stringify([count, columns.map(({ name }) => name)]);
}

/** The points of a card with these rows. A list that no card has set comes from Python, and holds for all of them. */
export function selectedIn(
  rows: string,
  option: readonly number[],
  picked: Picked | null,
  own: readonly number[],
): readonly number[] {
  const isOfOthers = picked !== null && picked.rows !== rows && isSameList(picked.points, option);
  return isOfOthers ? own : option;
}

export function useSelection(points: Points) {
  const { picked, pickedOf } = viewState(useView());
  const { projector_selected } = useOptions(projectorOptions);
  const rows = useMemo(() => rowsOf(points), [points]);
  const own = pickedOf.of("projector", rows);
  const chosen = selectedIn(rows, projector_selected.value, picked.value, own.value);
  const selected = useMemo(() => chosen.filter((point) => point < points.count), [chosen, points]);
  const select = (next: readonly number[]) => {
    own.value = next;
    picked.value = { rows, points: next };
    projector_selected.set(next);
  };
  return { selected, select };
}
