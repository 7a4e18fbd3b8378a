// The card of one tag's clips: a row for each run and sample, and the slider of their steps.

import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { safeName } from "../../lib/filenames";
import { formatCount } from "../../lib/format";
import { sharedStart, shortened } from "../../lib/names";
import { strings } from "../../lib/strings";
import { newerThan, rowsShown } from "../../ui/arrived";
import { CardFrame } from "../../ui/card";
import type { CardProps } from "../../ui/groups";
import { ItemSlider } from "../../ui/itemslider";
import { cardStep, stepsOfTag } from "../../ui/itemsteps";
import { useLastStep } from "../../ui/laststep";
import { Superseded } from "../../ui/marks";
import { allShown } from "../../ui/progress";
import { cardTime, RepeatSlider, repeatsAt } from "../../ui/repeats";
import { useView } from "../../ui/view";
import { ClipRowView } from "./cliprow";
import type { TagClips } from "./kind/codec";
import { SaveClips } from "./saveclips";

/** Rows that a card has until the user shows more. */
const MOST_ROWS = 50;

/** From so many rows on, a card takes a whole line of cards. */
const WIDE = 3;

export function AudioCard({ tag, label, data }: CardProps<TagClips>) {
  const view = useView();
  const { channel, options, theme, highlightedRun } = view;
  void data.version.value;
  const card = useRef<HTMLElement>(null);
  const most = useSignal(MOST_ROWS);
  const option = cardStep(view, "audio", tag);
  const steps = stepsOfTag(data, view);
  const { at } = option;
  const all = channel.store.runs.value;
  const shared = sharedStart(all);
  const shown = all.flatMap((run) => {
    const held = data.byRun.get(run);
    return held === undefined || !options.shows(run) ? [] : [{ run, held, rows: rowsShown(held, at) }];
  });
  const highlighted = shown.some(({ run }) => run === highlightedRun.value) ? highlightedRun.value : null;
  const time = cardTime(view, "audio", tag);
  const places = shown.flatMap(({ run, held, rows }) =>
    repeatsAt(rows, time.at).map((one) => ({
      ...one,
      tag,
      run,
      newer: at === "newest" ? newerThan(held, one.row) : null,
    })),
  );
  const without = shown.filter(({ rows }) => rows.length === 0).map(({ run }) => run);
  const several = places.some(({ row }) => row.sample > 0);
  const setStep = useLastStep<string>(card);
  const drawn = (name: string) => (step: bigint | null) => setStep(name, step);
  const ready = useMemo(() => allShown(view, "audio", tag), [view, tag]);
  const more = places.length - most.value;
  return (
    <CardFrame
      panel="audio"
      tag={tag}
      label={label}
      data={data}
      cardRef={card}
      wide={places.length >= WIDE}
      buttons={
        <SaveClips
          label={strings.save.card}
          title={strings.save.filesCardHint}
          tag={tag}
          name={["audio", safeName(tag)].filter((part) => part !== "").join("_")}
        />
      }
      marks={
        <span class="tbwidget-marks">
          <Superseded series={shown.map(({ held }) => held)} />
        </span>
      }
    >
      <div class="tbwidget-clips">
        {places.slice(0, most.value).map((place) => {
          const { run, row, newer, number, count } = place;
          const slot = `${row.sample}/${run}`;
          return (
            <ClipRowView
              key={slot}
              place={place}
              repeat={count > 1 ? strings.repeat(formatCount(number), formatCount(count)) : ""}
              at={at}
              newer={newer}
              colour={options.colourOf.value(run, theme.value)}
              name={all.length > 1 || run !== "." ? shortened(run, shared) : ""}
              several={several}
              faded={highlighted !== null && highlighted !== run}
              drawn={drawn(slot)}
            />
          );
        })}
      </div>
      {without.length > 0 && at !== "newest" && (
        <p class="tbwidget-hint" title={without.join("\n")}>
          {strings.audio.runsWithoutStep(formatCount(at), without.length, formatCount(without.length))}
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
          {strings.showMore(formatCount(Math.min(more, MOST_ROWS)))}
        </button>
      )}
      <footer class="tbwidget-clips-steps">
        <ItemSlider
          steps={steps}
          option={option}
          label={strings.cardStep(tag)}
          hint={strings.cardStepHint}
          ready={ready}
        />
        <RepeatSlider tag={tag} option={time} repeats={places} ready={ready} />
      </footer>
    </CardFrame>
  );
}
