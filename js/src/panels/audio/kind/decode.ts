// Decodes clips: the samples of a WAV file as they are, all else as the browser decodes it.

import type { Clip } from "./clip";
import { mostSamples } from "./decodedlength";
import type { Samples } from "./samples";
import { parseWav } from "./wav";

/**
 * Samples that a clip may become which is decoded to be drawn: some codings put hours of silence into a few bytes, which
 * decoded would fill the memory. What may be longer, or of what that is not known, is played only.
 */
const MOST_SAMPLES = 12e6;

/** Likewise of one that the user has played. */
const MOST_PLAYED = 120e6;

/** Bytes of a WAV file of a coding that the browser alone knows. */
const MOST_WAV = 8e6;

/** Rates that a context can have, and the one to decode to where none is known. */
const LEAST_RATE = 3000;
const MOST_RATE = 384_000;
const USUAL_RATE = 48_000;

/**
 * Null for what might be too long to be decoded only to be drawn; fewer clips are where the user has `played` it. Rejects where it
 * cannot be decoded.
 */
export async function samplesOf({ type, rate, data }: Clip, played: boolean): Promise<Samples | null> {
  const wav = type === "audio/wav" ? parseWav(data) : null;
  if (wav !== null) {
    return wav;
  }
  const most = type === "audio/wav" ? null : mostSamples(type, data);
  if (type === "audio/wav" ? data.length > MOST_WAV : most === null || most > (played ? MOST_PLAYED : MOST_SAMPLES)) {
    return null;
  }
  const context = new OfflineAudioContext(1, 1, Math.min(MOST_RATE, Math.max(LEAST_RATE, rate ?? USUAL_RATE)));
  // What is handed over is taken away.
  const buffer = await context.decodeAudioData(data.slice().buffer);
  return {
    rate: buffer.sampleRate,
    channels: buffer.numberOfChannels,
    frames: buffer.length,
    read: (channel, from, into) => buffer.copyFromChannel(into, channel, from),
  };
}
