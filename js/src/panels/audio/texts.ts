// Texts of the panel “audio”.

import { counted, defineTexts } from "../../lib/texts";

export const audioTexts = defineTexts({
  title: "Audio",
  playClip: "Play",
  pauseClip: "Pause",
  ofWhom: (action: string, whom: string) => `${action}: ${whom}`,
  positionIn: (clip: string) => `Position in ${clip}`,
  timeOf: (time: string, duration: string) => `${time} / ${duration}`,
  timeWithin: (time: string, duration: string) => `${time} of ${duration}`,
  channels: (count: number, n: string) => ["", "mono", "stereo"][count] ?? `${n} channels`,
  spectrogram: "Spectrogram",
  spectrogramHint: "Show the loudness of each frequency over time, below each waveform: 80 dB from dark to light",
  fitWaveforms: "Fit waveforms",
  fitWaveformsHint: "Scale each waveform to its loudest sample, not all to one scale",
  saveClip: "Save this clip as it was logged",
  saveHeading: "Clips",
  counted: (count: number, n: string) => counted(count, n, { one: "clip", other: "clips" }),
  saveNowHint: "Only the clips that this page has loaded",
  savedAsWritten: (n: string) => `${n} saved as logged`,
  leftUnsaved: (n: string) => `${n} not saved: not loaded`,
  clipNotSaved: "This clip could not be saved",
  notUnderstood: "damaged: invalid data",
  undecodable: "damaged, or an encoding that this browser does not support",
  unplayable: "this browser cannot play it",
  runsWithoutStep: (step: string, count: number, n: string) =>
    `${counted(count, n, { one: "run has", other: "runs have" })} nothing up to step ${step}`,
  /** Gestures of pointers, and their effects. */
  gestures: { seek: ["Click or drag", "Seek"] } as Readonly<Record<"seek", readonly [string, string]>>,
  keys: {
    near: "Seek by a second, less in short clips",
    far: "Seek by ten seconds",
    ends: "Go to the start or the end",
    toggle: "Play or pause",
  },
});
