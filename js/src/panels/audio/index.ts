// Audio: the clips of each tag, with their waveforms, spectrograms, and one that plays.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { clips } from "./codec";
import { audioOptions } from "./options";
import { AudioPanel, AudioToolbar } from "./panel";
import { audioTexts } from "./texts";
import "./audio.css";

export const audio = definePanel({
  name: "audio",
  title: () => audioTexts().title,
  codecs: [clips],
  options: [timeAxisOptions, audioOptions],
  Toolbar: AudioToolbar,
  Body: AudioPanel,
});
