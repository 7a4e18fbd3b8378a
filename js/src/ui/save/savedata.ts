// Saves or copies a table: all rows once the kernel has answered, or those in the browser when the user does not wait.

import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { safeName } from "../../lib/filenames";
import { formatCount } from "../../lib/format";
import { copyText } from "../clipboard";
import { saveFile } from "../savefile";
import type { View } from "../view";
import { type Gathered, TableGathering } from "./gather";
import { type TableFormat, tableFile, tableText } from "./tablefile";
import type { HeldSeries, TableKind } from "./tablekind";
import { saveTexts } from "./texts";

export type DataTarget = TableFormat | "copy";

/** What is being saved, or copied, or was. */
export type DataJob =
  | {
      readonly state: "waits";
      readonly target: DataTarget;
      readonly received: ReadonlySignal<number>;
      readonly total: number;
    }
  | { readonly state: "writing" }
  | ReadyText
  | { readonly state: "done"; readonly text: string };

/** The click is too long ago for the browser to allow the copy: it takes another one. */
interface ReadyText {
  readonly state: "ready";
  readonly text: string;
  readonly gathered: Gathered;
  readonly beside: Element;
}

/** What is to be saved, until its rows have arrived. */
interface PendingSave {
  readonly target: DataTarget;
  readonly name: string;
  readonly beside: Element;
  readonly gathering: TableGathering;
}

/** The series of some tags, of the runs shown, as the browser has them. */
export function heldSeries(kind: TableKind, tags: readonly string[], view: View): HeldSeries[] {
  return [...new Set(tags)].flatMap((tag) => kind.held(tag, view));
}

/** Rows that the browser has, and those of the logs, in words. */
export function countsOf(kind: TableKind, series: readonly { readonly count: number; readonly total: number }[]) {
  const [here, all] = [sum(series.map(({ count }) => count)), sum(series.map(({ total }) => total))];
  return { here, all, hereText: formatCount(here), allText: kind.counted(all, formatCount(all)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

export class DataSaver {
  /** Of the latest save: files that were begun before are finished without a message. */
  readonly job = signal<DataJob | null>(null);
  readonly #kind: TableKind;
  readonly #view: View;
  #pending: PendingSave | null = null;
  #stop: () => void = () => {};

  constructor(kind: TableKind, view: View) {
    this.#kind = kind;
    this.#view = view;
  }

  /** `name`: of the file, without its extension. `beside`: where a text that is copied may stand for a moment. */
  begin(target: DataTarget, tags: readonly string[], name: string, beside: Element): void {
    this.end();
    const series = untracked(() => heldSeries(this.#kind, tags, this.#view));
    if (series.length === 0) {
      this.job.value = { state: "done", text: saveTexts().nothing };
      return;
    }
    const { channel } = this.#view;
    const gathering = new TableGathering(this.#kind, series, channel.requests);
    const pending = { target, name, beside, gathering };
    this.#pending = pending;
    const total = countsOf(this.#kind, series).all;
    this.job.value = { state: "waits", target, received: gathering.received, total };
    this.#stop = effect(() => {
      // Without a kernel there is nothing to wait for.
      if (!gathering.waits.value || channel.store.savedAt.value !== null) {
        queueMicrotask(() => {
          if (this.#pending === pending) {
            this.finish();
          }
        });
      }
    });
  }

  /** Saves what has arrived by now. */
  finish(): void {
    const pending = this.#pending;
    if (pending === null) {
      return;
    }
    this.end();
    const writing: DataJob = { state: "writing" };
    this.job.value = writing;
    void this.#outcome(pending).then((outcome) => this.#replace(writing, outcome));
  }

  /** Copies a text that was ready too late. */
  async copy(ready: ReadyText): Promise<void> {
    const outcome = await this.#copied(ready);
    // After a second failure it is given up.
    this.#replace(ready, outcome === ready ? { state: "done", text: saveTexts().notCopied } : outcome);
  }

  /** Removes the message about a finished save. */
  clear(): void {
    if (this.job.peek()?.state === "done") {
      this.job.value = null;
    }
  }

  end(): void {
    this.#stop();
    this.#pending?.gathering.end();
    this.#pending = null;
    this.job.value = null;
  }

  /** Sets the job, unless another one has begun in the meantime. */
  #replace(job: DataJob, by: DataJob): void {
    if (this.job.peek() === job) {
      this.job.value = by;
    }
  }

  async #outcome(pending: PendingSave): Promise<DataJob> {
    try {
      return await this.#write(pending);
    } catch (error) {
      return { state: "done", text: saveTexts().failed(String(error)) };
    }
  }

  async #write({ target, name, beside, gathering }: PendingSave): Promise<DataJob> {
    const gathered = untracked(() => gathering.gathered());
    if (target === "copy") {
      const text = tableText(gathered, this.#kind);
      return text === null
        ? { state: "done", text: saveTexts().tooMuch }
        : await this.#copied({ state: "ready", text, gathered, beside });
    }
    const { exact, count, total } = gathered;
    const note = exact ? [] : [saveTexts().asShown(count, total)];
    const file = await tableFile(gathered, this.#kind, target);
    saveFile(file, `${[name, ...note].join("_")}.${target}`);
    return { state: "done", text: this.#doneText(gathered, saveTexts().saved) };
  }

  /** Resolves to the same job where the browser does not allow the copy. */
  async #copied(ready: ReadyText): Promise<DataJob> {
    const { text, gathered, beside } = ready;
    return (await copyText(text, beside))
      ? { state: "done", text: this.#doneText(gathered, saveTexts().copied) }
      : ready;
  }

  #doneText(gathered: Gathered, done: (all: string) => string): string {
    const { hereText, allText } = countsOf(this.#kind, [gathered]);
    return gathered.exact
      ? done(allText)
      : `${done(saveTexts().shown(hereText, allText))}: ${saveTexts().asShownHere(gathered.summarized)}`;
  }
}

/** A name for files of a card, or of a whole panel. */
export function stemOf(panel: string, title: string | null): string {
  const own = title === null ? "" : safeName(title);
  return own === "" ? panel : `${own}_${panel}`;
}
