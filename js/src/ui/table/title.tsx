// The title of a column: a click sorts by the column.

import type { Sort } from "../../lib/sortrows";
import { strings } from "../../lib/strings";
import { Elided } from "../elided";

/** Characters that a narrow column has room for. */
const SHORT = 10;

interface Props {
  readonly title: string;
  readonly hint?: string;
  /** What the table is sorted by, where that is this column. */
  readonly sort: Sort | null;
  choose(): void;
}

/** For the attribute `aria-sort` of the cell around it. */
export function ariaSort(sort: Sort | null) {
  return sort === null ? undefined : sort.descending ? "descending" : "ascending";
}

export function ColumnTitle({ title, hint = title, sort, choose }: Props) {
  return (
    <button
      type="button"
      class="tbwidget-column-title"
      title={`${hint}\n${strings.runTable.sortBy(title)}`}
      onClick={choose}
    >
      <Elided text={title} short={SHORT} />
      {sort !== null && <i>{sort.descending ? "▾" : "▴"}</i>}
    </button>
  );
}
