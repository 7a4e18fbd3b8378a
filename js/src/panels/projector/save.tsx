// The menu that saves the points of a card as CSV, or a picture of it.

import { useSignal } from "@preact/signals";
import { type Cell, delimited } from "../../lib/delimited";
import { safeName } from "../../lib/filenames";
import { formatCount } from "../../lib/format";
import { Popover } from "../../ui/popover";
import { savableCards } from "../../ui/save/cards";
import { PictureItems } from "../../ui/save/pictureitems";
import { saveFile } from "../../ui/savefile";
import { useView } from "../../ui/view";
import type { Points } from "./codec";
import type { Projection } from "./projecting";
import { projectorTexts } from "./texts";
import "../../ui/save/save.css";

/** Rows that become text at once. */
const CHUNK_ROWS = 5000;

/** Saves points: their rows, places and metadata. The page goes on between the chunks. */
export async function savePoints(
  tag: string,
  points: Points,
  projection: Projection,
  chosen: readonly number[] | null,
): Promise<void> {
  const { columns } = points;
  const rows = chosen ?? Array.from({ length: points.count }, (_, i) => i);
  const head: Cell[] = [projectorTexts().index, ...projection.axes, ...columns.map(({ name }) => name)];
  const cells = (point: number): Cell[] => [
    point,
    ...projection.planes.slice(0, projection.axes.length).map((plane) => numberOrEmpty(plane[point] as number)),
    ...columns.map((column) =>
      column.sort === "text"
        ? (column.values[column.codes[point] as number] ?? "")
        : numberOrEmpty(column.numbers[point] as number),
    ),
  ];
  const parts = [delimited([head], ",")];
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    await new Promise((resolve) => setTimeout(resolve));
    parts.push(delimited(rows.slice(from, from + CHUNK_ROWS).map(cells), ","));
  }
  saveFile(new Blob(parts, { type: "text/csv" }), `${["projector", safeName(tag)].filter(Boolean).join("_")}.csv`);
}

function numberOrEmpty(number: number): Cell {
  return Number.isNaN(number) ? "" : number;
}

interface Props {
  readonly tag: string;
  readonly points: Points;
  readonly projection: Projection;
}

export function SavePoints({ tag, points, projection }: Props) {
  const view = useView();
  const message = useSignal<string | null>(null);
  return (
    <span class="tbwidget-save-menu">
      <Popover label={projectorTexts().save} title={projectorTexts().saveHint}>
        {(close) => (
          <div data-lm-suppress-shortcuts="true">
            <h4>{projectorTexts().data}</h4>
            <p>{projectorTexts().savePoints(points.count, formatCount(points.count))}</p>
            <ul>
              <li>
                <button
                  type="button"
                  onClick={() => {
                    void savePoints(tag, points, projection, null);
                    close();
                  }}
                >
                  {projectorTexts().saveAll}
                </button>
              </li>
            </ul>
            <PictureItems
              stem={["projector", safeName(tag)].filter(Boolean).join("_")}
              heading={tag}
              cards={() => savableCards(view).filter(({ tags }) => tags.includes(tag))}
              said={(said) => {
                message.value = said;
              }}
            />
            {message.value !== null && (
              <p class="tbwidget-save-status" role="status">
                {message.value}
              </p>
            )}
          </div>
        )}
      </Popover>
    </span>
  );
}
