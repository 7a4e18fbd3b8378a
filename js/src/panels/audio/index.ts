// Audio: the clips of each tag, with their waveforms, spectrograms, and one that plays.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { uiTexts } from "../../ui/texts";
import { clips } from "./codec";
import { audioOptions } from "./options";
import { AudioPanel, AudioToolbar } from "./panel";
import "./audio.css";

export const audio = definePanel({
  name: "audio",
  title: () => uiTexts().panelTitles.audio,
  codecs: [clips],
  options: [timeAxisOptions, audioOptions],
  Toolbar: AudioToolbar,
  Body: AudioPanel,
});
