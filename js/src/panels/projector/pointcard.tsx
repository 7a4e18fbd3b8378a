// The card of one point: its picture and its metadata.

import { useEffect, useRef } from "preact/hooks";
import { pixelRatio } from "../../charts/pixelratio";
import { formatCount, formatValue } from "../../lib/format";
import { type Column, cellText, type Points } from "./codec";
import { drawSprite, type Sheet } from "./sheet";
import { projectorTexts } from "./texts";

/** Columns and characters that are shown; a table of all is saved. */
const MAX_COLUMNS = 12;
const MAX_LENGTH = 80;

interface Props {
  readonly points: Points;
  readonly point: number;
  readonly labels: Column | null;
  readonly sheet: Sheet | null;
  /** Shown first, with a dot of this color. */
  readonly colored: { readonly column: Column; readonly color: string } | null;
}

export function PointCard({ points, point, labels, sheet, colored }: Props) {
  const first = [colored?.column, labels].filter((column) => column != null);
  const columns = [...new Set([...first, ...points.columns])];
  return (
    <div class="tbwidget-projector-point" data-point={point}>
      {sheet !== null && <Sprite sheet={sheet} point={point} side={64} />}
      <table>
        <tbody>
          <tr>
            <td>{colored !== null && <i style={{ background: colored.color }} />}</td>
            <td>{projectorTexts().index}</td>
            <td>{formatCount(point)}</td>
          </tr>
          {columns.slice(0, MAX_COLUMNS).map((column) => (
            <tr key={column.name}>
              <td />
              <td title={column.name}>{shortened(column.name, 24)}</td>
              <td title={cellText(column, point)}>{shortened(readable(column, point), MAX_LENGTH)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {columns.length > MAX_COLUMNS && (
        <small>{projectorTexts().more(formatCount(columns.length - MAX_COLUMNS))}</small>
      )}
    </div>
  );
}

/** The value of a point; a number that is not whole has few digits, and all of them in the title. */
function readable(column: Column, point: number): string {
  const number = column.sort === "number" ? (column.numbers[point] as number) : Number.NaN;
  return Number.isNaN(number) || Number.isInteger(number) ? cellText(column, point) : formatValue(number);
}

export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The picture of a point in a square of `side` CSS pixels. */
export function Sprite({ sheet, point, side }: { sheet: Sheet; point: number; side: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element && context) {
      element.width = element.height = Math.round(side * pixelRatio());
      drawSprite(context, sheet, point, 0, 0, element.width);
    }
  }, [sheet, point, side]);
  return <canvas ref={canvas} style={{ width: `${side}px`, height: `${side}px` }} />;
}
