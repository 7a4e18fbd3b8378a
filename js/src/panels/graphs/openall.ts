// Opening all at once, or as much of it as can be drawn.

import { bisect } from "../../lib/search";
import { boxesOf, type Composing } from "./model/compose";
import type { Structure } from "./model/structure";

/** Boxes on the screen at most when all is opened at once: more are too many to look at. */
export const MAX_BOXES = 5_000;

/** Paths to open in addition; `complete` unless there would be too many boxes. Outer ones are opened first. */
export function openedUpTo(
  structure: Structure,
  composing: Composing,
  within: string | null,
  mostBoxes = MAX_BOXES,
): { readonly paths: readonly string[]; readonly complete: boolean } {
  const before = composing.opened === "all" ? new Set<string>() : composing.opened;
  const paths: string[] = within === null ? [] : [within];
  for (;;) {
    const opened = new Set([...before, ...paths]);
    const { closed: all } = boxesOf(structure, { ...composing, opened });
    const closed = within === null ? all : all.filter((path) => path.startsWith(`${within}/`));
    if (closed.length === 0) {
      return { paths, complete: true };
    }
    const most = fitting(closed.length, (n) => {
      const more = boxesOf(structure, { ...composing, opened: new Set([...opened, ...closed.slice(0, n)]) });
      return more.count <= mostBoxes;
    });
    paths.push(...closed.slice(0, most));
    if (most < closed.length) {
      return { paths, complete: false };
    }
  }
}

/** The most of `count` that fit, where fewer fit if more do. */
function fitting(count: number, fits: (n: number) => boolean): number {
  return fits(count) ? count : bisect(1, count, fits) - 1;
}
