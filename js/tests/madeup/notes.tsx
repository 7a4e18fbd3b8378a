// A made-up panel, registered by tests alone: what a new one takes on this side. Twin of tests/support/made_up.py.

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { defineOptions, flag, notStored } from "../../src/options/declare";
import { CardFrame } from "../../src/ui/card";
import { FilterTags } from "../../src/ui/controls";
import { type CardProps, Groups } from "../../src/ui/groups";
import { definePanel } from "../../src/ui/panel";
import { useOptions, useView } from "../../src/ui/view";
import type { DocumentCodec } from "../../src/wire/codec";
import type { TagContent } from "../../src/wire/collection";
import type { HeldDocument } from "../../src/wire/documents";
import type { Pending } from "../../src/wire/requests";

/** The last text of each tag. */
export const notesCodec: DocumentCodec<string> = {
  sort: "document",
  kind: "notes",
  sources: ["text"],
  decode: (bytes) => new TextDecoder().decode(bytes),
};

export const notesOptions = defineOptions({ loud: notStored(flag(false)) });

function NoteCard({ tag, label, data }: CardProps<TagContent<HeldDocument<string>>>) {
  const { channel, options } = useView();
  const { loud } = useOptions(notesOptions);
  const notes = channel.store.documents(notesCodec);
  void data.version.value;
  const runs = [...data.byRun.keys()].filter((run) => options.shows(run));
  const asked = useMemo(() => signal<Pending | null>(null), []);
  const end = useMemo(() => new AbortController(), []);
  useEffect(() => () => end.abort(), [end]);
  const answer = asked.value?.answer.value?.value as { readonly count: number } | undefined;
  return (
    <CardFrame
      panel="notes"
      tag={tag}
      label={label}
      data={data}
      waits={asked.value?.state.value === "waits"}
      marks={answer && <span class="tbwidget-marks">{answer.count}</span>}
      buttons={
        <button
          type="button"
          class="tbwidget-word"
          onClick={() => {
            asked.value = channel.requests.ask("notes.count", { run: runs[0], tag }, end.signal);
          }}
        >
          count
        </button>
      }
    >
      <div class="tbwidget-plot">
        {runs.map((run) => {
          const text = notes.get(run, tag).value?.value;
          return <p key={run}>{loud.value ? text?.toUpperCase() : text}</p>;
        })}
      </div>
    </CardFrame>
  );
}

function NotesPanel() {
  return <Groups of={useView().channel.store.documents(notesCodec)} Card={NoteCard} />;
}

function NotesToolbar() {
  const { loud } = useOptions(notesOptions);
  return (
    <div class="tbwidget-toolbar">
      <label class="tbwidget-check">
        <input type="checkbox" checked={loud.value} onChange={(event) => loud.set(event.currentTarget.checked)} />
        <span>Loud</span>
      </label>
      <FilterTags tags={useView().channel.store.documents(notesCodec).tags.value} />
    </div>
  );
}

export const notes = definePanel({
  name: "notes",
  title: "Notes",
  codecs: [notesCodec],
  options: [notesOptions],
  Toolbar: NotesToolbar,
  Body: NotesPanel,
});
