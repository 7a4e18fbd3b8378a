// The meshes: cards by tag, and the controls that hold for all of them.

import { useItemSteps } from "../../items/playback";
import { SaveItems } from "../../items/save";
import { shownItems } from "../../items/shown";
import { TileSize } from "../../items/tile";
import { timeAxisOptions } from "../../options/shared";
import { FilterTags } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { saveTexts } from "../../ui/save/texts";
import { useOptions, useView } from "../../ui/view";
import { MeshCard } from "./card";
import { meshes as meshesCodec } from "./codec";
import { MeshControls } from "./controls";
import { meshItems } from "./item";
import { MAX_TILE_PX, MIN_TILE_PX, meshesOptions } from "./options";
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
  const { mesh_size } = useOptions(meshesOptions);
  return (
    <div class="tbwidget-toolbar">
      <TileSize option={mesh_size} range={[MIN_TILE_PX, MAX_TILE_PX]} hint={meshTexts().tileSizeHint} />
      <MeshControls />
      <SaveItems
        kind={meshItems}
        label={saveTexts().panel}
        title={saveTexts().filesPanelHint}
        places={() => shownItems(view, meshesCodec)}
        name="meshes"
      />
      <FilterTags tags={view.channel.store.items(meshesCodec).tags.value} />
    </div>
  );
}

export const meshes = definePanel({
  name: "meshes",
  title: () => meshTexts().title,
  codecs: [meshesCodec],
  options: [timeAxisOptions, meshesOptions],
  useSteps: () => useItemSteps(meshesCodec),
  Toolbar: MeshesToolbar,
  Body: MeshesPanel,
});
