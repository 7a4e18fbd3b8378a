// The meshes: cards by tag, and the controls that hold for all of them.

import { useItemSteps } from "../../items/playback";
import { SaveItems } from "../../items/save";
import { shownItems } from "../../items/shown";
import { namedRangeOptions } from "../../options/namedranges";
import { timeAxisOptions } from "../../options/shared";
import { FilterTags } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { saveTexts } from "../../ui/save/texts";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView } from "../../ui/view";
import { meshActions } from "./actions";
import { MeshCard } from "./card";
import { meshes as meshesCodec } from "./codec";
import { meshItems } from "./item";
import { meshesOptions } from "./options";
import { meshTexts } from "./texts";
import { MeshViewer } from "./viewer";
import "./meshes.css";

/** Padding on both sides of a card's tile, together, in CSS pixels. */
const PADDING = 22;

export function MeshesPanel() {
  const { mesh_size } = useOptions(meshesOptions);
  const size = mesh_size.value;
  return (
    <div class="tbwidget-meshes" style={{ "--tbwidget-mesh": `${size}px`, "--tbwidget-card": `${size + PADDING}px` }}>
      <Groups of={useView().channel.store.items(meshesCodec)} Card={MeshCard} />
      <MeshViewer />
    </div>
  );
}

export function MeshesToolbar() {
  const view = useView();
  return (
    <Toolbar
      name={meshTexts().title}
      actions={meshActions}
      save={
        <SaveItems
          kind={meshItems}
          title={saveTexts().filesPanelHint}
          ofPanel
          places={() => shownItems(view, meshesCodec)}
          name="meshes"
        />
      }
      filter={<FilterTags tags={view.channel.store.items(meshesCodec).tags.value} />}
    />
  );
}

export const meshes = definePanel({
  name: "meshes",
  title: () => meshTexts().title,
  codecs: [meshesCodec],
  options: [timeAxisOptions, namedRangeOptions, meshesOptions],
  actions: meshActions,
  useSteps: () => useItemSteps(meshesCodec),
  Toolbar: MeshesToolbar,
  Body: MeshesPanel,
});
