// A selection of runs: only some, or all but some. The two differ once more runs appear.

export interface Selection {
  readonly names: ReadonlySet<string>;
  /** True: only the named runs are selected; false: all except those. */
  readonly only: boolean;
}

export const ALL: Selection = { names: new Set(), only: false };

/** From the trait's value: names of the selected runs, or null for all. */
export function fromNames(value: unknown): Selection {
  return Array.isArray(value) ? { names: new Set(value.map(String)), only: true } : ALL;
}

/** The trait's value. */
export function namesOf({ names, only }: Selection, runs: readonly string[]): string[] | null {
  if (only) {
    return [...names];
  }
  return names.size === 0 ? null : runs.filter((run) => !names.has(run));
}

/** Selects or deselects runs. After the last was deselected, only those selected next are; with all selected, later ones are too. */
export function toggled(
  selection: Selection,
  changed: readonly string[],
  show: boolean,
  runs: readonly string[],
): Selection {
  const names = new Set(selection.names);
  for (const run of changed) {
    if (show === selection.only) {
      names.add(run);
    } else {
      names.delete(run);
    }
  }
  const shown = runs.filter((run) => names.has(run) === selection.only).length;
  if (shown === runs.length) {
    return ALL;
  }
  return shown === 0 ? { names: new Set(), only: true } : { names, only: selection.only };
}
