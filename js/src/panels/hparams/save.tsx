// The menu that saves and copies the table as it is shown, with its columns, rows and order, and pictures of the plots.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { delimited } from "../../lib/delimited";
import { formatCount } from "../../lib/format";
import { MenuLabel, Popover } from "../../ui/popover";
import { savableCards } from "../../ui/save/cards";
import { CodeItem } from "../../ui/save/code";
import { Item } from "../../ui/save/item";
import { PictureItems } from "../../ui/save/pictureitems";
import { saveTexts } from "../../ui/save/texts";
import { copyText, saveFile } from "../../ui/savefile";
import { fileRows, type TableColumn } from "../../ui/table/table";
import { useView } from "../../ui/view";
import { type TableRow, type TableState, tableOf } from "./table";
import { hparamsTexts } from "./texts";

const STEM = "hparams";

const FORMATS = ["csv", "json", "markdown"] as const;

type Format = (typeof FORMATS)[number];

const FILES: Readonly<Record<Format, readonly [extension: string, type: string]>> = {
  csv: ["csv", "text/csv"],
  json: ["json", "application/json"],
  markdown: ["md", "text/markdown"],
};

export function SaveTable() {
  const view = useView();
  const table = tableOf(view);
  const root = useRef<HTMLSpanElement>(null);
  const message = useSignal<string | null>(null);
  const copy = async (text: string) => {
    message.value = (await copyText(text, root.current ?? document.body))
      ? hparamsTexts().copied
      : hparamsTexts().notCopied;
  };
  return (
    <span ref={root} class="tbwidget-save-menu">
      <Popover label={<MenuLabel text={saveTexts().save} />} title={hparamsTexts().saveHint}>
        {(close) => {
          const count = table.rows.value.length;
          return (
            <>
              <h4>{saveTexts().data}</h4>
              <p>{hparamsTexts().rowsAndColumns(count, formatCount(count), table.columns.value.length)}</p>
              <ul>
                {FORMATS.map((format) => (
                  <Item
                    key={format}
                    name={format === "markdown" ? hparamsTexts().asMarkdown : saveTexts().formats[format]}
                    action={`save.${format}`}
                    chosen={() => {
                      const [extension, type] = FILES[format];
                      saveFile(new Blob([textIn(format, table)], { type }), `${STEM}.${extension}`);
                      close();
                    }}
                  />
                ))}
                <Item
                  name={saveTexts().copyData}
                  action="save.copy"
                  chosen={() => void copy(delimited(cellsOf(table), "\t"))}
                />
                <Item
                  name={hparamsTexts().copyMarkdown}
                  action="save.copy_markdown"
                  chosen={() => void copy(textIn("markdown", table))}
                />
              </ul>
              {table.state.options.hparams_plots.value.length > 0 && (
                <section>
                  <PictureItems
                    stem={STEM}
                    heading={hparamsTexts().title}
                    cards={() => savableCards(view)}
                    said={(said) => {
                      message.value = said;
                    }}
                  />
                </section>
              )}
              <CodeItem close={close} />
              {message.value !== null && <p role="status">{message.value}</p>}
            </>
          );
        }}
      </Popover>
    </span>
  );
}

function cellsOf(table: TableState) {
  return fileRows(table.rows.peek(), columnsOf(table));
}

interface FileColumn extends TableColumn<TableRow> {
  shown(row: TableRow): string;
}

/** Columns that say what the page says beside its table: which values of metrics these are, and of how many trials. */
function columnsOf(table: TableState): readonly FileColumn[] {
  const { state } = table;
  const values = hparamsTexts().metricValues[state.options.hparams_metric.peek()];
  const columns = table.columns.peek().map((column): FileColumn => {
    const isStale = state.isStale.peek() && state.columnOf(column.key)?.kind === "metric";
    const named = (name: string) => (isStale ? hparamsTexts().ofValues(name, values) : name);
    const shown = (row: TableRow) => table.textOf(column.key, row);
    return { ...column, key: named(column.key), title: named(column.title), shown };
  });
  const withSteps =
    state.options.hparams_at.peek() === null || state.isStale.peek() ? columns : stepsBeside(table, columns);
  if (state.members.peek() === null) {
    return withSteps;
  }
  const groupOf = (row: TableRow) => table.groupOf(row);
  const trialsOf = (row: TableRow) => table.trialsOf(row).length;
  return [
    ...withSteps.slice(0, 1),
    { key: "group", title: hparamsTexts().fixed.group, isText: true, cellOf: groupOf, shown: groupOf },
    {
      key: "trials",
      title: hparamsTexts().trialsTitle,
      isText: false,
      cellOf: trialsOf,
      shown: (row) => String(trialsOf(row)),
    },
    ...withSteps.slice(1),
  ];
}

/** The columns, and before the metrics the best step; of trials that differ in it, both ends. */
function stepsBeside(table: TableState, columns: readonly FileColumn[]): readonly FileColumn[] {
  const { state } = table;
  const first = columns.findIndex(({ key }) => state.columnOf(key)?.kind === "metric");
  const at = first < 0 ? columns.length : first;
  const cellOf = (row: TableRow) => {
    const [from, to] = table.bestStepsOf(row) ?? [];
    return from === undefined || to === undefined ? null : from === to ? exactNumber(from) : `${from}–${to}`;
  };
  const shown = (row: TableRow) => String(cellOf(row) ?? "");
  return [
    ...columns.slice(0, at),
    { key: "step", title: hparamsTexts().bestStep, isText: false, cellOf, shown },
    ...columns.slice(at),
  ];
}

/** The step as a number; one that is too large for that as text. */
function exactNumber(step: bigint): number | string {
  const number = Number(step);
  return Number.isSafeInteger(number) ? number : String(step);
}

export function textIn(format: Format, table: TableState): string {
  if (format === "csv") {
    return delimited(cellsOf(table), ",");
  }
  if (format === "json") {
    const columns = columnsOf(table);
    // JSON has no NaN and no infinities: they are strings.
    const plain = (value: unknown) =>
      typeof value === "number" && !Number.isFinite(value) ? String(value) : (value ?? null);
    const rows = table.rows
      .peek()
      .map((row) => Object.fromEntries(columns.map(({ key, cellOf }) => [key, plain(cellOf(row))])));
    return `${JSON.stringify(rows, null, 1)}\n`;
  }
  return markdown(table);
}

/** As people read it: with the titles and texts of the page. */
function markdown(table: TableState): string {
  const columns = columnsOf(table);
  const row = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |\n`;
  const body = table.rows.peek().map((at) => row(columns.map(({ shown }) => shown(at))));
  const rule = `|${columns.map(({ isText }) => (isText ? " --- |" : " ---: |")).join("")}\n`;
  return row(columns.map(({ title }) => title)) + rule + body.join("");
}

/** Nothing in a cell is markup, or ends it. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~&!$]/g, "\\$&").replace(/\s+/g, " ");
}
