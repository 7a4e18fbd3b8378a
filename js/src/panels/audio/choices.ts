// The choices of audio alone.

import { defineChoices, flag } from "../../choices/declare";

export const audioChoices = defineChoices({ spectrogram: flag(false), fit_waveforms: flag(false) });
