// The hyperparameters of all runs. Twin of tbwidget/panels/run_attributes.py.

import type { DocumentCodec } from "../../wire/codec";
import { list, row } from "../../wire/columns";
import type { Attribute, RunAttributes } from "../../wire/runfacts";

export const runAttributes: DocumentCodec<RunAttributes> = {
  kind: "run_attributes",
  sort: "document",
  sources: ["hparams"],
  decode: (bytes) => {
    const { names, runs, values } = row(JSON.parse(new TextDecoder().decode(bytes)));
    const known = list(names).map(String);
    const rows = list(values).map(list);
    const byRun = list(runs).map((run, i) => {
      const held = known.map((name, place) => [name, rows[i]?.[place]] as const);
      return [String(run), new Map(held.filter((one): one is [string, Attribute] => isAttribute(one[1])))] as const;
    });
    return { names: known, byRun: new Map(byRun) };
  },
  attributesOf: (value) => value,
};

function isAttribute(value: unknown): value is Attribute {
  return ["number", "string", "boolean"].includes(typeof value);
}
