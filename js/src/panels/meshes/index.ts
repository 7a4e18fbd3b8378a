// The meshes: triangles and point clouds of runs, at any step that was written.

import { timeAxisOptions } from "../../options/shared";
import { definePanel } from "../../ui/panel";
import { meshes as meshesCodec } from "./codec";
import { meshesOptions } from "./options";
import { MeshesPanel, MeshesToolbar } from "./panel";
import { meshTexts } from "./texts";
import "./meshes.css";

export const meshes = definePanel({
  name: "meshes",
  title: () => meshTexts().title,
  codecs: [meshesCodec],
  options: [timeAxisOptions, meshesOptions],
  Toolbar: MeshesToolbar,
  Body: MeshesPanel,
});
