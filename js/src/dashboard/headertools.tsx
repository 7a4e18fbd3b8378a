// The buttons in the header that open the palette and the sheet of keys and gestures.

import { useView } from "../ui/view";
import { keyName } from "./commands/keys";
import { shellOf } from "./commands/shell";
import { commandTexts } from "./commands/texts";

export function HeaderTools() {
  const { sheet } = shellOf(useView());
  return (
    <>
      <button
        type="button"
        class="tbwidget-header-tool"
        title={commandTexts().paletteHint(keyName("Mod+K"))}
        aria-label={commandTexts().palette}
        aria-keyshortcuts="Control+K /"
        aria-haspopup="dialog"
        onClick={() => {
          sheet.value = "palette";
        }}
      >
        <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
          <path d="M10.2 6a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM9.1 9.1l3.4 3.4" />
        </svg>
      </button>
      <button
        type="button"
        class="tbwidget-header-tool"
        title={commandTexts().helpHint(keyName("?"))}
        aria-label={commandTexts().help}
        aria-keyshortcuts="?"
        aria-haspopup="dialog"
        onClick={() => {
          sheet.value = "help";
        }}
      >
        <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
          <path d="M4.6 5a2.4 2.4 0 1 1 3.5 2.1C7.3 7.6 7 8 7 8.8M7 11.4v.1" />
        </svg>
      </button>
    </>
  );
}
