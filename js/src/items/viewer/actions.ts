// Actions in the viewer that fills the window.

import { commonTexts } from "../../lib/commontexts";
import type { Action } from "../../ui/actions";
import { pressing } from "../../ui/reach";
import type { Mode } from "./state";
import { viewerTexts } from "./texts";

/** `modes`: the ways to compare that there are. */
export const viewerActions = (modes: readonly Mode[]): readonly Action[] => [
  ...modes.map((mode) =>
    pressing(`viewer.mode_${mode}`, () => commonTexts().labeled(viewerTexts().modeTitle, viewerTexts().modes[mode])),
  ),
  pressing("viewer.same_step", () => viewerTexts().sameStep),
  pressing("viewer.swap", () => viewerTexts().swapHint),
];
