// The hyperparameters: the goal metric, plots of all sessions, and their table.

import { useSignal } from "@preact/signals";
import type { Sort } from "../../lib/sortrows";
import { Table, type TableColumn } from "../../ui/table/table";
import { useOptions } from "../../ui/view";
import { hparamsOptions } from "./options";
import { Parallel } from "./parallel/parallel";
import { Importance } from "./scatter/importances";
import { Scatter } from "./scatter/scatter";
import { type Column, useHParams } from "./sessions";

export function HParamsToolbar() {
  return <div class="tbwidget-toolbar" />;
}

export function HParamsPanel() {
  const { sessions, shown, columns } = useHParams();
  const { hparams_plots, hparams_sort } = useOptions(hparamsOptions);
  const sort = useSignal<Sort | null>(null);
  const { rows } = sessions.value;
  const of = ({ key, title, hint, type, values }: Column): TableColumn<number> => ({
    ...{ key, title, hint, isText: type === "text" },
    cellOf: (row) => values[row] ?? null,
    shown: (row) => String(values[row] ?? ""),
  });
  const run: TableColumn<number> = {
    ...{ key: "run", title: "Run", isText: true },
    cellOf: (row) => rows[row]?.run ?? null,
    shown: (row) => rows[row]?.run,
  };
  return (
    <div class="tbwidget-hparams">
      <Importance />
      {hparams_plots.value.includes("parallel") && <Parallel />}
      {hparams_plots.value.includes("scatter") && <Scatter />}
      <Table
        columns={[run, ...columns.value.map(of)]}
        rows={shown.value}
        sort={sort.value}
        setSort={(by) => {
          sort.value = by;
          hparams_sort.set(by === null ? [] : [`${by.descending ? "-" : ""}${by.key}`]);
        }}
        keyOf={(row) => rows[row]?.key ?? ""}
        attributesOf={(row) => ({ "data-run": rows[row]?.run ?? "" })}
      />
    </div>
  );
}
