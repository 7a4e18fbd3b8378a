// Where the focus goes when what has it is removed from the pane of runs: on the page's body, keys would be commands of the notebook.

function rowsOf(list: ParentNode | null | undefined): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("li[data-run]") ?? [])];
}

/** To the row of a run, or to the list if the row is not there. */
export function focusRun(run: string, pane: ParentNode | null): void {
  const row = rowsOf(pane).find(({ dataset }) => dataset.run === run);
  const control = row?.querySelector<HTMLElement>("input:enabled, button") ?? pane?.querySelector('ul [tabindex="0"]');
  (control as HTMLElement | null | undefined)?.focus();
}

/** From a button of a row that will be removed to the same button of the next row, or of the one before. */
export function focusBeside(button: HTMLElement): void {
  // In a shadow tree, the document's own is the host of the tree.
  if ((button.getRootNode() as Document | ShadowRoot).activeElement !== button) {
    return;
  }
  const row = button.closest<HTMLElement>("li[data-run]");
  const rows = rowsOf(row?.parentElement);
  const at = rows.indexOf(row as HTMLElement);
  (rows[at + 1] ?? rows[at - 1])?.querySelector<HTMLElement>(`.${button.className}`)?.focus();
}
