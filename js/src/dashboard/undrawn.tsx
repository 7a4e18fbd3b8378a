// What was logged and has no tab: each kind with the Python that reads it, hyperparameters as columns of the run list.

import { HPARAM } from "../lib/runcolumns";
import { strings } from "../lib/strings";
import { useView } from "../ui/view";
import type { AnyCodec } from "../wire/codec";
import type { RunAttributes } from "../wire/runfacts";

/** Hyperparameters that one click adds to the run list: with more, it would cover the charts. */
export const MAX_ADDED_COLUMNS = 6;

interface Props {
  /** Kinds that have data and no panel. */
  readonly kinds: readonly string[];
  /** Opens the list of runs. */
  openRuns(): void;
}

export function Undrawn({ kinds: undrawn, openRuns }: Props) {
  const { options, channel } = useView();
  const { run_columns } = options.runTable;
  const { store } = channel;
  const attributes = store.runAttributes.value;
  const hasColumns = run_columns.value.some((key) => key.startsWith(HPARAM));
  const columns = hasColumns ? [] : columnsToAdd(attributes);
  const listed = attributes.names.length > 0 ? attributeSources(store.codecs.values()) : [];
  const kinds = undrawn.filter((kind) => !listed.includes(kind));
  if (kinds.length === 0 && columns.length === 0) {
    return null;
  }
  const names: Readonly<Record<string, string>> = strings.kinds;
  const readers: Readonly<Record<string, string>> = strings.undrawn.readers;
  const code = kinds.map((kind) => readers[kind]).filter((one) => one !== undefined);
  return (
    <p class="tbwidget-hint tbwidget-undrawn">
      {kinds.length > 0 && <span>{strings.undrawn.kinds(kinds.map((kind) => names[kind] ?? kind))}</span>}
      {code.length > 0 && (
        <span title={strings.undrawn.logsHint}>
          {strings.undrawn.inPython}{" "}
          {code.map((one) => (
            <code key={one}>{one}</code>
          ))}
        </span>
      )}
      {columns.length > 0 && (
        <span>
          {strings.undrawn.hparams}{" "}
          <button
            type="button"
            class="tbwidget-link"
            title={columns.join("\n")}
            onClick={() => {
              run_columns.set([...run_columns.peek(), ...columns.map((name) => HPARAM + name)]);
              openRuns();
            }}
          >
            {strings.undrawn.showColumns(columns.length, attributes.names.length)}
          </button>
        </span>
      )}
    </p>
  );
}

/** The kinds of data in the logs that the run list shows as attributes of runs. */
function attributeSources(codecs: Iterable<AnyCodec>): string[] {
  return [...codecs].flatMap((codec) =>
    codec.sort === "document" && codec.attributesOf !== undefined ? [...(codec.sources ?? [codec.kind])] : [],
  );
}

/** Names of hyperparameters for columns: those that differ between runs first, else in the order logged. */
export function columnsToAdd({ names, byRun }: RunAttributes): string[] {
  const runs = [...byRun.values()];
  const differs = (name: string) => new Set(runs.map((values) => values.get(name))).size > 1;
  return [...names.filter(differs), ...names.filter((name) => !differs(name))].slice(0, MAX_ADDED_COLUMNS);
}
