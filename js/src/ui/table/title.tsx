// The title of a column: a click sorts by the column.

import type { Sort } from "../../lib/sortrows";
import { Elided } from "../elided";
import { runTableTexts } from "../texts";

/** Characters that a narrow column has room for. */
const SHORT = 10;

interface Props {
  readonly title: string;
  readonly hint?: string;
  /** What the table is sorted by, where that is this column. */
  readonly sort: Sort | null;
  /** The place of that among several sorts, from 1 on; null for the only one. */
  readonly place?: number | null;
  /** `adds`: in addition to the other sorts. */
  choose(adds: boolean): void;
}

/** For the attribute `aria-sort` of the cell around it. */
export function ariaSort(sort: Sort | null) {
  return sort === null ? undefined : sort.descending ? "descending" : "ascending";
}

export function ColumnTitle({ title, hint = title, sort, place = null, choose }: Props) {
  return (
    <button
      type="button"
      class="tbwidget-column-title"
      title={`${hint}\n${runTableTexts().sortBy(title)}`}
      onClick={(event) => choose(event.shiftKey)}
    >
      <Elided text={title} short={SHORT} />
      {sort !== null && (
        <i aria-hidden="true">
          {sort.descending ? "▼" : "▲"}
          {place !== null && <sup>{place}</sup>}
        </i>
      )}
    </button>
  );
}
