// The code in Python that shows the same view again: copied, or shown where the page may not use the clipboard.

import { type Signal, signal } from "@preact/signals";
import { pythonCode } from "../../options/pythoncode";
import { CloseButton, Dialog } from "../dialog";
import { showMessage } from "../message";
import { MenuLabel, Popover } from "../popover";
import { copyText } from "../savefile";
import { useView, type View } from "../view";
import { zoomLimits } from "../zoomed";
import { Item } from "./item";
import { saveTexts } from "./texts";
import "./save.css";

/** By view: code that could not be copied. */
const uncopied = new WeakMap<View, Signal<string | null>>();

function uncopiedIn(view: View): Signal<string | null> {
  const held = uncopied.get(view) ?? signal(null);
  uncopied.set(view, held);
  return held;
}

/** Whether code can make the view: what it shows lies in directories, and a last view does not tell where. */
export function canCopyCode({ channel: { store } }: View): boolean {
  return store.directories.value.length > 0 && !store.isLastView.value;
}

/** The code, where `canCopyCode`. */
function codeOf(view: View): string {
  const { options, channel } = view;
  const given = options.differing();
  if (options.onlyPanel !== null && options.viewName === null) {
    given.set("panel", options.onlyPanel);
  }
  const limits = zoomLimits(view);
  if (limits.size > 0) {
    given.set("y_ranges", new Map([...Object.entries(given.get("y_ranges") ?? {}), ...limits]));
  }
  return pythonCode(options.viewName ?? "show", channel.store.directories.value, given);
}

export async function copyCode(view: View): Promise<void> {
  if (canCopyCode(view)) {
    const code = codeOf(view);
    // Where a dialog is open, nothing outside of it can be selected.
    const beside = document.activeElement?.parentElement ?? document.body;
    if (await copyText(code, beside)) {
      showMessage(saveTexts().codeCopied, view);
    } else {
      uncopiedIn(view).value = code;
    }
  }
}

/** The entry of a menu that copies it, below a heading of its own. */
export function CodeItem({ close }: { close(): void }) {
  const view = useView();
  return (
    canCopyCode(view) && (
      <>
        <h4>{saveTexts().view}</h4>
        <ul>
          <Item
            name={saveTexts().copyCode}
            title={saveTexts().copyCodeHint}
            chosen={() => {
              close();
              void copyCode(view);
            }}
          />
        </ul>
      </>
    )
  );
}

/** The menu of a panel whose cards save the rest themselves, or whose data no file holds better than the logs. */
export function CodeMenu() {
  return (
    canCopyCode(useView()) && (
      <span class="tbwidget-save-menu">
        <Popover label={<MenuLabel text={saveTexts().save} />} title={saveTexts().copyCodeHint}>
          {(close) => <CodeItem close={close} />}
        </Popover>
      </span>
    )
  );
}

/** Shows code that could not be copied, to be copied by hand. */
export function UncopiedCode() {
  const held = uncopiedIn(useView());
  const code = held.value;
  if (code === null) {
    return null;
  }
  const close = () => {
    held.value = null;
  };
  return (
    <Dialog
      label={saveTexts().copyCode}
      class="tbwidget-sheet tbwidget-code"
      focus={(dialog) => dialog.querySelector("textarea")?.select()}
      closed={close}
    >
      <header class="tbwidget-card-header">
        <h4>{saveTexts().copyCode}</h4>
        <CloseButton close={close} />
      </header>
      <p>{saveTexts().codeByHand}</p>
      <textarea readOnly rows={12} spellcheck={false} aria-label={saveTexts().copyCode} value={code} />
    </Dialog>
  );
}
