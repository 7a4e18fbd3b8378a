// The options of the meshes. Twins of the traits in tbwidget/panels/meshes.py.

import { defineOptions, flag, oneOf, oneOfOrNull, wholeFrom } from "../../options/declare";

export const MIN_TILE_PX = 96;
export const MAX_TILE_PX = 1024;

export const SHADES = ["lit", "flat", "plain", "wire", "points"] as const;
export const COLORINGS = ["written", "depth", "normal"] as const;

export const meshesOptions = defineOptions({
  /** Side of a tile in CSS pixels. */
  mesh_size: wholeFrom(MIN_TILE_PX, MAX_TILE_PX, 320),
  mesh_shade: oneOfOrNull(SHADES, null),
  mesh_color: oneOf(COLORINGS, "written"),
  mesh_same_camera: flag(true),
});
