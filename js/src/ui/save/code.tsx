// The code in Python that shows the same view again: copied, or shown where the page may not use the clipboard.

import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pathsIn, pythonCode } from "../../options/pythoncode";
import { CloseButton, Dialog } from "../dialog";
import { copyText } from "../savefile";
import { useView, type View } from "../view";
import { Item } from "./item";
import { saveTexts } from "./texts";

/** Milliseconds for which the message stays. */
const MESSAGE_MS = 2500;

interface Copied {
  readonly code: string;
  readonly isCopied: boolean;
}

const copied = new WeakMap<View, Signal<Copied | null>>();

function copiedIn(view: View): Signal<Copied | null> {
  const held = copied.get(view) ?? signal(null);
  copied.set(view, held);
  return held;
}

function pathsOf({ channel: { store } }: View) {
  const title = store.status.value?.path;
  const isSaved = store.savedAt.value !== null && !store.isLastView.value;
  const known = new Set(isSaved ? [] : store.places.map(([path]) => path));
  return title === undefined ? null : pathsIn(title, store.runs.value, isSaved, known);
}

/** Whether code can make the view: what it shows lies in a directory. */
export function canCopyCode(view: View): boolean {
  return pathsOf(view) !== null;
}

/** The code; null where what it shows lies in no directory. */
export function codeOf(view: View): string | null {
  const { options } = view;
  const paths = pathsOf(view);
  const given = options.differing();
  if (options.onlyPanel !== null && options.viewName === null) {
    given.set("panel", options.onlyPanel);
  }
  return paths === null ? null : pythonCode(options.viewName ?? "show", paths, given);
}

export async function copyCode(view: View): Promise<void> {
  const code = codeOf(view);
  if (code !== null) {
    // Where a dialog is open, nothing outside of it can be selected.
    const beside = document.activeElement?.parentElement ?? document.body;
    const isCopied = await copyText(code, beside);
    copiedIn(view).value = { code, isCopied };
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

/** Says that the code was copied, or shows it to be copied by hand. */
export function CopiedCode() {
  const view = useView();
  const held = copiedIn(view);
  const found = held.value;
  const close = () => {
    held.value = null;
  };
  useEffect(() => {
    const end = () => {
      held.value = null;
    };
    const timer = found?.isCopied ? setTimeout(end, MESSAGE_MS) : undefined;
    return () => clearTimeout(timer);
  }, [found, held]);
  if (found === null) {
    return null;
  }
  if (found.isCopied) {
    return (
      <p class="tbwidget-message" role="status">
        {saveTexts().codeCopied}
      </p>
    );
  }
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
      <textarea readOnly rows={12} spellcheck={false} aria-label={saveTexts().copyCode} value={found.code} />
    </Dialog>
  );
}
