// The audio: cards by tag, and the controls that hold for all of them.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { itemCardActions } from "../../items/actions";
import { ItemCard, ItemCardSliders, useItemCard } from "../../items/card";
import { useItemSteps } from "../../items/playback";
import { SaveItems } from "../../items/save";
import { shownItems } from "../../items/shown";
import { itemTexts } from "../../items/texts";
import { formatCount } from "../../lib/format";
import { namedRangeOptions } from "../../options/namedranges";
import { timeAxisOptions } from "../../options/shared";
import type { Action } from "../../ui/actions";
import { onPart } from "../../ui/cardcommands";
import { FilterTags } from "../../ui/controls";
import { cardGestures, keyGestures, pointerGestures } from "../../ui/gestures";
import { type CardProps, Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { saveTexts } from "../../ui/save/texts";
import { uiTexts } from "../../ui/texts";
import { Toolbar } from "../../ui/toolbar";
import { useView } from "../../ui/view";
import { ClipRowView, PlayerContext } from "./cliprow";
import { clipItems, clips, type TagClips } from "./codec";
import { audioOptions } from "./options";
import { Player } from "./player";
import { audioTexts } from "./texts";
import { WAVE_KEYS } from "./wave";
import "./audio.css";

export function AudioPanel() {
  const player = useMemo(() => new Player(), []);
  const attach = useMemo(() => (element: HTMLAudioElement | null) => player.attach(element), [player]);
  return (
    <PlayerContext.Provider value={player}>
      <Groups of={useView().channel.store.items(clips)} Card={AudioCard} />
      <audio ref={attach} {...player.events} />
    </PlayerContext.Provider>
  );
}

export function AudioToolbar() {
  const view = useView();
  const items = view.channel.store.items(clips);
  return (
    <Toolbar
      name={audioTexts().title}
      actions={ACTIONS}
      save={
        <SaveItems
          kind={clipItems}
          title={saveTexts().filesPanelHint}
          ofPanel
          places={() => shownItems(view, clips)}
          name="audio"
        />
      }
      filter={<FilterTags tags={items.tags.value} />}
    />
  );
}

const ACTIONS: readonly Action[] = [
  {
    kind: "toggle",
    id: "audio.spectrogram",
    bar: "drawn",
    name: () => audioTexts().spectrogram,
    hint: () => audioTexts().spectrogramHint,
    option: ({ options }) => options.of(audioOptions).spectrogram,
  },
  {
    kind: "toggle",
    id: "audio.fit_waveforms",
    bar: "drawn",
    name: () => audioTexts().fitWaveforms,
    hint: () => audioTexts().fitWaveformsHint,
    option: ({ options }) => options.of(audioOptions).fit_waveforms,
  },
  onPart("audio.play", () => audioTexts().playClip),
  onPart("audio.pause", () => audioTexts().pauseClip),
  onPart("audio.position", () => audioTexts().gestures.seek[1], { act: "focus" }),
  onPart("audio.save", () => audioTexts().saveClip),
  ...pointerGestures(
    "audio",
    () => audioTexts().title,
    ["seek"],
    () => audioTexts().gestures,
  ),
  ...keyGestures(
    "audio",
    () => audioTexts().title,
    WAVE_KEYS,
    () => audioTexts().keys,
  ),
  ...itemCardActions,
  ...cardGestures(false),
];

/** Rows that a card has until the user shows more. */
const MAX_ROWS = 50;

/** A card with at least this many rows takes a whole line of cards. */
const MIN_WIDE_ROWS = 3;

export function AudioCard({ tag, label, data }: CardProps<TagClips>) {
  const all = useView().channel.store.runs.value;
  const most = useSignal(MAX_ROWS);
  const card = useItemCard("audio", tag, data);
  const { runs, at, settled } = card;
  const shown = runs.flatMap((of) => of.rows.map((one) => ({ ...one, of })));
  const without = runs.filter(({ rows }) => rows.length === 0).map(({ run }) => run);
  const several = shown.some(({ row }) => row.sample > 0);
  const more = shown.length - most.value;
  return (
    <ItemCard kind={clipItems} card={card} label={label} data={data} wide={shown.length >= MIN_WIDE_ROWS}>
      <div class="tbwidget-clips" data-stays={most.value > MAX_ROWS ? "" : undefined}>
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
            most.value += MAX_ROWS;
          }}
        >
          {uiTexts().showMore(formatCount(Math.min(more, MAX_ROWS)))}
        </button>
      )}
      <footer class="tbwidget-clips-steps">
        <ItemCardSliders card={card} />
      </footer>
    </ItemCard>
  );
}

export const audio = definePanel({
  name: "audio",
  title: () => audioTexts().title,
  codecs: [clips],
  options: [timeAxisOptions, namedRangeOptions, audioOptions],
  actions: ACTIONS,
  useSteps: () => useItemSteps(clips),
  Toolbar: AudioToolbar,
  Body: AudioPanel,
});
