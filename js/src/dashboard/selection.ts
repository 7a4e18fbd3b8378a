// Which runs are shown: only some, or all but some. The difference shows when runs come later.

export interface Selection {
  readonly names: ReadonlySet<string>;
  /** Only the runs named; else all but those. */
  readonly only: boolean;
}

export const ALL: Selection = { names: new Set(), only: false };

/** As the trait has it: names of the runs shown, or null for all. */
export function fromNames(value: unknown): Selection {
  return Array.isArray(value) ? { names: new Set(value.map(String)), only: true } : ALL;
}

/** For the trait. */
export function namesOf({ names, only }: Selection, runs: readonly string[]): string[] | null {
  if (only) {
    return [...names];
  }
  return names.size === 0 ? null : runs.filter((run) => !names.has(run));
}

/** Shows or hides runs. Hiding the last makes what is shown next the only ones; showing all shows later ones too. */
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
