// Texts of several runs that are data, entry by entry: a table with a column for each run.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { itemSource, useWantedItem } from "../../items/source";
import { formatCount } from "../../lib/format";
import type { Sort } from "../../lib/sortrows";
import { TableFiles } from "../../ui/table/files";
import { sortedRows, Table, type TableColumn } from "../../ui/table/table";
import { uiTexts } from "../../ui/texts";
import { useView, type View } from "../../ui/view";
import { type TextPlace, textItems } from "./codec";
import { breakLongWords } from "./content";
import { type Branch, type DifferenceRow, dataIn, differencesOf, type FlatData, flatData } from "./data";
import type { RunTexts } from "./runs";
import { textPanelTexts } from "./texts";
import { countUpTo } from "./window";
import "./data.css";

/** Runs and entries that are compared. */
const MAX_RUNS = 100;
const MAX_ROWS = 2_000;

/** Characters of a cell. */
const MAX_CELL = 200;

/** The last text of each run, or the last up to a step. */
function placesOf(tag: string, runs: readonly RunTexts[], linked: bigint | null): TextPlace[] {
  return runs.flatMap(({ run, rows }) => {
    const row = rows[(linked === null ? rows.length : countUpTo(rows, linked)) - 1];
    return row === undefined ? [] : [{ tag, run, row }];
  });
}

function rootAt({ channel }: View, place: TextPlace): Branch | null {
  const found = itemSource(channel, textItems).item(place);
  return found.state === "held" ? (dataIn(found.value)?.root ?? null) : null;
}

/** Whether the page holds data of two runs. Subscribes the component that calls it. */
export function hasDifferences(view: View, tag: string, runs: readonly RunTexts[], linked: bigint | null): boolean {
  let count = 0;
  return placesOf(tag, runs.slice(0, MAX_RUNS), linked).some((place) => {
    count += rootAt(view, place) === null ? 0 : 1;
    return count === 2;
  });
}

const flats = new WeakMap<Branch, FlatData>();

function flatOf(root: Branch): FlatData {
  const flat = flats.get(root) ?? flatData(root);
  flats.set(root, flat);
  return flat;
}

interface Props {
  readonly tag: string;
  readonly runs: readonly RunTexts[];
  readonly linked: bigint | null;
  shown(entry: object, step: bigint | null): void;
}

export function Differences({ tag, runs, linked, shown }: Props) {
  const view = useView();
  const all = useSignal(false);
  const sorts = useSignal<readonly Sort[]>([]);
  const places = placesOf(tag, runs, linked);
  const wanted = places.slice(0, MAX_RUNS);
  const texts = wanted.flatMap((place) => {
    const root = rootAt(view, place);
    return root === null ? [] : [{ place, flat: flatOf(root) }];
  });
  const flat = useSame(texts.map((text) => text.flat));
  const names = useSame(texts.map(({ place }) => place.run));
  const found = useMemo(() => differencesOf(flat, MAX_ROWS), [flat]);
  const columns = useMemo(() => columnsOf(names), [names]);
  const differing = found.filter(({ differs }) => differs);
  const equal = found.length - differing.length;
  const rows = sortedRows(all.value ? found : differing, sorts.value, columns);
  const steps = texts.map(({ place }) => place.row.step);
  const last = steps.reduce<bigint | null>((a, b) => (a === null || b > a ? b : a), null);
  const entry = useRef({}).current;
  useLayoutEffect(() => {
    shown(entry, last);
    return () => shown(entry, null);
  }, [shown, entry, last]);
  return (
    <div class="tbwidget-differences">
      {wanted.map((place) => (
        <Wanted key={place.run} place={place} />
      ))}
      <header>
        {differing.length === 0 && <span>{textPanelTexts().allEqual}</span>}
        {equal > 0 && (
          <>
            {!all.value && <span>{textPanelTexts().equalHidden(equal, formatCount(equal))}</span>}
            <button
              type="button"
              class="tbwidget-link"
              onClick={() => {
                all.value = !all.value;
              }}
            >
              {all.value ? textPanelTexts().hideEqual : uiTexts().showAll}
            </button>
          </>
        )}
        <span>
          {texts.length < places.length &&
            textPanelTexts().runsCompared(formatCount(texts.length), formatCount(places.length))}{" "}
          {found.length === MAX_ROWS && textPanelTexts().firstEntries(formatCount(MAX_ROWS))}
        </span>
        <TableFiles
          class="tbwidget-link"
          name="differences.csv"
          rows={() => [
            [textPanelTexts().entryColumn, ...names],
            ...rows.map(({ path, values }) => [path, ...values.map((value) => value ?? "")]),
          ]}
        />
      </header>
      {rows.length > 0 && (
        <Table
          columns={columns}
          rows={rows}
          sorts={sorts.value}
          setSorts={(next) => {
            sorts.value = next;
          }}
          keyOf={({ id }) => id}
          attributesOf={({ path, differs }) => ({ "data-entry": path, "data-differs": differs ? "" : undefined })}
        />
      )}
    </div>
  );
}

function Wanted({ place }: { readonly place: TextPlace }) {
  useWantedItem(textItems, place, { pushed: true });
  return null;
}

/** The list of the last time, while it has the same elements. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const last = useRef(list);
  if (list.length !== last.current.length || list.some((one, i) => one !== last.current[i])) {
    last.current = list;
  }
  return last.current;
}

function columnsOf(names: readonly string[]): TableColumn<DifferenceRow>[] {
  const entry: TableColumn<DifferenceRow> = {
    key: "",
    title: textPanelTexts().entryColumn,
    isText: true,
    cellOf: ({ path }) => path,
    shown: ({ path }) => cell(path),
  };
  const ofRuns = names.map(
    (run, i): TableColumn<DifferenceRow> => ({
      key: ` ${run}`,
      title: run,
      isText: true,
      cellOf: ({ values }) => values[i] ?? null,
      shown: ({ values }) => cell(values[i] ?? null),
    }),
  );
  return [entry, ...ofRuns];
}

function cell(text: string | null) {
  return text === null ? (
    <span class="tbwidget-quiet">{textPanelTexts().missing}</span>
  ) : (
    <bdi title={text}>{breakLongWords(text.slice(0, MAX_CELL))}</bdi>
  );
}
