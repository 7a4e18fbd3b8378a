// Scopes and stacks to open before an entry becomes visible. Twin of `reveal` in tbwidget/graph/view.py.

import { isBox, pathOf } from "../pageprogram";
import { FoldKind, type Structure } from "./structure";

export interface Revealed {
  /** Paths of boxes. */
  readonly opened: readonly string[];
  /** Paths of stacks that show another member instead. */
  readonly ungrouped: readonly string[];
}

/**
 * Boxes to open, and stacks to ungroup, before an entry becomes visible; of an embedded node, the scope it stands in.
 * `grouped`: paths of the optional stacks that are made.
 */
export function reveal(structure: Structure, entry: number, grouped: ReadonlySet<string> = new Set()): Revealed {
  const { root, itemCount, parent, foldParent, foldKind, representative, optional } = structure;
  const opened: string[] = [];
  const ungrouped: string[] = [];
  for (let item = entry; item !== root; item = parent[item] as number) {
    const scope = parent[item] as number;
    if (scope !== root) {
      opened.push(pathOf(structure, scope));
    }
    let box = isBox(structure, item) ? item : -1;
    while (box >= 0) {
      const around = foldParent[box] as number;
      const kind = foldKind[around - itemCount];
      if (around >= 0 && kind !== FoldKind.MEMBER) {
        const path = pathOf(structure, around);
        if (!optional.has(around) || grouped.has(path)) {
          const isHidden = kind === FoldKind.STACK && representative[around - itemCount] !== box;
          (isHidden ? ungrouped : opened).push(path);
        }
      }
      box = around;
    }
  }
  return { opened, ungrouped };
}
