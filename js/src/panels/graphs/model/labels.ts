// What is written on boxes: of siblings whose names begin alike, what tells them apart.

import { rowOf, rowsBy } from "./tree";
import type { View } from "./view";

/** Beginnings shorter than that are not worth leaving out. */
const FEWEST = 4;

const SEPARATOR = /[\s_./:-]/u;
const DIGIT = /[0-9]/;
const LETTER = /\p{L}/u;

/** Of each box its label, without the beginning that it shares with all boxes beside it or with the box around it. */
export function writtenLabels({ count, parent, label }: Pick<View, "count" | "parent" | "label">): string[] {
  const written = [...label];
  const siblings = rowsBy(
    parent.map((around) => around + 1),
    count + 1,
  );
  for (let row = 0; row <= count; row += 1) {
    const boxes = rowOf(siblings, row);
    const labels = Array.from(boxes, (box) => label[box] as string);
    const shared = sharedStart(labels);
    const around = row > 0 ? (label[row - 1] as string) : "";
    for (const [i, own] of labels.entries()) {
      const start = own.startsWith(around) ? Math.max(shared, cutAt([own], around.length)) : shared;
      written[boxes[i] as number] = start >= FEWEST ? `…${own.slice(start)}` : own;
    }
  }
  return written;
}

/** How many characters all labels begin with alike, and that none of them needs. */
function sharedStart(labels: readonly string[]): number {
  const [first, ...others] = labels;
  if (first === undefined || others.length === 0) {
    return 0;
  }
  let length = first.length;
  for (const label of others) {
    let same = 0;
    while (same < length && label[same] === first[same]) {
      same += 1;
    }
    length = same;
  }
  return cutAt(labels, length);
}

/** The last place up to `most` at which a word begins in all labels and behind which all have a word left. */
function cutAt(labels: readonly string[], most: number): number {
  let cut = most;
  while (cut >= FEWEST && !labels.every((label) => isStart(label, cut) && LETTER.test(label.slice(cut)))) {
    cut -= 1;
  }
  // What separates the words goes with what is left: "…_bn".
  return cut > 0 && SEPARATOR.test(labels[0]?.[cut - 1] ?? "") ? cut - 1 : cut;
}

function isStart(label: string, at: number): boolean {
  const before = label[at - 1] ?? "";
  const behind = label[at] ?? "";
  return SEPARATOR.test(before) || SEPARATOR.test(behind) || DIGIT.test(before) !== DIGIT.test(behind);
}
