// The full-window viewer of meshes. It shows one, all runs, or two side by side, and a slider of their steps.

import { useMemo, useRef } from "preact/hooks";
import { allShown, ItemSlider } from "../../items/playback";
import { stepsOf } from "../../items/steps";
import { itemTexts } from "../../items/texts";
import { useWaiting } from "../../items/tile";
import { RunFrame, SideFrame } from "../../items/viewer/frame";
import type { Place } from "../../items/viewer/place";
import { RunGrid } from "../../items/viewer/rungrid";
import { type ItemSide, stateOf, useItemSide } from "../../items/viewer/side";
import { type OpenedAt, viewerState } from "../../items/viewer/state";
import { viewerTexts } from "../../items/viewer/texts";
import { ItemViewer } from "../../items/viewer/viewer";
import { useViewing, type Viewing } from "../../items/viewer/viewing";
import { formatCount } from "../../lib/format";
import { formatMoment } from "../../lib/times";
import { lineTexts } from "../../lines/texts";
import { uiTexts } from "../../ui/texts";
import { useView } from "../../ui/view";
import { MODES } from "./actions";
import { MeshCanvas } from "./canvas";
import type { Batch, MeshRow, Sample } from "./codec";
import { FitButton, MeshControls } from "./controls";
import { meshItems, remarksOf, sizeOf } from "./item";
import { meshTexts } from "./texts";

type Side = ItemSide<MeshRow, Batch>;

export function MeshViewer() {
  const { at } = viewerState(useView(), "meshes");
  return at.value !== null && <Open at={at.value} close={() => (at.value = null)} />;
}

interface Props {
  readonly at: OpenedAt<MeshRow>;
  close(): void;
}

function Open({ at, close }: Props) {
  const view = useView();
  const viewing = useViewing(meshItems, at);
  const { a, b, active, mode, go } = viewing;
  const { tag } = a.place;
  const ready = useMemo(() => allShown(view, "meshes", tag), [view, tag]);
  return (
    <ItemViewer
      label={meshTexts().viewer(tag)}
      viewing={viewing}
      modes={MODES}
      saveHint={meshTexts().saveHint}
      controls={
        <span class="tbwidget-mesh-controls">
          <MeshControls />
          <FitButton tag={cameraTag(viewing)} />
        </span>
      }
      close={close}
    >
      {mode === "runs" ? (
        <RunGrid viewing={viewing} shape={1}>
          {(place) => <RunStage key={place.run} place={place} viewing={viewing} />}
        </RunGrid>
      ) : (
        <div class="tbwidget-stages" data-mode={mode}>
          <SideStage viewing={viewing} side={a} />
          {b !== null && <SideStage viewing={viewing} side={b} />}
        </div>
      )}
      <div class="tbwidget-readout">
        <Facts side={a} name={b === null ? "" : viewerTexts().first} />
        {b !== null && <Facts side={b} name={viewerTexts().second} />}
      </div>
      <div class="tbwidget-viewer-steps">
        <ItemSlider
          key={JSON.stringify([active.place.run, active.place.tag])}
          steps={stepsOf(active.rows)}
          option={{ at: active.place.at, set: (at) => go({ ...active.place, at, id: null }) }}
          label={itemTexts().cardStep(active.place.tag)}
          hint={itemTexts().cardStepHint}
          ready={ready}
        />
      </div>
    </ItemViewer>
  );
}

/** The tag whose camera all stages share: its own, unless two tags are compared. */
function cameraTag({ a, b }: Viewing<MeshRow, Batch>): string {
  return b === null || b.place.tag === a.place.tag ? a.place.tag : JSON.stringify([a.place.tag, b.place.tag]);
}

interface StageProps {
  readonly viewing: Viewing<MeshRow, Batch>;
  readonly side: Side;
}

function SideStage({ viewing, side }: StageProps) {
  return (
    <SideFrame viewing={viewing} side={described(side)} nothing={meshTexts().nothingHere}>
      <Stage viewing={viewing} side={side} />
    </SideFrame>
  );
}

function RunStage({ viewing, place }: { readonly viewing: Viewing<MeshRow, Batch>; readonly place: Place }) {
  const side = useItemSide(meshItems, place, meshItems.baseSize) as Side;
  return (
    <RunFrame viewing={viewing} side={described(side)} nothing={meshTexts().nothingHere}>
      <Stage viewing={viewing} side={side} />
    </RunFrame>
  );
}

/** The mesh of a side. The mesh of the former step stays until the wanted one has come. */
function Stage({ viewing, side }: StageProps) {
  const { options, theme } = useView();
  const { place, value } = side;
  const { run, sample: number } = place;
  const state = stateOf(side);
  useWaiting("meshes", viewing.a.place.tag, state, true, "");
  const last = useRef<{ readonly batch: Batch; readonly sample: Sample } | null>(null);
  const sample = sampleOf(side);
  if (value !== null) {
    last.current = sample && { batch: value, sample };
  }
  const shown = state === "broken" ? null : last.current;
  return (
    shown && (
      <MeshCanvas
        tag={cameraTag(viewing)}
        run={run}
        name={run}
        color={options.colorOf.value(run, theme.value)}
        sample={shown.sample}
        scene={shown.batch.scene}
        number={number}
        viewed={{ isActive: place === viewing.active.place }}
      />
    )
  );
}

/** Null where the batch has no such mesh, or where nothing is to be seen of it. */
function sampleOf({ value, place }: Side): Sample | null {
  const sample = value?.samples[place.sample];
  return sample === undefined || sample.vertices === 0 ? null : sample;
}

/** The side with the reason why nothing is to be seen. */
function described(side: Side): Side {
  return side.value !== null && sampleOf(side) === null ? { ...side, reason: meshTexts().empty } : side;
}

function Facts({ side, name }: { readonly side: Side; readonly name: string }) {
  const { row, value, waits } = side;
  if (row === undefined) {
    return null;
  }
  const sample = sampleOf(side);
  const facts = [
    lineTexts().stepName([formatCount(row.step)]),
    formatMoment(row.wall, new Date()),
    ...(sample === null ? [] : [sizeOf(sample)]),
    ...(value === null ? [] : remarksOf(value)),
  ];
  return (
    <span class="tbwidget-facts">
      {name !== "" && <b>{name}</b>}
      {facts.join(viewerTexts().between)}
      {waits && (
        <span class="tbwidget-waits" role="status" title={uiTexts().waitsForKernelHint}>
          {uiTexts().waitsForKernel}
        </span>
      )}
    </span>
  );
}
