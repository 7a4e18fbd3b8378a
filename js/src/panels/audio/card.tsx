// The card of one tag's clips: a row for each run and sample, and the slider of their steps.

import { useSignal } from "@preact/signals";
import { ItemCard, ItemCardSliders, useItemCard } from "../../items/card";
import { itemTexts } from "../../items/texts";
import { formatCount } from "../../lib/format";
import type { CardProps } from "../../ui/groups";
import { uiTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { ClipRowView } from "./cliprow";
import type { TagClips } from "./codec";
import { clipItems } from "./item";
import { audioTexts } from "./texts";

/** Rows that a card has until the user shows more. */
const MOST_ROWS = 50;

/** From so many rows on, a card takes a whole line of cards. */
const WIDE = 3;

export function AudioCard({ tag, label, data }: CardProps<TagClips>) {
  const all = useView().channel.store.runs.value;
  const most = useSignal(MOST_ROWS);
  const card = useItemCard("audio", tag, data);
  const { runs, at, settled } = card;
  const shown = runs.flatMap((of) => of.rows.map((one) => ({ ...one, of })));
  const without = runs.filter(({ rows }) => rows.length === 0).map(({ run }) => run);
  const several = shown.some(({ row }) => row.sample > 0);
  const more = shown.length - most.value;
  return (
    <ItemCard kind={clipItems} card={card} label={label} data={data} wide={shown.length >= WIDE}>
      <div class="tbwidget-clips" data-stays={most.value > MOST_ROWS ? "" : undefined}>
        {shown.slice(0, most.value).map(({ of, row, newer, number, count }) => {
          const slot = `${row.sample}/${of.run}`;
          return (
            <ClipRowView
              key={slot}
              place={{ tag, run: of.run, row }}
              repeat={count > 1 ? itemTexts().repeat(formatCount(number), formatCount(count)) : ""}
              at={at}
              newer={newer}
              of={of}
              named={all.length > 1 || of.run !== "."}
              several={several}
              drawn={(step) => settled(slot, step)}
            />
          );
        })}
      </div>
      {without.length > 0 && at !== "newest" && (
        <p class="tbwidget-hint" title={without.join("\n")}>
          {audioTexts().runsWithoutStep(formatCount(at), without.length, formatCount(without.length))}
        </p>
      )}
      {more > 0 && (
        <button
          type="button"
          class="tbwidget-link"
          onClick={() => {
            most.value += MOST_ROWS;
          }}
        >
          {uiTexts().showMore(formatCount(Math.min(more, MOST_ROWS)))}
        </button>
      )}
      <footer class="tbwidget-clips-steps">
        <ItemCardSliders card={card} />
      </footer>
    </ItemCard>
  );
}
