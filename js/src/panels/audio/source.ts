// Where a clip comes from: what the store holds, and the rest from the kernel.

import { effect, signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { strings } from "../../lib/strings";
import { useView } from "../../ui/view";
import type { Requests } from "../../wire/requests";
import { type Clip, readClip } from "./kind/clip";
import { type ClipRow, clips } from "./kind/codec";

/** Names a clip among those of a dashboard. */
export interface ClipPlace {
  readonly tag: string;
  readonly run: string;
  readonly row: ClipRow;
}

export function keyOf({ tag, run, row }: ClipPlace): string {
  return JSON.stringify([tag, run, row.id]);
}

/** `clip` is what is known already of one that waits: all but its bytes. */
export type ClipState =
  | { readonly state: "held"; readonly clip: Clip }
  | { readonly state: "waits"; readonly clip: Clip | null }
  | { readonly state: "broken"; readonly reason: string; readonly clip: Clip | null };

/** Milliseconds after which what has not arrived is requested; longer for what is the newest, which the kernel sends by itself. */
const REST = 80;
const PATIENCE = 800;

const NOTHING = signal({ state: "absent" } as const);

/** A clip as far as it has come; what is missing is requested while it is `wanted`. */
export function useClip(place: ClipPlace, wanted: boolean, newest: boolean): ClipState {
  const { channel } = useView();
  const { tag, run, row } = place;
  const items = channel.store.items(clips);
  const blob = (wanted ? items.blob(run, tag, row.id) : NOTHING).value;
  const clip = useMemo(() => (blob.state === "held" ? readClip(blob.bytes) : null), [blob]);
  const refused = useSignal<string | null>(null);
  const saved = channel.store.savedAt.value !== null;
  const lacks = wanted && (blob.state === "absent" || (clip !== null && !clip.whole && clip.problem === null));
  const { requests } = channel;
  const pause = newest && clip === null ? PATIENCE : REST;
  useEffect(() => {
    refused.value = null;
    if (!lacks || saved) {
      return;
    }
    const end = new AbortController();
    const ask = () =>
      askFor(requests, { tag, run, row }, false, end.signal).then(
        (data) => items.fillBlob(run, tag, row.id, data),
        (reason) => {
          refused.value = String(reason);
        },
      );
    const timer = setTimeout(() => void ask(), pause);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [lacks, saved, pause, tag, run, row, items, requests, refused]);
  const missing = saved ? strings.notSaved : refused.value;
  const problem = clip?.problem ?? (blob.state === "broken" ? blob.reason : lacks ? missing : null);
  if (problem !== null) {
    return { state: "broken", reason: problem, clip };
  }
  return clip?.whole ? { state: "held", clip } : { state: "waits", clip };
}

/** A clip from the kernel: as a blob, or `written`, as it was written. Rejects with the reason where it is refused. */
export function askFor(
  requests: Pick<Requests, "ask">,
  { tag, run, row: { step, sample, wall } }: ClipPlace,
  written: boolean,
  until: AbortSignal,
): Promise<Uint8Array> {
  const pending = requests.ask("audio.clip", { run, tag, step: step.toString(), sample, wall, written }, until);
  return new Promise((resolve, reject) => {
    const stop = effect(() => {
      const { value } = pending.state;
      if (value === "waits") {
        return;
      }
      // The effect is still being made when the answer is there at once.
      queueMicrotask(() => stop());
      const answer = pending.answer.peek();
      if (answer !== null) {
        resolve(answer.data);
      } else {
        reject(pending.reason.peek() ?? strings.audio.notUnderstood);
      }
    });
    until.addEventListener("abort", () => stop(), { once: true });
  });
}
