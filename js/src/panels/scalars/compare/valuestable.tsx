// The table of values of the cards in sight: within the selected steps, at the linked step, or of all steps.

import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { delimited } from "../../../lib/delimited";
import { formatCount, formatValue } from "../../../lib/format";
import { strings } from "../../../lib/strings";
import { stepNumber, timeAxisOptions, toExactStep } from "../../../options/shared";
import { copyText } from "../../../ui/clipboard";
import { RunName } from "../../../ui/runname";
import { runsOf } from "../../../ui/runs";
import { saveFile } from "../../../ui/savefile";
import { StepEntry } from "../../../ui/stepentry";
import { useOptions, useView, type View } from "../../../ui/view";
import { scalars as scalarsCodec } from "../kind/codec";
import { compareOptions } from "../options";
import { compareState } from "./state";
import { type Column, RANGE_COLUMNS, rowsWithin, rowThere, STEP_COLUMNS, sortedBy, type ValueRow } from "./valuerows";
import { valuesWithin, valueThere } from "./values";

const { compare: texts } = strings;

/** Rows that are shown; all are copied and saved. */
const MOST_ROWS = 200;

/** Milliseconds for which the message stays that it was copied. */
const SAID = 2000;

export function ValuesTable() {
  const view = useView();
  const { selected_steps } = useOptions(compareOptions);
  const { linked_step } = useOptions(timeAxisOptions);
  const { open } = compareState(view);
  const selected = selected_steps.value;
  if (!open.value && selected === null) {
    return null;
  }
  const linked = selected === null ? stepNumber(linked_step.value) : null;
  const columns = linked === null ? RANGE_COLUMNS : STEP_COLUMNS;
  const rows = rowsOf(view, (series) =>
    linked === null ? rowsWithin(valuesWithin(series, selected)) : rowThere(valueThere(series, linked)),
  );
  const close = () => {
    open.value = false;
    selected_steps.set(null);
  };
  return (
    <section class="tbwidget-values" aria-label={texts.valuesTable}>
      <header>
        <strong>{texts.valuesTable}</strong>
        <span class="tbwidget-quiet">
          {texts.valuesOf[selected !== null ? "selected" : linked === null ? "all" : "linked"]}
          {linked !== null && ` ${formatCount(linked_step.value ?? 0)}`}
        </span>
        <Ends />
        <Export columns={columns} rows={rows} />
        <button
          type="button"
          class="tbwidget-values-close"
          aria-label={texts.close}
          title={texts.close}
          onClick={close}
        >
          ×
        </button>
      </header>
      {rows.length === 0 ? <p class="tbwidget-quiet">{texts.nothingThere}</p> : <Table columns={columns} rows={rows} />}
    </section>
  );
}

/** Of every card in sight, its runs that are shown. */
function rowsOf(
  view: View,
  factsOf: (series: Parameters<typeof valuesWithin>[0]) => ValueRow["facts"] | null,
): ValueRow[] {
  const store = view.channel.store.series(scalarsCodec);
  return view.inSight.value.flatMap((tag) => {
    const data = store.tag(tag);
    void data?.version.value;
    return (data === undefined ? [] : runsOf(data, view)).flatMap(({ run, colour, series }) => {
      const facts = factsOf(series);
      return facts === null ? [] : [{ run, tag, colour, facts }];
    });
  });
}

/** The selected steps as numbers to be typed. */
function Ends() {
  const { selected_steps } = useOptions(compareOptions);
  const selected = selected_steps.value;
  const set = (i: 0 | 1, step: bigint | null) => {
    if (step === null) {
      selected_steps.set(null);
      return;
    }
    const typed = toExactStep(step);
    const other = selected?.[1 - i] ?? typed;
    selected_steps.set(typed <= other ? [typed, other] : [other, typed]);
  };
  return (
    <span class="tbwidget-values-ends">
      {texts.from}
      {([0, 1] as const).map((i) => (
        <Fragment key={i}>
          {i === 1 && texts.to}
          <StepEntry
            shown={selected === null ? null : BigInt(selected[i])}
            label={i === 0 ? texts.firstSelected : texts.lastSelected}
            placeholder="…"
            choose={(step) => set(i, step)}
          />
        </Fragment>
      ))}
      {selected !== null && (
        <button type="button" class="tbwidget-link" title={texts.clearHint} onClick={() => selected_steps.set(null)}>
          {texts.clear}
        </button>
      )}
    </span>
  );
}

interface TableProps {
  readonly columns: readonly Column[];
  readonly rows: readonly ValueRow[];
}

function Export({ columns, rows }: TableProps) {
  const message = useSignal<string | null>(null);
  const view = useView();
  const text = (separator: "," | "\t") => {
    const sorted = sortedBy(rows, compareState(view).sorted.peek(), columns);
    const head = columns.map(({ name }) => name);
    return delimited([head, ...sorted.map((row) => columns.map(({ cellOf }) => cellOf(row)))], separator);
  };
  return (
    <>
      <button
        type="button"
        class="tbwidget-link"
        title={texts.copyHint}
        onClick={async ({ currentTarget }) => {
          message.value = (await copyText(text("\t"), currentTarget.parentElement ?? currentTarget))
            ? texts.copied
            : texts.notCopied;
          setTimeout(() => {
            message.value = null;
          }, SAID);
        }}
      >
        {message.value ?? texts.copy}
      </button>
      <button
        type="button"
        class="tbwidget-link"
        title={texts.csvHint}
        onClick={() => saveFile(new Blob([text(",")], { type: "text/csv" }), "values.csv")}
      >
        {texts.csv}
      </button>
    </>
  );
}

function Table({ columns, rows }: TableProps) {
  const { sorted } = compareState(useView());
  const by = sorted.value;
  const shown = sortedBy(rows, by, columns).slice(0, MOST_ROWS);
  const left = rows.length - shown.length;
  return (
    <div class="tbwidget-values-rows">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, isText }) => {
              const own = by?.column === name ? by : null;
              return (
                <th
                  key={name}
                  data-text={isText ? "" : undefined}
                  aria-sort={own === null ? "none" : own.down ? "descending" : "ascending"}
                >
                  <button
                    type="button"
                    onClick={() => {
                      // Down and up, or up and down, then as the cards stand.
                      const first = !isText;
                      sorted.value =
                        own === null
                          ? { column: name, down: first }
                          : own.down === first
                            ? { column: name, down: !first }
                            : null;
                    }}
                  >
                    {texts.columns[name]}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.tag}\n${row.run}`} data-values-run={row.run} data-values-tag={row.tag}>
              {columns.map((column) => (
                <td key={column.name} data-text={column.isText ? "" : undefined} data-column={column.name}>
                  {column.name === "run" ? (
                    <span class="tbwidget-values-run">
                      <i style={{ background: row.colour }} />
                      <RunName run={row.run} />
                    </span>
                  ) : (
                    cellText(column, row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p class="tbwidget-quiet">{texts.rowsLeftOut(formatCount(left))}</p>}
    </div>
  );
}

function cellText({ isText, isWhole, isRounded, cellOf }: Column, row: ValueRow): string {
  const value = cellOf(row);
  if (isText || typeof value === "string") {
    return String(value);
  }
  const text = isWhole ? formatCount(value) : formatValue(Number(value));
  return row.facts.approximate && isRounded ? texts.approximate(text) : text;
}
