// Saves clips, as they were written.

import { signal } from "@preact/signals";
import { formatCount } from "../../lib/format";
import { fileName } from "../../lib/itemnames";
import { strings } from "../../lib/strings";
import { type NamedFile, saveFiles } from "../../ui/save/files";
import type { FileJob } from "../../ui/save/filesmenu";
import type { Channel } from "../../wire/channel";
import { type Clip, readClip } from "./kind/clip";
import { clips } from "./kind/codec";
import { askFor, type ClipPlace } from "./source";

const ENDINGS: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/mpeg": "mp3",
};

/** How files begin, in Latin letters. */
const BEGINNINGS = [
  ["RIFF", "wav"],
  ["OggS", "ogg"],
  ["fLaC", "flac"],
  ["ID3", "mp3"],
] as const;

/** Bytes that are gathered at most: they are in memory until they are saved. */
const MOST_SAVED = 512e6;

/** Saves it at once where the bytes that were written are here; else asks the kernel for them. Rejects where it refuses. */
export async function saveClip({ requests }: Channel, place: ClipPlace, clip: Clip, until: AbortSignal): Promise<void> {
  const bytes = writtenHere(clip) ?? ((await askFor(requests, place, true, until)) as Uint8Array<ArrayBuffer>);
  await saveFiles([{ name: nameOf(place, bytes, clip.type), bytes, wall: place.row.wall }], null);
}

/** Gathers clips, of which the kernel is asked for one after the other: what is left is in memory on one side only. */
export function gatherClips(channel: Channel, places: readonly ClipPlace[], zipName: string): FileJob {
  const end = new AbortController();
  const found = new Map<ClipPlace, NamedFile>();
  let size = 0;
  const take = (place: ClipPlace, bytes: Uint8Array<ArrayBuffer>, type: string) => {
    size += bytes.length;
    if (size <= MOST_SAVED) {
      found.set(place, { name: nameOf(place, bytes, type), bytes, wall: place.row.wall });
    }
  };
  const items = channel.store.items(clips);
  const asked = places.filter((place) => {
    const blob = items.blob(place.run, place.tag, place.row.id).peek();
    const clip = blob.state === "held" ? readClip(blob.bytes) : null;
    const here = clip && writtenHere(clip);
    if (clip !== null && here) {
      take(place, here, clip.type);
    }
    return !here;
  });
  const left = signal(asked.length);
  const ask = async () => {
    for (const place of asked) {
      if (end.signal.aborted || size > MOST_SAVED) {
        break;
      }
      try {
        take(place, (await askFor(channel.requests, place, true, end.signal)) as Uint8Array<ArrayBuffer>, "");
      } catch {
        // It is counted among those that are missing.
      }
      left.value -= 1;
    }
    left.value = 0;
  };
  void ask();
  return {
    left,
    end: () => end.abort(),
    save: async () => {
      const files = places.flatMap((place) => found.get(place) ?? []);
      await saveFiles(files, places.length === 1 ? null : zipName);
      const missing = places.length - files.length;
      return strings.list([
        ...(files.length > 0 ? [strings.audio.savedAsWritten(formatCount(files.length))] : []),
        ...(missing > 0 ? [strings.audio.leftUnsaved(formatCount(missing))] : []),
      ]);
    },
  };
}

function writtenHere({ whole, written, problem, data }: Clip): Uint8Array<ArrayBuffer> | null {
  return whole && written && problem === null ? data : null;
}

/** A name such as `train_speech_step40.wav`; of a type that is not known, the bytes say how it ends. */
export function nameOf({ tag, run, row: { step, sample } }: ClipPlace, bytes: Uint8Array, type: string): string {
  const begin = String.fromCharCode(...bytes.subarray(0, 4));
  const ending = ENDINGS[type] ?? BEGINNINGS.find(([letters]) => begin.startsWith(letters))?.[1] ?? "bin";
  return fileName({ run, tag, step, sample: sample > 0 ? sample : null }, ending);
}
