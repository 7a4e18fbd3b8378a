// The card of one tag's texts: a list of all runs together, newest first, or two of them compared.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { CardFrame } from "../../ui/card";
import type { CardProps } from "../../ui/groups";
import { useLastStep } from "../../ui/laststep";
import { Superseded } from "../../ui/marks";
import { useOnScreen, useView } from "../../ui/view";
import type { TagTexts, TextRow } from "./codec";
import { Comparison, type Pair, pairWith } from "./comparison";
import { TextList } from "./list";
import { textsOf } from "./runs";
import { searchOf } from "./search";
import { textPanelTexts } from "./texts";

/** Pixels that a text takes on a card that was not in sight yet, and texts on it that take some. */
const PLACE = 62;
const MOST_PLACES = 5;

export function TextCard({ tag, label, data }: CardProps<TagTexts>) {
  const view = useView();
  const card = useRef<HTMLElement>(null);
  const onScreen = useOnScreen(card);
  const wide = useSignal(false);
  const pair = useSignal<Pair | null>(null);
  const runs = textsOf(data, view);
  const shown = useLastStep<object>(card, true);
  const count = runs.reduce((sum, { held }) => sum + held.total, 0);
  const here = runs.reduce((sum, { rows }) => sum + rows.length, 0);
  const compare =
    here < 2
      ? null
      : (run: string, row: TextRow) => {
          pair.value = pairWith(runs, run, row);
        };
  const seen = useRef(false);
  seen.current ||= onScreen || searchOf(view).current.value?.tag === tag;
  const hint = wide.value ? textPanelTexts().narrowCard : textPanelTexts().widenCard;
  return (
    <CardFrame
      panel="text"
      tag={tag}
      label={label}
      data={data}
      cardRef={card}
      wide={wide.value || pair.value !== null}
      active={wide.value}
      marks={
        <span class="tbwidget-marks">
          <Superseded series={runs.map(({ held }) => held)} />
          {count > 1 && <span>{textPanelTexts().textCount(count, formatCount(count))}</span>}
        </span>
      }
      buttons={
        <button
          type="button"
          class="tbwidget-word"
          title={hint}
          aria-label={hint}
          aria-pressed={wide.value}
          onClick={() => {
            wide.value = !wide.value;
          }}
        >
          {textPanelTexts().wideCard}
        </button>
      }
    >
      {(wide.value || pair.value !== null) && <span hidden data-stays="" />}
      {!seen.current ? (
        <div style={{ height: `${PLACE * Math.min(MOST_PLACES, count)}px` }} />
      ) : pair.value === null ? (
        <TextList {...{ tag, runs, onScreen, compare, shown }} />
      ) : (
        <Comparison
          {...{ tag, runs, shown }}
          pair={pair.value}
          choose={(chosen) => {
            pair.value = chosen;
          }}
        />
      )}
    </CardFrame>
  );
}
