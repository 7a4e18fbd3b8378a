// What the pointer is near, run by run.

import type { Signal } from "@preact/signals";
import { formatValue } from "../../lib/format";
import { strings } from "../../lib/strings";
import type { Hover } from "./chart";

const MOST_ROWS = 8;

export function Tooltip({ hover }: { readonly hover: Signal<Hover | null> }) {
  const near = hover.value;
  if (near === null || near.rows.length === 0) {
    return null;
  }
  const rows = near.rows.slice(0, MOST_ROWS);
  const more = near.rows.length - rows.length;
  const onLeft = near.left > near.width / 2;
  const place = onLeft ? { right: `${near.width - near.left + 12}px` } : { left: `${near.left + 12}px` };
  return (
    <div class="tbwidget-tooltip" style={place}>
      <table>
        <tbody>
          {rows.map((row) => (
            <tr key={row.run}>
              <td>
                <i style={{ background: row.colour }} />
              </td>
              <td class="tbwidget-run-name">{row.run}</td>
              <td class="tbwidget-number">{formatValue(row.value)}</td>
              <td class="tbwidget-number tbwidget-quiet">{row.step}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="tbwidget-quiet">{strings.moreRuns(more)}</p>}
    </div>
  );
}
