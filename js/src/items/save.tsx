// Saves items as they were written: those that the page has, and the rest from the kernel. Where that is not waited for, as
// they are shown.

import { type ReadonlySignal, signal, untracked } from "@preact/signals";
import { fileName } from "../lib/filenames";
import { type FileJob, FilesMenu, type OtherFiles } from "../ui/save/filesmenu";
import { saveFiles } from "../ui/savefile";
import { useView } from "../ui/view";
import type { Channel } from "../wire/channel";
import type { Requests } from "../wire/requests";
import { requestItems } from "./fetcher";
import type { ItemFile, ItemFiles, ItemKind, ItemPlace, WantedItem } from "./kind";
import type { SampledRow } from "./shown";
import { itemSource } from "./source";

/** Most bytes that are gathered: they are in memory until they are saved. */
export const MAX_GATHERED_BYTES = 512e6;

/** An item to save, with its value as far as the page holds it. */
export interface Candidate<R extends SampledRow, V> extends WantedItem<R> {
  readonly value: V | null;
  /** The file name includes the sample, because the tag has several. */
  readonly numbered: boolean;
}

/** The part of a kind that gathering uses. */
type Gathered<R extends SampledRow, V> = Pick<ItemKind<R, V>, "request"> & { readonly files: ItemFiles<V> };

/** A kind whose items are saved. */
export type SavedKind<R extends SampledRow, V> = ItemKind<R, V> & Gathered<R, V>;

/** Gathers files, and requests those that the page does not hold completely. */
export class ItemGathering<R extends SampledRow, V> implements FileJob {
  readonly #kind: Gathered<R, V>;
  readonly #candidates: readonly Candidate<R, V>[];
  readonly #requests: Pick<Requests, "ask">;
  readonly #zipName: string;
  readonly #written = new Map<Candidate<R, V>, ItemFile>();
  readonly #left = signal(0);
  readonly #end = new AbortController();
  #bytes = 0;

  /** Resolves once nothing is waited for any more. */
  readonly done: Promise<void>;

  /** `zipName`: without its extension. */
  constructor(
    kind: Gathered<R, V>,
    candidates: readonly Candidate<R, V>[],
    requests: Pick<Requests, "ask">,
    zipName: string,
  ) {
    this.#kind = kind;
    this.#candidates = candidates;
    this.#requests = requests;
    this.#zipName = zipName;
    for (const candidate of candidates) {
      const file = candidate.value && kind.files.written(candidate.value);
      if (file) {
        this.#add(candidate, file);
      }
    }
    this.done = this.#requestAll(candidates.filter((candidate) => !this.#written.has(candidate)));
  }

  get left(): ReadonlySignal<number> {
    return this.#left;
  }

  end(): void {
    this.#end.abort();
  }

  /** A file of each item, as good as there is one by now; null where there is none. */
  files(): (ItemFile | null)[] {
    return this.#candidates.map((candidate) => {
      return this.#written.get(candidate) ?? (candidate.value && this.#kind.files.shown(candidate.value));
    });
  }

  async save(): Promise<string> {
    const all = this.files();
    const named = this.#candidates.flatMap((candidate, i) => {
      const file = all[i];
      return file ? [{ name: nameOf(candidate, file), bytes: file.bytes, wall: candidate.row.wall }] : [];
    });
    await saveFiles(named, all.length === 1 ? null : this.#zipName);
    const files = all.filter((file) => file !== null);
    const written = files.filter((file) => file.written).length;
    const shown = files.length - written;
    return this.#kind.files.saved({ written, shown, missing: all.length - files.length, files });
  }

  #add(candidate: Candidate<R, V>, file: ItemFile): void {
    this.#bytes += file.bytes.length;
    if (this.#bytes <= MAX_GATHERED_BYTES) {
      this.#written.set(candidate, file);
    }
  }

  /** One request after the other, so that the items left are in the memory of the kernel alone. */
  async #requestAll(missing: readonly Candidate<R, V>[]): Promise<void> {
    const { request, files } = this.#kind;
    let left = missing;
    this.#left.value = left.length;
    while (left.length > 0 && this.#bytes <= MAX_GATHERED_BYTES && !this.#end.signal.aborted) {
      const batch = left.slice(0, request.most);
      const parts = await requestItems(
        this.#requests,
        request,
        batch,
        Number.POSITIVE_INFINITY,
        true,
        this.#end.signal,
      );
      const later = batch.filter((candidate, i) => {
        const part = parts[i];
        if (part !== undefined && "blob" in part) {
          try {
            this.#add(candidate, files.answered(part.blob));
          } catch {
            // A malformed answer counts as none.
          }
        }
        return part !== undefined && "later" in part;
      });
      left = [...later, ...left.slice(batch.length)];
      this.#left.value = left.length;
    }
    this.#left.value = 0;
  }
}

/** A name such as `train_speech_step40.wav`. */
function nameOf<R extends SampledRow>({ run, tag, row, numbered }: Candidate<R, unknown>, file: ItemFile): string {
  return fileName({ run, tag, step: row.step, sample: numbered ? row.sample : null }, file.extension);
}

/** Gathers the files of some items. `zipName`: without its extension. */
export function gatherItems<R extends SampledRow, V>(
  channel: Channel,
  kind: SavedKind<R, V>,
  places: readonly ItemPlace<R>[],
  zipName: string,
): ItemGathering<R, V> {
  const source = itemSource(channel, kind);
  const items = channel.store.items(kind.codec);
  const candidates = untracked(() =>
    places.map((place): Candidate<R, V> => {
      const rows = items.tag(place.tag)?.byRun.get(place.run)?.rows ?? [];
      const numbered = rows.some(({ sample }) => sample > 0);
      return { ...place, revision: source.revisionOf(place), value: source.item(place).value, numbered };
    }),
  );
  return new ItemGathering(kind, candidates, channel.requests, zipName);
}

interface Props<R extends SampledRow, V> {
  readonly kind: SavedKind<R, V>;
  readonly title: string;
  /** Name of a zip, without its extension. */
  readonly name: string;
  readonly others?: readonly OtherFiles[] | undefined;
  /** It is the menu of a panel, which also copies the view. */
  readonly ofPanel?: boolean;
  places(): readonly ItemPlace<R>[];
}

/** The menu that saves the items of a card, or of all. */
export function SaveItems<R extends SampledRow, V>({
  kind,
  title,
  name,
  others,
  places,
  ofPanel = false,
}: Props<R, V>) {
  const { channel } = useView();
  return (
    <FilesMenu
      title={title}
      heading={kind.files.heading}
      names={kind.files.names}
      others={others}
      ofPanel={ofPanel}
      nowHint={kind.files.nowHint}
      count={() => places().length}
      counted={kind.files.counted}
      begin={() => gatherItems(channel, kind, places(), name)}
    />
  );
}
