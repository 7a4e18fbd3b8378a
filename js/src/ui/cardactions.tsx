// Actions on the cards themselves: their size, cards of several tags, and all as they were at first.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Arranger } from "../lib/arrange";
import { parsePattern } from "../lib/namematcher";
import { CARD_HEIGHTS, CARD_WIDTHS, cardHeightOf, cardOptions } from "../options/cards";
import type { Option } from "../options/declare";
import type { Action, FormProps } from "./actions";
import { commandIn } from "./reach";
import { cardTexts, menuTexts, uiTexts } from "./texts";
import { useOptions, useView, type View } from "./view";

/** The sliders end here, the boxes go further. */
const MAX_CARD_WIDTH_PX = 1000;
const MAX_CARD_HEIGHT_PX = 800;
const SLIDER_STEP_PX = 10;

/** The cards, in their menu. */
export const ofCards = { menu: "view", section: () => menuTexts().sections.cards, isBelow: true } as const;

const optionsOf = ({ options }: View) => options.of(cardOptions);

/** The height in effect; setting it ends that it follows the width. */
function heightOf(view: View): Option<number> {
  const { card_width, card_height } = optionsOf(view);
  return {
    get value() {
      return cardHeightOf(card_width.value, card_height.value);
    },
    peek: () => cardHeightOf(card_width.peek(), card_height.peek()),
    set: (height) => card_height.set(height),
  };
}

/** The options of one card's size. `tags`: where several can share a card, those that there are. */
export function cardActions(tags?: (view: View) => readonly string[]): readonly Action[] {
  return [
    {
      ...ofCards,
      kind: "number",
      id: "cards.card_width",
      name: () => cardTexts().width,
      hint: () => cardTexts().widthHint,
      least: CARD_WIDTHS[0],
      most: CARD_WIDTHS[1],
      step: 1,
      slider: { least: CARD_WIDTHS[0], most: MAX_CARD_WIDTH_PX, step: SLIDER_STEP_PX },
      option: (view) => optionsOf(view).card_width,
    },
    {
      ...ofCards,
      kind: "number",
      id: "cards.card_height",
      name: () => cardTexts().height,
      hint: () => cardTexts().heightHint,
      least: CARD_HEIGHTS[0],
      most: CARD_HEIGHTS[1],
      step: 1,
      slider: { least: CARD_HEIGHTS[0], most: MAX_CARD_HEIGHT_PX, step: SLIDER_STEP_PX },
      option: heightOf,
    },
    {
      ...ofCards,
      kind: "toggle",
      id: "cards.auto_height",
      name: () => cardTexts().auto,
      hint: () => cardTexts().autoHint,
      option: (view) => {
        const { card_height } = optionsOf(view);
        const height = heightOf(view);
        return {
          get value() {
            return card_height.value === null;
          },
          peek: () => card_height.peek() === null,
          set: (isAuto) => card_height.set(isAuto ? null : height.peek()),
        };
      },
    },
    ...(tags === undefined ? [] : [addCardAction(tags), typeCombined]),
    {
      ...ofCards,
      kind: "command",
      id: "cards.card_layout",
      name: () => cardTexts().reset,
      hint: () => cardTexts().resetHint,
      applies: (view) => optionsOf(view).card_layout.value !== null,
      active: (view) => optionsOf(view).card_layout.value !== null,
      run: (view) => optionsOf(view).card_layout.set(null),
    },
  ];
}

/** Adds a card of all tags that match a regular expression. */
function addCardAction(tags: (view: View) => readonly string[]): Action {
  return {
    ...ofCards,
    kind: "form",
    id: "cards.add",
    name: () => cardTexts().add,
    hint: () => cardTexts().addHint,
    Form: ({ close }: FormProps) => <AddCard tags={tags(useView())} close={close} />,
  };
}

const typeCombined = commandIn(".tbwidget-toolbar .tbwidget-menu-view", ".tbwidget-add-card", "focus", {
  id: "cards.combine",
  isBelow: true,
  name: () => cardTexts().add,
});

function AddCard({ tags, close }: { readonly tags: readonly string[]; close(): void }) {
  const { grid } = useView();
  const { card_layout } = useOptions(cardOptions);
  const problem = useSignal<string | null>(null);
  const input = (pattern: string) => {
    const parsed = parsePattern(pattern);
    problem.value = parsed.type === "invalid" ? uiTexts().filterProblems[parsed.fault] : null;
    return parsed.type !== "invalid" && parsed.type !== "all";
  };
  const typed = useRef<HTMLInputElement>(null);
  const add = () => {
    const pattern = typed.current?.value ?? "";
    if (input(pattern)) {
      card_layout.set(new Arranger(card_layout.peek(), tags, grid.peek()?.arrangeOptions()).add(pattern));
      close();
    }
  };
  return (
    <>
      <input
        ref={typed}
        type="text"
        class="tbwidget-add-card"
        placeholder={cardTexts().addPlaceholder}
        title={cardTexts().addHint}
        aria-label={cardTexts().add}
        spellcheck={false}
        data-lm-suppress-shortcuts="true"
        onInput={({ currentTarget }) => input(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            event.stopPropagation();
            add();
          }
        }}
      />
      <button type="button" class="tbwidget-button" title={cardTexts().addHint} onClick={add}>
        {cardTexts().addButton}
      </button>
      {problem.value !== null && <p role="alert">{problem.value}</p>}
    </>
  );
}
