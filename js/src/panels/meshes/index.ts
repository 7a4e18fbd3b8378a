// The meshes: triangles and point clouds of runs, at any step that was written.

import { strings } from "../../lib/strings";
import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { meshes as meshesCodec } from "./codec";
import { meshesOptions } from "./options";
import { MeshesPanel, MeshesToolbar } from "./panel";
import "./meshes.css";

export const meshes = definePanel({
  name: "meshes",
  title: () => strings.panelTitles.meshes,
  codecs: [meshesCodec],
  options: [timeAxisOptions, meshesOptions],
  Toolbar: MeshesToolbar,
  Body: MeshesPanel,
});
