// The menu in a panel's toolbar that saves the data and the picture of all its cards.

import { useView } from "../view";
import { savableCards } from "./cards";
import { SaveMenu } from "./savemenu";
import type { TableKind } from "./tablekind";
import { saveTexts } from "./texts";

interface Props {
  readonly table: TableKind;
  /** Whether to save the cards' data alone; else those of all tags that match the filter or are pinned. */
  readonly ofCards?: boolean;
}

export function SavePanel({ table, ofCards = false }: Props) {
  const view = useView();
  const tags = () => {
    const { tagFilter, board } = view.options;
    const matches = tagFilter.matches.value;
    const pinned = board.pinned.value;
    return table.tags(view).filter((tag) => matches(tag) || pinned.includes(tag));
  };
  return (
    <SaveMenu
      title={saveTexts().panelHint}
      table={table}
      name={null}
      {...(ofCards ? {} : { tags })}
      cards={() => savableCards(view)}
    />
  );
}
