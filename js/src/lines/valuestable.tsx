// The table of values of the visible cards: within the selected steps, at the linked step, or of all steps.

import { Fragment, type RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatCount, formatValue } from "../lib/format";
import type { CellValue } from "../lib/sortrows";
import { timeAxisOptions, toExactStep } from "../options/shared";
import { CloseButton } from "../ui/dialog";
import { RunName } from "../ui/runname";
import { unfollowed } from "../ui/runs";
import { StepEntry } from "../ui/stepentry";
import { TableFiles } from "../ui/table/files";
import { fileRows, sortedRows, Table, type TableColumn } from "../ui/table/table";
import { shownName } from "../ui/tagtitle";
import { useEverySecond, useOptions, useView, type View } from "../ui/view";
import { scalars as scalarsCodec } from "./codec";
import { compareState } from "./compare";
import { NamedRanges, RangeName } from "./namedranges";
import { compareOptions } from "./options";
import { compareTexts } from "./texts";
import { type ValueFacts, type ValueThere, valuesWithin, valueThere } from "./values";
import "./compare.css";

const WITHIN = ["n", "start", "end", "change", "percent", "min", "max", "mean", "minStep", "maxStep"] as const;
const THERE = ["value", "step"] as const;
const WHOLE: ReadonlySet<string> = new Set(["n", "minStep", "maxStep", "step"]);
/** Exact also where rows are buckets, but for those at the ends of a range. */
const EXACT: ReadonlySet<string> = new Set(["n"]);

type ColumnName = "run" | "tag" | (typeof WITHIN)[number] | (typeof THERE)[number];

export interface ValueRow {
  readonly run: string;
  readonly tag: string;
  readonly color: string;
  /** By the names of the columns; empty where the run lacks the step. */
  readonly facts: { readonly approximate: boolean; readonly cells: ReadonlyMap<ColumnName, CellValue> };
}

export interface Column {
  readonly name: ColumnName;
  readonly isText: boolean;
  readonly isWhole: boolean;
  /** Only about right where rows are buckets. */
  readonly isRounded: boolean;
  cellOf(row: ValueRow): CellValue;
}

function columnsOf(names: readonly ColumnName[]): Column[] {
  return (["run", "tag", ...names] as const).map((name) => ({
    name,
    isText: name === "run" || name === "tag",
    isWhole: WHOLE.has(name),
    isRounded: !EXACT.has(name),
    cellOf: (row) => (name === "run" ? row.run : name === "tag" ? row.tag : (row.facts.cells.get(name) ?? null)),
  }));
}

export const RANGE_COLUMNS = columnsOf(WITHIN);
export const STEP_COLUMNS = columnsOf(THERE);

export function rowsWithin(facts: ValueFacts | null): ValueRow["facts"] | null {
  return (
    facts && {
      approximate: facts.approximate,
      cells: new Map<ColumnName, CellValue>(WITHIN.map((name) => [name, facts[name]])),
    }
  );
}

export function rowThere(there: ValueThere | null): ValueRow["facts"] | null {
  return (
    there && {
      approximate: there.approximate,
      cells: new Map<ColumnName, CellValue>(THERE.map((name) => [name, there[name]])),
    }
  );
}

export function ValuesTable() {
  const { selected_steps } = useOptions(compareOptions);
  const { open } = compareState(useView());
  const section = useRef<HTMLElement>(null);
  const isOpen = open.value || selected_steps.value !== null;
  // The table of another tab was open before.
  const was = useRef(isOpen);
  const opener = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const active = (section.current?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement;
    if (active && !was.current) {
      // A menu closes when the focus leaves it.
      opener.current = (active.closest(".tbwidget-popover")?.querySelector("button") ?? active) as HTMLElement;
      if (open.peek()) {
        section.current?.querySelector("h4")?.focus();
      }
    }
    was.current = isOpen;
  }, [isOpen, open]);
  const close = () => {
    const board = section.current?.closest<HTMLElement>(".tbwidget");
    const back = opener.current;
    (back !== null && board?.contains(back) ? back : board)?.focus();
    open.value = false;
    selected_steps.set(null);
  };
  return isOpen ? <OpenTable section={section} close={close} /> : null;
}

interface OpenProps {
  readonly section: RefObject<HTMLElement | null>;
  close(): void;
}

