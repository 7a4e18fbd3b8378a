// The audio: cards by tag, and the controls that hold for all of them.

import { useMemo } from "preact/hooks";
import { strings } from "../../lib/strings";
import { Check, FilterTags } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { ItemSlider } from "../../ui/itemslider";
import { globalStep, stepsUnderTags } from "../../ui/itemsteps";
import { allShown } from "../../ui/progress";
import { useOptions, useView } from "../../ui/view";
import { AudioCard } from "./card";
import { PlayerContext } from "./cliprow";
import { clips } from "./kind/codec";
import { audioOptions } from "./options";
import { Player } from "./player";
import { SaveClips } from "./saveclips";

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
  const { spectrogram, fit_waveforms } = useOptions(audioOptions);
  const ready = useMemo(() => allShown(view, "audio", null), [view]);
  return (
    <div class="tbwidget-toolbar">
      <ItemSlider
        steps={stepsUnderTags(items, view)}
        option={globalStep(view)}
        label={strings.allCardsStep}
        hint={strings.allCardsStepHint}
        name={strings.stepSlider}
        ready={ready}
      />
      <Check option={spectrogram} name={strings.audio.spectrogram} hint={strings.audio.spectrogramHint} />
      <Check option={fit_waveforms} name={strings.audio.fitWaveforms} hint={strings.audio.fitWaveformsHint} />
      <SaveClips label={strings.save.panel} title={strings.save.filesPanelHint} name="audio" />
      <FilterTags tags={items.tags.value} />
    </div>
  );
}
