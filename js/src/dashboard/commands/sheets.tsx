// What opens over the dashboard by a key or a button of its header: the palette, and the sheet of keys and gestures.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Command } from "../../ui/actions";
import { CopiedCode } from "../../ui/save/code";
import { useView } from "../../ui/view";
import { dashboardActions } from "../actions";
import { HelpSheet } from "./help";
import { isPressed, takesText } from "./keys";
import { Palette } from "./palette";
import { shellOf } from "./shell";

interface Props {
  readonly board: RefObject<HTMLElement | null>;
}

export function Sheets({ board }: Props) {
  const view = useView();
  const { sheet } = shellOf(view);
  useKeys(board);
  useKeptFocus(board);
  return (
    <>
      {sheet.value === "palette" && <Palette />}
      {sheet.value === "help" && <HelpSheet />}
      <CopiedCode />
    </>
  );
}

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
      const command = dashboardActions.find(
        (action): action is Command =>
          action.kind === "command" && !isTyped && action.keys?.some((key) => isPressed(key, event)) === true,
      );
      if (command !== undefined) {
        event.preventDefault();
        event.stopImmediatePropagation();
        command.run(view);
      }
    };
    // Before the notebook application, which listens at the document.
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, [view, board]);
}

/** The dashboard keeps the focus when another panel takes the place of the one that had it. */
function useKeptFocus(board: RefObject<HTMLElement | null>): void {
  const shown = useView().panel.value?.name;
  const before = useRef(shown);
  const held = useRef(false);
  if (before.current !== shown) {
    before.current = shown;
    held.current = hasFocus(board.current);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another panel has removed what had the focus
  useLayoutEffect(() => {
    if (held.current && !hasFocus(board.current)) {
      board.current?.focus({ preventScroll: true });
    }
    held.current = false;
  }, [shown, board]);
}

function hasFocus(element: HTMLElement | null): boolean {
  const active = (element?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement;
  return active != null && element?.contains(active) === true;
}
