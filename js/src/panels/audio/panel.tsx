// The audio: cards by tag, and the controls that hold for all of them.

import { useMemo } from "preact/hooks";
import { AllStepsSlider } from "../../items/playback";
import { SaveItems } from "../../items/save";
import { shownItems } from "../../items/shown";
import { Check, FilterTags } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { saveTexts } from "../../ui/save/texts";
import { useOptions, useView } from "../../ui/view";
import { AudioCard } from "./card";
import { PlayerContext } from "./cliprow";
import { clips } from "./codec";
import { clipItems } from "./item";
import { audioOptions } from "./options";
import { Player } from "./player";
import { audioTexts } from "./texts";

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
  return (
    <div class="tbwidget-toolbar">
      <AllStepsSlider codec={clips} />
      <Check option={spectrogram} name={audioTexts().spectrogram} hint={audioTexts().spectrogramHint} />
      <Check option={fit_waveforms} name={audioTexts().fitWaveforms} hint={audioTexts().fitWaveformsHint} />
      <SaveItems
        kind={clipItems}
        label={saveTexts().panel}
        title={saveTexts().filesPanelHint}
        places={() => shownItems(view, clips)}
        name="audio"
      />
      <FilterTags tags={items.tags.value} />
    </div>
  );
}
