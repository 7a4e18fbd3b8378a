// A made-up panel of items for tests. Twin of tests/support/made_up_items.py.

import { useEffect, useMemo } from "preact/hooks";
import { CardFrame } from "../../src/ui/card";
import { FilterTags } from "../../src/ui/controls";
import { type CardProps, Groups } from "../../src/ui/groups";
import { latestRequest } from "../../src/ui/latestrequest";
import { definePanel } from "../../src/ui/panel";
import { useView } from "../../src/ui/view";
import type { ItemRow, ItemsCodec } from "../../src/wire/codec";
import type { TagItems } from "../../src/wire/items";

interface Remark extends ItemRow {
  /** Index among the tag's texts. */
  readonly place: number;
}

const remarksCodec: ItemsCodec<Remark> = {
  sort: "items",
  kind: "remarks",
  sources: ["text"],
  decodeRows: ({ place }, columns, common) => {
    const places = columns.steps(place as number);
    return common.map((row, i) => ({ ...row, place: Number(places[i]) }));
  },
  encodeRows: (rows, columns) => ({ place: columns.add(Float64Array.from(rows, ({ place }) => place)) }),
};

function RemarkCard({ tag, label, data }: CardProps<TagItems<Remark>>) {
  const { channel } = useView();
  const remarks = channel.store.items(remarksCodec);
  const [run = "", held] = [...data.byRun][0] ?? [];
  const rows = held?.rows ?? [];
  const last = rows.at(-1);
  const blob = last === undefined ? undefined : remarks.blob(run, tag, last.id).value;
  const first = useMemo(() => latestRequest<string>(channel.requests), [channel]);
  useEffect(() => () => first.cancel(), [first]);
  const inOrder = rows.every(({ place }, i) => place === i);
  return (
    <CardFrame
      panel="remarks"
      tag={tag}
      label={label}
      data={data}
      waits={first.waits.value}
      marks={<span class="tbwidget-marks">{inOrder ? `${rows.length} of ${held?.total ?? 0}` : "out of order"}</span>}
      buttons={
        <button
          type="button"
          class="tbwidget-word"
          onClick={() => {
            const args = { run, tag, step: Number(rows[0]?.step) };
            first.ask("remarks.text", args, ({ data }) => new TextDecoder().decode(data));
          }}
        >
          first
        </button>
      }
    >
      <p class="test-newest" data-step={last?.step.toString()}>
        {blob?.state === "held" && new TextDecoder().decode(blob.bytes)}
      </p>
      <p class="test-first">{first.value.value}</p>
    </CardFrame>
  );
}

function RemarksPanel() {
  return <Groups of={useView().channel.store.items(remarksCodec)} Card={RemarkCard} />;
}

function RemarksToolbar() {
  return (
    <div class="tbwidget-toolbar">
      <FilterTags tags={useView().channel.store.items(remarksCodec).tags.value} />
    </div>
  );
}

export const remarks = definePanel({
  name: "remarks",
  title: "Remarks",
  codecs: [remarksCodec],
  options: [],
  Toolbar: RemarksToolbar,
  Body: RemarksPanel,
});
