// Actions on cards of items, and in the viewer that shows one of them over the window.

import { commonTexts } from "../lib/commontexts";
import type { Action } from "../ui/actions";
import { arrangeActions, describeCard, onCard, onPart, saving } from "../ui/cardcommands";
import { pressing } from "../ui/reach";
import { itemTexts } from "./texts";
import type { Mode } from "./viewer/state";
import { viewerTexts } from "./viewer/texts";

/** Gives a card a step of its own, or takes it away. */
export const ownStep = onCard("card.own_step", () => itemTexts().ownStep);

export const itemCardActions: readonly Action[] = [saving("files"), ownStep, describeCard, ...arrangeActions];

/** Shows the item of a tile over the window. */
export const openItem = onPart("items.open", () => itemTexts().open, {
  selector: '.tbwidget-tile-picture, [data-action="items.open"]',
});

/** `modes`: the ways to compare in the viewer. */
export const viewerActions = (modes: readonly Mode[]): readonly Action[] => [
  ...modes.map((mode) =>
    pressing(`viewer.mode_${mode}`, () => commonTexts().labeled(viewerTexts().modeTitle, viewerTexts().modes[mode])),
  ),
  pressing("viewer.same_step", () => viewerTexts().sameStep),
  pressing("viewer.swap", () => viewerTexts().keys.swap),
];
