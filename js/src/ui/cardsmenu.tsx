// The button of toolbars for the cards themselves: their size, cards of several tags, and all as they were at first.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Arranger } from "../lib/arrange";
import { commonTexts } from "../lib/commontexts";
import { formatCount } from "../lib/format";
import { parsePattern } from "../lib/namematcher";
import { CARD_HEIGHTS, CARD_WIDTHS, cardHeightOf, cardOptions } from "../options/cards";
import { Popover } from "./popover";
import { Slider } from "./slider";
import { cardTexts, uiTexts } from "./texts";
import { useOptions, useView } from "./view";

/** The sliders end here, code goes further. */
const MAX_CARD_WIDTH_PX = 1000;
const MAX_CARD_HEIGHT_PX = 800;
const SLIDER_STEP_PX = 10;

interface Props {
  /** Where several tags can share a card: those that there are. */
  readonly tags?: readonly string[];
}

export function CardsMenu({ tags }: Props) {
  const { card_width, card_height, card_layout } = useOptions(cardOptions);
  const height = cardHeightOf(card_width.value, card_height.value);
  const changed = card_layout.value !== null;
  return (
    <Popover label={commonTexts().menu(cardTexts().menu)} title={cardTexts().menuHint} active={changed}>
      {(close) => (
        <div class="tbwidget-cards-menu">
          <Size
            name={cardTexts().width}
            hint={cardTexts().widthHint}
            range={[CARD_WIDTHS[0], MAX_CARD_WIDTH_PX]}
            value={card_width.value}
            choose={(width) => card_width.set(width)}
          />
          <Size
            name={cardTexts().height}
            hint={cardTexts().heightHint}
            range={[CARD_HEIGHTS[0], MAX_CARD_HEIGHT_PX]}
            value={height}
            choose={(chosen) => card_height.set(chosen)}
          />
          <label title={cardTexts().autoHint}>
            <input
              type="checkbox"
              checked={card_height.value === null}
              onChange={({ currentTarget }) => card_height.set(currentTarget.checked ? null : height)}
            />
            <span>{cardTexts().auto}</span>
          </label>
          {tags !== undefined && <AddCard tags={tags} close={close} />}
          <p>{cardTexts().help}</p>
          <button
            type="button"
            class="tbwidget-button"
            title={cardTexts().resetHint}
            disabled={!changed}
            onClick={() => card_layout.set(null)}
          >
            {cardTexts().reset}
          </button>
        </div>
      )}
    </Popover>
  );
}

interface SizeProps {
  readonly name: string;
  readonly hint: string;
  readonly range: readonly [number, number];
  readonly value: number;
  choose(value: number): void;
}

function Size({ name, hint, range: [least, most], value, choose }: SizeProps) {
  return (
    <label title={hint}>
      <span>{name}</span>
      <Slider
        min={least}
        max={most}
        step={SLIDER_STEP_PX}
        value={Math.min(most, value)}
        aria-label={name}
        choose={choose}
      />
      <output>{cardTexts().pixels(formatCount(value))}</output>
    </label>
  );
}

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
      <div class="tbwidget-add-card">
        <input
          ref={typed}
          type="text"
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
      </div>
      {problem.value !== null && <p role="alert">{problem.value}</p>}
    </>
  );
}
