// The options of audio alone.

import { defineOptions, flag } from "../../options/declare";

export const audioOptions = defineOptions({ spectrogram: flag(false), fit_waveforms: flag(false) });
