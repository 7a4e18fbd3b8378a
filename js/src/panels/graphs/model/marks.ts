// What is drawn beside boxes: embedded nodes, and ends of edges that are not drawn as lines.

import { MarkKind, type Marks } from "../layout/types";
import { Embedded, type Structure } from "./structure";
import { rowOf, rowsBy } from "./tree";
import type { View } from "./view";

/** Icons on a side of a box; behind them stands how many there are more. */
const MOST_MARKS = 5;

/** An end of a group of edges that is not drawn as a line all the way. */
export interface Partner {
  readonly box: number;
  /** As in `Marks`. */
  readonly side: 0 | 1;
  /** The box at the other end. */
  readonly about: number;
  readonly control: 0 | 1;
}

interface Mark {
  readonly kind: number;
  readonly about: number;
  readonly label: string;
  readonly control: 0 | 1;
}

/** The marks of all boxes; `labels` are those written on boxes. */
export function makeMarks(
  view: View,
  structure: Structure | null,
  labels: readonly string[],
  partners: readonly Partner[],
  hiddenOps: ReadonlySet<string> | undefined,
): Marks {
  const partnersAt = rowsBy(
    partners.map(({ box, side }) => 2 * box + side),
    2 * view.count,
  );
  const box: number[] = [];
  const side: number[] = [];
  const made: Mark[] = [];
  for (let row = 0; row < 2 * view.count; row += 1) {
    const at = row >> 1;
    const marks =
      structure === null ? [] : embeddedBeside(structure, view.entry[at] as number, row % 2 === 1, hiddenOps);
    for (const number of rowOf(partnersAt, row)) {
      const { about, control } = partners[number] as Partner;
      marks.push({ kind: MarkKind.PARTNER, about, label: labels[about] as string, control });
    }
    const more = marks.length - MOST_MARKS;
    if (more > 0) {
      marks.splice(MOST_MARKS, more, { kind: MarkKind.MORE, about: more, label: `+${more}`, control: 0 });
    }
    for (const mark of marks) {
      box.push(at);
      side.push(row % 2);
      made.push(mark);
    }
  }
  return {
    count: made.length,
    box: Int32Array.from(box),
    kind: Uint8Array.from(made, ({ kind }) => kind),
    side: Uint8Array.from(side),
    about: Int32Array.from(made, ({ about }) => about),
    label: made.map(({ label }) => label),
    control: Uint8Array.from(made, ({ control }) => control),
  };
}

/** What is embedded beside a node: summaries on the side of its outputs, all else on that of its inputs. */
function embeddedBeside(
  structure: Structure,
  node: number,
  summaries: boolean,
  hiddenOps: ReadonlySet<string> | undefined,
): Mark[] {
  const { root, annotations, embedded, op, ops } = structure;
  if (node < 0 || node >= root) {
    return [];
  }
  const shown = rowOf(annotations, node).filter(
    (other) =>
      (embedded[other] === Embedded.SUMMARY) === summaries &&
      hiddenOps?.has(ops[op[other] as number] as string) !== true,
  );
  return Array.from(shown, (other) => ({
    kind: embedded[other] as number,
    about: other,
    label: embeddedLabel(structure, other),
    control: 0,
  }));
}

/** The last part of an embedded node's name, or what it does. */
function embeddedLabel({ labels, callLabels }: Structure, node: number): string {
  const label = labels[node] as string;
  return callLabels.get(node) ?? (label.slice(label.lastIndexOf("/") + 1) || label);
}
