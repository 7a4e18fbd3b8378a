// What is said about the session below the pointer in a plot.

import { formatCount } from "../../lib/format";
import type { Column } from "./columns";
import { labelOf } from "./parallel/axes";
import { parallelTexts } from "./parallel/texts";
import type { HParamsState } from "./sessions";

/** Columns that are listed. */
const MAX_LISTED = 14;

interface TooltipProps {
  readonly row: number;
  readonly columns: readonly Column[];
  readonly state: HParamsState;
}

export function SessionTooltip({ row, columns, state }: TooltipProps) {
  const session = state.sessions.peek().rows[row];
  const more = columns.length - MAX_LISTED;
  const step = state.bestStepText(row);
  return (
    <div class="tbwidget-parallel-tooltip">
      <p>
        <i style={{ background: state.colorOf(row) }} />
        <b>{session?.group ?? session?.run}</b>
      </p>
      <table>
        <tbody>
          {columns.slice(0, MAX_LISTED).map((column) => (
            <tr key={column.key}>
              <th>{column.title}</th>
              <td>{labelOf(column.values[row])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {step !== "" && <p class="tbwidget-quiet">{step}</p>}
      {more > 0 && <p class="tbwidget-quiet">{parallelTexts().moreColumns(more, formatCount(more))}</p>}
    </div>
  );
}
