// A made-up panel for tests: everything that a new panel needs in the page. Twin of tests/support/made_up.py.

import { useEffect, useMemo } from "preact/hooks";
import { defineOptions, flag, notStored } from "../../src/options/declare";
import { CardFrame } from "../../src/ui/card";
import { FilterTags } from "../../src/ui/controls";
import { type CardProps, Groups } from "../../src/ui/groups";
import { latestRequest } from "../../src/ui/latestrequest";
import { definePanel } from "../../src/ui/panel";
import { useOptions, useView } from "../../src/ui/view";
import type { DocumentCodec } from "../../src/wire/codec";
import type { TagContent } from "../../src/wire/collection";
import type { HeldDocument } from "../../src/wire/documents";

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
  const runs = [...data.byRun.keys()].filter((run) => options.shows(run));
  const counted = useMemo(() => latestRequest<number>(channel.requests), [channel]);
  useEffect(() => () => counted.cancel(), [counted]);
  const count = counted.value.value;
  return (
    <CardFrame
      panel="notes"
      tag={tag}
      label={label}
      data={data}
      waits={counted.waits.value}
      marks={count !== null && <span class="tbwidget-marks">{count}</span>}
      buttons={
        <button
          type="button"
          class="tbwidget-word"
          onClick={() => {
            counted.ask(
              "notes.count",
              { run: runs[0], tag },
              ({ value }) => (value as { readonly count: number }).count,
            );
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
