// Actions in the viewer that fills the window.

import type { Action } from "../../ui/actions";
import { pressing, reachable } from "../../ui/reach";
import type { View } from "../../ui/view";
import type { Mode } from "./state";
import { viewerTexts } from "./texts";

/** The ways to compare that there are, while the viewer is open. */
function modeAction(of: readonly Mode[]): Action {
  const button = (view: View, mode: string) => reachable(view, `[data-action="viewer.mode=${mode}"]`);
  return {
    kind: "choice",
    id: "viewer.mode",
    name: () => viewerTexts().modeTitle,
    values: (view) => of.filter((mode) => button(view, mode) !== null),
    nameOf: (mode) => viewerTexts().modes[mode as Mode],
    hintOf: (mode) => viewerTexts().modeHints[mode as Mode],
    chosen: (view) => of.find((mode) => button(view, mode)?.ariaPressed === "true") ?? null,
    choose: (view, mode) => button(view, mode)?.click(),
  };
}

export const viewerActions = (of: readonly Mode[]): readonly Action[] => [
  modeAction(of),
  pressing("viewer.same_step", () => viewerTexts().sameStep),
  pressing("viewer.swap", () => viewerTexts().swapHint),
];
