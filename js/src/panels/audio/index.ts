// Audio: the clips of each tag, with their waveforms, spectrograms, and one that plays.

import { strings } from "../../lib/strings";
import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { clips } from "./codec";
import { audioOptions } from "./options";
import { AudioPanel, AudioToolbar } from "./panel";
import "./audio.css";

export const audio = definePanel({
  name: "audio",
  title: () => strings.panelTitles.audio,
  codecs: [clips],
  options: [timeAxisOptions, audioOptions],
  Toolbar: AudioToolbar,
  Body: AudioPanel,
});
