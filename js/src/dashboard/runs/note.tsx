// The box in which the note about a run is read and written.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { MAX_NOTE_CHARACTERS, MAX_NOTES } from "../../options/runtable";
import { CloseButton } from "../../ui/dialog";
import { RunName } from "../../ui/runname";
import { runTableTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import "./note.css";

interface Props {
  readonly run: string;
  close(): void;
}

/** An empty text removes the note. Closing the box in any way keeps the draft; Escape abandons it. */
export function NoteForm({ run, close }: Props) {
  const { options, until } = useView();
  const { run_notes } = options.runTable;
  const box = useRef<HTMLTextAreaElement>(null);
  const isRefused = useSignal(false);
  useEffect(() => box.current?.focus(), []);
  /** Null: unchanged, or abandoned. */
  const written = useRef<string | null>(null);
  /** All notes, with the draft for this run; null if they are too many, because Python would refuse all of them. */
  const notesWithIt = (): Map<string, string> | null => {
    const notes = new Map(run_notes.peek());
    const note = written.current ?? "";
    if (note.trim() === "") {
      notes.delete(run);
    } else {
      notes.set(run, note);
    }
    return notes.size > MAX_NOTES ? null : notes;
  };
  const keepDraft = useRef(() => {});
  keepDraft.current = () => {
    const notes = written.current === null || until.aborted ? null : notesWithIt();
    if (notes !== null) {
      run_notes.set(notes);
    }
  };
  useLayoutEffect(() => () => keepDraft.current(), []);
  const keep = () => {
    isRefused.value = written.current !== null && notesWithIt() === null;
    if (!isRefused.value) {
      close();
    }
  };
  return (
    <form
      class="tbwidget-run-noting"
      data-lm-suppress-shortcuts="true"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") {
          event.preventDefault();
          written.current = null;
          close();
        }
      }}
    >
      <div>
        <strong title={run}>
          <RunName run={run} />
        </strong>
        <CloseButton close={close} />
      </div>
      <textarea
        ref={box}
        rows={5}
        maxLength={MAX_NOTE_CHARACTERS}
        aria-label={runTableTexts().noteOf(run)}
        defaultValue={run_notes.peek().get(run) ?? ""}
        onInput={(event) => {
          written.current = event.currentTarget.value;
        }}
      />
      {isRefused.value && <p role="alert">{runTableTexts().noRoomForNote(formatCount(MAX_NOTES))}</p>}
      <button type="submit" class="tbwidget-button">
        {runTableTexts().keepNote}
      </button>
    </form>
  );
}
