// The texts of the panel of clips.

import { counted } from "./language";

export const audioStrings = {
  playClip: "Play",
  pauseClip: "Pause",
  ofWhom: (action: string, whom: string) => `${action}: ${whom}`,
  positionIn: (clip: string) => `Position in ${clip}`,
  timeOf: (time: string, duration: string) => `${time} / ${duration}`,
  timeWithin: (time: string, duration: string) => `${time} of ${duration}`,
  channels: (count: number, n: string) => ["", "mono", "stereo"][count] ?? `${n} channels`,
  spectrogram: "Spectrogram",
  spectrogramHint: "How loud each frequency is over time, below each waveform: 80 decibels from dark to light",
  fitWaveforms: "Fit waveforms",
  fitWaveformsHint: "Draw each waveform as high as its loudest sample; else all have one scale",
  saveClip: "Save this clip as it was written",
  saveHeading: "Clips",
  counted: (count: number, n: string) => counted(count, n, "clip", "clips"),
  saveNowHint: "Only the clips that this page has as they were written",
  savedAsWritten: (n: string) => `${n} saved as written`,
  leftUnsaved: (n: string) => `${n} not saved: not here`,
  clipNotSaved: "This could not be saved",
  notUnderstood: "damaged: it makes no sense here",
  undecodable: "damaged, or of a coding that this browser does not know",
  unplayable: "this browser cannot play it",
  runsWithoutStep: (step: string, count: number, n: string) =>
    `${counted(count, n, "run has", "runs have")} nothing up to step ${step}`,
};
