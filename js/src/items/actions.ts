// Actions on cards of items.

import type { Action } from "../ui/actions";
import { arrangeActions, describeCard, onCard, saving } from "../ui/cardcommands";
import { itemTexts } from "./texts";

/** Gives a card a step of its own, or takes it away. */
export const ownStep = onCard("card.own_step", () => itemTexts().ownStep);

export const itemCardActions: readonly Action[] = [saving("files"), ownStep, describeCard, ...arrangeActions];
