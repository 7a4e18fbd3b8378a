// Audio: the clips of each tag, with their waveforms, spectrograms, and one that plays.

import { timeAxisChoices } from "../../choices/shared";
import { strings } from "../../lib/strings";
import { definePanel } from "../../ui/panel";
import { audioChoices } from "./choices";
import { clips } from "./kind/codec";
import { AudioPanel, AudioToolbar } from "./panel";
import "./audio.css";

export const audio = definePanel({
  name: "audio",
  title: () => strings.panelTitles.audio,
  codecs: [clips],
  choices: [timeAxisChoices, audioChoices],
  Toolbar: AudioToolbar,
  Body: AudioPanel,
});
