// The buttons in the header that open the palette and the sheet of keys and gestures.

import { useView } from "../ui/view";
import { keyName } from "./commands/keys";
import { shellOf } from "./commands/shell";
import { commandTexts } from "./commands/texts";

export function HeaderTools() {
  const { sheet } = shellOf(useView());
  const tool = (opens: "palette" | "help", hint: string, keys: string, path: string) => (
    <button
      type="button"
      class="tbwidget-header-tool"
      title={hint}
      aria-label={commandTexts()[opens]}
      aria-keyshortcuts={keys}
      aria-haspopup="dialog"
      onClick={() => {
        sheet.value = opens;
      }}
    >
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
  const glass = "M10.2 6a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM9.1 9.1l3.4 3.4";
  const questionMark = "M4.6 5a2.4 2.4 0 1 1 3.5 2.1C7.3 7.6 7 8 7 8.8M7 11.4v.1";
  return (
    <>
      {tool("palette", commandTexts().paletteHint(keyName("Mod+K")), "Control+K /", glass)}
      {tool("help", commandTexts().helpHint(keyName("?")), "?", questionMark)}
    </>
  );
}
