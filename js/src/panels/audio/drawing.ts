// Computes what there is to draw of a clip, in slices.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Clip } from "./codec";
import { spectrogramImage } from "./paint";
import { waveformOf } from "./peaks";
import { type Samples, samplesOf } from "./samples";
import { inSlices } from "./slices";
import { spectrogramOf } from "./spectrogram";
import type { Drawing } from "./wave";

interface Decoded {
  readonly clip: Clip;
  readonly played: boolean;
  readonly samples: Promise<Samples | null>;
}

export interface DrawingState {
  /** The drawing; the last clip's stays until the next one is ready. */
  readonly drawing: Drawing | null;
  /** This clip cannot be decoded. */
  readonly failed: boolean;
}

/** The drawing of the clip behind a row, with its spectrogram if that is wanted. `played`: the user has played it. */
export function useDrawing(id: number, clip: Clip | null, wantsSpectrogram: boolean, played: boolean): DrawingState {
  const drawing = useSignal<Drawing | null>(null);
  const failed = useSignal<Clip | null>(null);
  const decoded = useRef<Decoded | null>(null);
  useEffect(() => {
    if (clip === null) {
      decoded.current = null;
      return;
    }
    const end = new AbortController();
    const known = drawing.peek();
    const isDrawn = known !== null && known.id === id;
    const isWhole =
      known !== null && (known.waveform === null ? !played : known.spectrogram !== null || !wantsSpectrogram);
    if (isDrawn && isWhole) {
      return;
    }
    const before = decoded.current;
    if (before?.clip !== clip || (played && !before.played)) {
      decoded.current = { clip, played, samples: samplesOf(clip, played) };
    }
    const draw = async (samples: Samples | null) => {
      if (samples === null) {
        drawing.value = { id, waveform: null, spectrogram: null };
        return;
      }
      const waveform = (isDrawn ? known.waveform : null) ?? (await inSlices(waveformOf(samples), end.signal));
      // The waveform, which is shown first, does not wait for the spectrogram.
      drawing.value = { id, waveform, spectrogram: null };
      if (wantsSpectrogram) {
        const found = await inSlices(spectrogramOf(samples), end.signal);
        drawing.value = { id, waveform, spectrogram: { image: spectrogramImage(found), highest: found.highest } };
      }
    };
    decoded.current?.samples
      .then((samples) => (end.signal.aborted ? undefined : draw(samples)))
      .catch(() => {
        if (!end.signal.aborted) {
          failed.value = clip;
        }
      });
    return () => end.abort();
  }, [id, clip, wantsSpectrogram, played, drawing, failed]);
  return { drawing: drawing.value, failed: clip !== null && failed.value === clip };
}
