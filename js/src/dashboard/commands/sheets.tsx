// The sheets that a key or a button of the header opens over the dashboard: the palette, and the sheet of keys and gestures.

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { UncopiedCode } from "../../ui/save/code";
import { useView } from "../../ui/view";
import { dashboardActions } from "../actions";
import { HelpSheet } from "./help";
import { commandOf, takenKeys, takesText } from "./keys";
import { Palette } from "./palette";
import { shellOf } from "./shell";

interface Props {
  readonly board: RefObject<HTMLElement | null>;
}

export function Sheets({ board }: Props) {
  const view = useView();
  const { sheet } = shellOf(view);
  useKeys(board);
  return (
    <>
      {sheet.value === "palette" && <Palette />}
      {sheet.value === "help" && <HelpSheet />}
      <UncopiedCode />
    </>
  );
}

/** Keys that scroll, or move within a control. */
const MOVING = /^(?:Arrow|Page|Home$|End$)/;

/** Runs commands by their keys while the focus is in the dashboard. */
function useKeys(board: RefObject<HTMLElement | null>): void {
  const view = useView();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const [target] = event.composedPath();
      if (!(target instanceof Node && board.current?.contains(target)) || event.isComposing) {
        return;
      }
      const isTyped = !(event.ctrlKey || event.metaKey) && takesText(target);
      const command = isTyped ? undefined : commandOf(dashboardActions, event, takenKeys(target));
      if (command !== undefined) {
        event.preventDefault();
        event.stopImmediatePropagation();
        command.run(view);
      }
    };
    // JupyterLab would take them for its own, and move the focus to another cell. It heeds the attribute at the focused
    // element, but not at those around it.
    const keep = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey } = event;
      const isOwn = target instanceof Element && target !== board.current && !ctrlKey && !metaKey;
      if (isOwn && (MOVING.test(key) || target.closest("[data-lm-suppress-shortcuts]"))) {
        event.stopPropagation();
      }
    };
    const end = new AbortController();
    // Before the notebook application, which listens at the document.
    window.addEventListener("keydown", press, { signal: end.signal, capture: true });
    board.current?.addEventListener("keydown", keep, end);
    return () => end.abort();
  }, [view, board]);
}