function OpenTable({ section, close }: OpenProps) {
  const view = useView();
  const { selected_steps } = useOptions(compareOptions);
  const { linked_step } = useOptions(timeAxisOptions);
  const { sorted } = compareState(view);
  const selected = selected_steps.value;
  const linkedTo = () => (selected_steps.value === null ? linked_step.value : null);
  const linked = linkedTo();
  const columns = linked === null ? RANGE_TABLE : STEP_TABLE;
  const sorts = sorted.value;
  // It reads the values of all visible cards.
  const found = useEverySecond(() => {
    const [range, step] = [selected_steps.value, linkedTo()];
    return rowsOf(view, (series) =>
      step === null ? rowsWithin(valuesWithin(series, range)) : rowThere(valueThere(series, step)),
    );
  });
  const rows = useMemo(() => sortedRows(found, sorts, columns), [found, sorts, columns]);
  return (
    <section
      ref={section}
      class="tbwidget-values"
      aria-label={compareTexts().values}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
      }}
    >
      <header>
        <h4 tabIndex={-1}>{compareTexts().values}</h4>
        <span class="tbwidget-quiet">
          {compareTexts().valuesOf[selected !== null ? "selected" : linked === null ? "all" : "linked"]}
          {linked !== null && ` ${formatCount(linked_step.value ?? 0)}`}
        </span>
        <Ends />
        {selected !== null && <RangeName key={selected.join()} steps={selected} />}
        <TableFiles class="tbwidget-link" name="values.csv" rows={() => fileRows(rows, columns)} />
        <CloseButton close={close} />
      </header>
      <NamedRanges />
      {rows.length === 0 ? (
        <p class="tbwidget-quiet">{compareTexts().nothingThere}</p>
      ) : (
        <Table
          columns={columns}
          rows={rows}
          sorts={sorts}
          setSorts={(next) => {
            sorted.value = next;
          }}
          keyOf={keyOf}
          attributesOf={attributesOf}
        />
      )}
    </section>
  );
}

function keyOf({ tag, run }: ValueRow): string {
  return `${tag}\n${run}`;
}

function attributesOf({ tag, run }: ValueRow) {
  return { "data-run": run, "data-values-run": run, "data-values-tag": tag };
}

/** The shown runs of every visible card. */
function rowsOf(
  view: View,
  factsOf: (series: Parameters<typeof valuesWithin>[0]) => ValueRow["facts"] | null,
): ValueRow[] {
  const { channel, options, theme, inSight } = view;
  return inSight.value.flatMap((tag) => {
    const data = channel.store.series(scalarsCodec).tag(tag);
    const byRun = data && unfollowed(data).byRun;
    return channel.store.runs.value.flatMap((run) => {
      const held = options.shows(run) ? byRun?.get(run) : undefined;
      const facts = held === undefined ? null : factsOf(held.series);
      return facts === null ? [] : [{ run, tag, color: options.colorOf.value(run, theme.value), facts }];
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
      {compareTexts().from}
      {([0, 1] as const).map((i) => (
        <Fragment key={i}>
          {i === 1 && compareTexts().to}
          <StepEntry
            shown={selected === null ? null : BigInt(selected[i])}
            label={i === 0 ? compareTexts().firstSelected : compareTexts().lastSelected}
            placeholder="…"
            choose={(step) => set(i, step)}
          />
        </Fragment>
      ))}
      {selected !== null && (
        <button type="button" class="tbwidget-link" data-action="steps.clear" onClick={() => selected_steps.set(null)}>
          {compareTexts().clear}
        </button>
      )}
    </span>
  );
}

/** As the page shows them. */
function tableColumns(columns: readonly Column[]): TableColumn<ValueRow>[] {
  return columns.map((column) => ({
    key: column.name,
    get title() {
      return compareTexts().columns[column.name];
    },
    isText: column.isText,
    cellOf: column.cellOf,
    shown: (row) =>
      column.name === "run" ? <Run row={row} /> : column.name === "tag" ? <Tag row={row} /> : cellText(column, row),
  }));
}

function Run({ row: { run, color } }: { readonly row: ValueRow }) {
  return (
    <span class="tbwidget-values-run">
      <i style={{ background: color }} />
      <RunName run={run} />
    </span>
  );
}

function Tag({ row: { tag } }: { readonly row: ValueRow }) {
  return <span title={tag}>{shownName(useView(), tag) ?? tag}</span>;
}

function cellText({ isText, isWhole, isRounded, cellOf }: Column, row: ValueRow): string {
  const value = cellOf(row);
  if (isText || (typeof value !== "number" && typeof value !== "bigint")) {
    return String(value ?? "");
  }
  const text = isWhole ? formatCount(value) : formatValue(Number(value));
  return row.facts.approximate && isRounded ? compareTexts().approximate(text) : text;
}

const RANGE_TABLE = tableColumns(RANGE_COLUMNS);
const STEP_TABLE = tableColumns(STEP_COLUMNS);
