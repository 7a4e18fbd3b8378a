// The box in which the note about a run is read and written.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
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

/** Without a text there is no note. */
export function NoteForm({ run, close }: Props) {
  const { run_notes } = useView().options.runTable;
  const box = useRef<HTMLTextAreaElement>(null);
  const isRefused = useSignal(false);
  useEffect(() => box.current?.focus(), []);
  const save = () => {
    const note = box.current?.value ?? "";
    const notes = new Map(run_notes.peek());
    if (note.trim() === "") {
      notes.delete(run);
    } else {
      notes.set(run, note);
    }
    if (notes.size > MAX_NOTES) {
      // Python would refuse all of them.
      isRefused.value = true;
      return;
    }
    run_notes.set(notes);
    close();
  };
  return (
    <form
      class="tbwidget-run-noting"
      data-lm-suppress-shortcuts="true"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") {
          event.preventDefault();
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
      />
      {isRefused.value && <p role="alert">{runTableTexts().noRoomForNote(formatCount(MAX_NOTES))}</p>}
      <button type="submit" class="tbwidget-button">
        {runTableTexts().keepNote}
      </button>
    </form>
  );
}
